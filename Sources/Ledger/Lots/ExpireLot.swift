import Foundation

/// Takes the coins of an expired lot that are still in the wallet.
///
/// ```
/// Dr wallet:<user>:paid (or :bonus)  coins / Cr coins:expired      coins
/// Dr coins:deferred-revenue          won   / Cr revenue:breakage   won
/// ```
/// Without ``VATSettings/taxesBreakage``, expired coins are no supply: output VAT that arose at their sale falls away
/// (`Dr tax:vat-payable / Cr tax:vat-deferred`). With it, they are a supply: the breakage is booked without its VAT.
///
/// The entry is effective at the lot's expiry. The act has no idempotency key: a lot that is empty or has not expired
/// stays unchanged.
package struct ExpireLot: UserAct, Equatable {
    package var user: UserID
    package let lotID: Int64

    package init(user: UserID, lotID: Int64) {
        self.user = user
        self.lotID = lotID
    }
}

/// The result of ``ExpireLot``: the lot has no coins left in the wallet, or has not expired yet.
package struct LotExpired: Sendable, Equatable {
    package let lotID: Int64
    /// The coins that this act took.
    package let coins: Int64
    /// The won paid for them.
    package let amount: Int64
    /// The user's balance after the act.
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
        let amount = expire(lot.remaining, of: lot, at: max(expiresAt, lot.returnedAt ?? expiresAt))
        return .done(
            LotExpired(lotID: lot.id, coins: lot.remaining, amount: amount, balance: balance(of: lot.user)))
    }

    /// Posts the expiry of coins that are in the wallet.
    ///
    /// - Parameter price: the won paid for them; nil: their share of the lot's.
    /// - Returns: the won paid for them.
    @discardableResult
    mutating func expire(_ coins: Int64, of lot: Lot, worth price: Int64? = nil, at effectiveAt: Date) -> Int64 {
        let stripe = stripe(of: lot.user)
        let (lots, uses) = using([Choice(lotID: lot.id, coins: coins)]) { lot, coins in
            lot.expire(coins, worth: price, isSupply: vatSettings.taxesBreakage)
        }
        let entryID = post(
            .expiry, reference: "lot:\(lot.id)", effectiveAt: effectiveAt, in: stripe,
            walletLines(.debit, paid: uses.coins(.paid), bonus: uses.coins(.bonus), of: lot.user)
                + [Line(account: .system(.coinsExpired, stripe), side: .credit, amount: coins)]
                + breakage(of: uses.amount, outputVAT(of: lots), in: stripe))
        change(lots, by: entryID)
        return uses.amount
    }
}
