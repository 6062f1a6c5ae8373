import Foundation
import Postgres

/// Takes back coins of a grant that are in the wallet, because they should not have been given.
///
/// ```
/// Dr wallet:<user>:bonus  coins / Cr coins:promotions  coins
/// ```
/// The coins were neither used nor do they expire: no figure of use changes. Coins that are on hold stay there, and can be
/// voided when their hold has ended. Those whose time is up are not voided: they expire (``ExpireLot``).
///
/// A void of all that is left (without ``coins``) makes the lot a voided one. What comes back into it by a reversal of a
/// spend or capture is voided in the same act; what comes back from a hold is not (docs/decisions/0195).
package struct VoidGrant: UserAct, KeyedAct, Equatable {
    package let idempotencyKey: CallerKey
    package var user: UserID
    /// The journal entry of the grant.
    package let grantID: Int64
    /// The lot of the grant.
    package let lotID: Int64
    /// The coins to void; nil: all that are in the wallet.
    package let coins: Coins?
    package let reason: String
    /// What must hold; otherwise ``Refusal/changedMeanwhile`` or ``Refusal/exceedsOwnLimit(required:available:)``.
    ///
    /// They are not part of the ``fingerprint``.
    package let terms: VoidTerms

    /// - Parameter lot: the lot of the grant, as it was read (``Lots/ofGrant(_:)``). Only members that never change are used.
    package init(
        idempotencyKey: CallerKey, of lot: Lot, coins: Coins? = nil, reason: String, terms: VoidTerms = .none
    ) {
        self.idempotencyKey = idempotencyKey
        user = lot.user
        grantID = lot.journalEntryID
        lotID = lot.id
        self.coins = coins
        self.reason = reason
        self.terms = terms
    }
}

/// What must hold when a grant is voided, because a person decided by it.
package struct VoidTerms: Sendable, Equatable {
    /// What could be voided, as the person saw it (``VoidableGrant/available``); nil: whatever it is.
    package let available: Int64?
    /// The most that may be voided of the grant in all, with this void; nil: no limit.
    package let mostInAll: Int64?

    /// Nothing was decided by what somebody saw.
    package static let none = VoidTerms()

    package init(available: Int64? = nil, mostInAll: Int64? = nil) {
        self.available = available
        self.mostInAll = mostInAll
    }

    /// Why a void of these coins is refused; nil: it is not.
    ///
    /// What can be voided does not tell what was: coins that come back can make it the same number again.
    ///
    /// - Parameter before: the coins that were voided before because somebody asked for it.
    func refusal(of coins: Int64, after before: Int64) -> Refusal? {
        guard let mostInAll, before + coins > mostInAll else { return nil }
        return .exceedsOwnLimit(required: coins, available: mostInAll > before ? mostInAll - before : 0)
    }
}

/// The result of voiding a grant.
package struct GrantVoided: Sendable, Equatable, Codable, PostedSuccess {
    /// The journal entry of the act.
    package let journalEntryID: Int64
    /// The journal entry of the grant.
    package let grantID: Int64
    package let lotID: Int64
    /// The coins that were voided.
    package let coins: Int64
    /// The coins of the grant that stay in the wallet.
    package let left: Int64
    /// The coins of the grant that are on hold, and could not be voided.
    package let held: Int64
    package let reason: String
    /// The user's balance after the act.
    package let balance: Balance
}

/// Coins of a grant that were voided.
struct GrantVoid: Sendable, Equatable {
    let journalEntryID: Int64
    let lotID: Int64
    let coins: Int64
    /// Whether all coins in the wallet were asked for.
    let isWhole: Bool
    /// The entry by which the coins had just come back; nil: the void was asked for.
    let reversalID: Int64?

    static let insert = BulkInsert<GrantVoid>(
        into: "grant_void",
        [
            .init("journal_entry_id", \.journalEntryID), .init("lot_id", \.lotID), .init("coins", \.coins),
            .init("is_whole", \.isWhole), .init("reversal_id", \.reversalID),
        ])
}

extension Lot {
    /// The coins of a grant that can be voided: those in the wallet, unless their time is up.
    fileprivate func voidable(at moment: Date) -> Int64 { isExpired(at: moment) ? 0 : remaining }

    /// Why these coins of a grant can't be voided; nil: they can.
    ///
    /// - Parameter available: the coins that can.
    func refusal(ofVoiding coins: Int64, of available: Int64) -> Refusal? {
        guard coins > 0, coins <= available else {
            return .exceedsGrant(required: max(1, coins), available: available, held: held)
        }
        return nil
    }
}

// MARK: - Planning

extension VoidGrant {
    package var touches: Touches {
        Touches(systemAccounts: [.coinsPromotions], lot: lotID, countsVoids: terms.mostInAll != nil)
    }

    package func plan(on books: inout Plan) -> Answer<GrantVoided> { books.voidGrant(self) }
}

extension Plan {
    fileprivate mutating func voidGrant(_ act: VoidGrant) -> Answer<GrantVoided> {
        guard let lot = lots[act.lotID], lot.user == act.user, lot.journalEntryID == act.grantID, lot.purchaseID == nil,
            lot.originID == nil
        else { return .refused(.noSuchGrant) }
        let available = lot.voidable(at: recordedAt)
        if let seen = act.terms.available, seen != available { return .refused(.changedMeanwhile) }
        let coins = act.coins?.count ?? available
        if let refusal = lot.refusal(ofVoiding: coins, of: available) { return .refused(refusal) }
        if let refusal = act.terms.refusal(of: coins, after: lots.voided(of: lot.id)) { return .refused(refusal) }
        let entryID = post(voidOf: coins, of: lot, because: act.reason, isWhole: act.coins == nil)
        return .done(
            GrantVoided(
                journalEntryID: entryID, grantID: act.grantID, lotID: lot.id, coins: coins,
                left: available - coins, held: lot.held, reason: act.reason, balance: balance(of: act.user)))
    }

    /// Voids coins that just came back into the lot of a grant that was voided as a whole.
    mutating func voidCoins(_ coins: Int64, of lotID: Int64, because reason: String?, cameBackBy reversalID: Int64) {
        guard let lot = lots[lotID] else { preconditionFailure("coins came back into a lot that was not loaded") }
        _ = post(voidOf: coins, of: lot, because: reason, cameBackBy: reversalID)
    }

    private mutating func post(
        voidOf coins: Int64, of lot: Lot, because reason: String?, isWhole: Bool = false,
        cameBackBy reversalID: Int64? = nil
    ) -> Int64 {
        let stripe = stripe(of: lot.user)
        let entryID = post(
            .grantVoid, reference: "lot:\(lot.id)", reason: reason, effectiveAt: recordedAt, in: stripe,
            reverses: lot.journalEntryID,
            [
                Line(account: open(.bonus, of: lot.user), side: .debit, amount: coins),
                Line(account: .system(.coinsPromotions, stripe), side: .credit, amount: coins),
            ])
        var lot = lot
        lot.void(coins)
        if isWhole { lot.isVoided = true }
        change([lot], by: entryID)
        lots.note(
            GrantVoid(
                journalEntryID: entryID, lotID: lot.id, coins: coins, isWhole: isWhole, reversalID: reversalID))
        return entryID
    }
}

// MARK: - How it is recorded under its key

extension VoidGrant {
    package static let name = "grant_void"
    package static let successName = "grantVoided"

    package var fingerprint: Fingerprint {
        Fingerprint(Self.name, user.rawValue, String(grantID), coins.map { String($0.count) }, reason)
    }
}
