/// Takes what the wallet still has of a lot whose time is up.
///
/// ```
/// Dr wallet:<user>:paid (or :bonus)  coins / Cr coins:expired      coins
/// Dr coins:deferred-revenue          won   / Cr revenue:breakage   won
/// ```
/// It takes effect at the lot's own time. The lot is the key: one that has nothing left, or whose time is not up, stays
/// as it is.
package struct ExpireLot: Act, Equatable {
    /// Whose coins.
    package let user: UserID
    /// Which lot.
    package let lotID: Int64

    /// A lot to look at.
    package init(user: UserID, lotID: Int64) {
        self.user = user
        self.lotID = lotID
    }
}

/// A lot of which the wallet has nothing more, or which was not to expire yet.
package struct LotExpired: Sendable, Equatable {
    /// The lot.
    package let lotID: Int64
    /// How many coins this act took.
    package let coins: Int64
    /// The won they were bought for.
    package let amount: Int64
    /// The user's balance right after the act.
    package let balance: Balance
}

// MARK: - Planning

extension ExpireLot {
    package var touches: Touches {
        Touches(systemAccounts: [.coinsExpired, .deferredRevenue, .breakage], lot: lotID)
    }

    package func plan(on books: inout Plan) -> Answer<LotExpired> { books.expireLot(self) }
}

extension Plan {
    fileprivate mutating func expireLot(_ act: ExpireLot) -> Answer<LotExpired> {
        guard let lot = lots[act.lotID], lot.user == act.user, lot.remaining > 0,
            let expiresAt = lot.expiresAt, expiresAt <= recordedAt
        else {
            let nothing = LotExpired(
                lotID: act.lotID, coins: 0, amount: 0, balance: balance(of: act.user))
            return .unchanged(nothing)
        }
        let stripe = stripe(of: lot.user)
        let (lots, uses) = using([Choice(lotID: lot.id, coins: lot.remaining)]) { lot, coins in lot.expire(coins) }
        let entryID = post(
            .expiry, reference: "lot:\(lot.id)", effectiveAt: max(expiresAt, lot.returnedAt ?? expiresAt), in: stripe,
            walletLines(.debit, paid: uses.coins(.paid), bonus: uses.coins(.bonus), of: lot.user)
                + [Line(account: .system(.coinsExpired, stripe), side: .credit, amount: lot.remaining)]
                + recognition(of: uses.amount, as: .breakage, in: stripe))
        change(lots, by: entryID)
        return .done(
            LotExpired(lotID: lot.id, coins: lot.remaining, amount: uses.amount, balance: balance(of: lot.user)))
    }
}
