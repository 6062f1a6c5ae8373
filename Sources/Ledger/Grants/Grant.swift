package import Foundation

/// Gives a user bonus coins.
///
/// ```
/// Dr coins:promotions  coins / Cr wallet:<user>:bonus  coins
/// ```
/// If the user owes coins, the debt is paid first: see ``CreditPurchase``.
package struct Grant: UserAct, KeyedAct, Equatable {
    package let idempotencyKey: CallerKey
    package var user: UserID
    package let coins: Coins
    package let reason: String
    /// Who gives the coins, such as a campaign or a department.
    package let issuer: String?
    /// When unused coins expire; nil: never.
    package let expiresAt: Date?

    package init(
        idempotencyKey: CallerKey, user: UserID, coins: Coins, reason: String, issuer: String? = nil,
        expiresAt: Date? = nil
    ) {
        self.idempotencyKey = idempotencyKey
        self.user = user
        self.coins = coins
        self.reason = reason
        self.issuer = issuer
        self.expiresAt = expiresAt
    }
}

/// The result of a grant.
package struct Granted: Sendable, Equatable, Codable, PostedSuccess {
    /// The journal entry of the act.
    package let journalEntryID: Int64
    /// The new lot.
    package let lotID: Int64
    package let coins: Int64
    /// The user's balance after the act.
    package let balance: Balance
}

// MARK: - Planning

extension Grant {
    package var givesCoins: Bool { true }

    package var touches: Touches {
        Touches(systemAccounts: [.coinsPromotions, .deferredRevenue, .revenue], userLots: .ifInDebt)
    }

    package func plan(on books: inout Plan) -> Answer<Granted> { books.grant(self) }
}

extension Plan {
    fileprivate mutating func grant(_ act: Grant) -> Answer<Granted> {
        if let expiresAt = act.expiresAt, expiresAt <= recordedAt { return .refused(.alreadyExpired) }
        return .done(
            give(act.coins.count, to: act.user, because: act.reason, by: act.issuer, until: act.expiresAt))
    }

    /// Posts a grant, and pays the user's debt with it.
    mutating func give(
        _ coins: Int64, to user: UserID, because reason: String, by issuer: String?, until expiresAt: Date?
    ) -> Granted {
        let stripe = stripe(of: user)
        let lotID = newID()
        let entryID = post(
            .grant, reference: "lot:\(lotID)", reason: reason, effectiveAt: recordedAt, in: stripe,
            [
                Line(account: .system(.coinsPromotions, stripe), side: .debit, amount: coins),
                Line(account: open(.bonus, of: user), side: .credit, amount: coins),
            ])
        lots.insert(
            .issued(
                id: lotID, stripe: stripe, user: user, kind: .bonus, coins: coins, amount: 0,
                acquiredAt: recordedAt, expiresAt: expiresAt, purchaseID: nil, issuer: issuer,
                journalEntryID: entryID))
        payDebt(of: user, reference: "lot:\(lotID)")
        return Granted(journalEntryID: entryID, lotID: lotID, coins: coins, balance: balance(of: user))
    }
}

// MARK: - How it is recorded under its key

extension Grant {
    package static let name = "grant"
    package static let successName = "granted"

    package var fingerprint: Fingerprint {
        Fingerprint(
            Self.name, user.rawValue, String(coins.count), reason, issuer,
            expiresAt.map { String($0.microsecondsSince1970) })
    }
}
