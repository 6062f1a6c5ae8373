/// Releases the held coins of a refund to the wallet, because the gateway refused finally.
///
/// ```
/// Dr held:<user>:paid   coins / Cr wallet:<user>:paid   coins
/// Dr held:<user>:bonus  bonus / Cr wallet:<user>:bonus  bonus
/// ```
/// Coins that had expired before the refund expire again. The act has no idempotency key: a decided refund stays unchanged.
package struct ReleaseRefund: UserAct, Equatable {
    package var user: UserID
    package let refundID: Int64
    /// Why the gateway refused.
    package let refusal: Refund.GatewayRefusal

    package init(user: UserID, refundID: Int64, refusal: Refund.GatewayRefusal) {
        self.user = user
        self.refundID = refundID
        self.refusal = refusal
    }
}

// MARK: - Planning

extension ReleaseRefund {
    package var touches: Touches {
        Touches(
            systemAccounts: [.deferredRevenue, .revenue, .coinsExpired, .breakage], userLots: .first, refund: refundID)
    }

    package func plan(on books: inout Plan) throws(LedgerError) -> Answer<RefundDecided> {
        try books.releaseRefund(self)
    }
}

extension Plan {
    fileprivate mutating func releaseRefund(_ act: ReleaseRefund) throws(LedgerError) -> Answer<RefundDecided> {
        guard var refund = try refund(act.refundID, of: act.user),
            let purchase = purchases.purchase(refund.purchaseID, of: act.user)
        else { return .refused(.noSuchRefund) }
        guard refund.status == .pending else { return asItIs(refund, of: purchase) }

        let entryID = release(refund, of: purchase)
        refund.status = .refused
        refund.decidedAt = recordedAt
        refund.refusal = act.refusal
        refunds.decide(refund, by: entryID)
        return decided(refund, of: purchase)
    }

    private mutating func release(_ refund: Refund, of purchase: Purchase) -> Int64 {
        let choices = choices(of: purchase, paid: refund.coins, bonus: refund.bonusCoins)
        let (lots, _) = using(choices) { lot, coins in
            lot.release(coins, at: recordedAt)
            return 0
        }
        let reference = "refund:\(refund.id)"
        let entryID = post(
            .refundRelease, reference: reference, effectiveAt: recordedAt, in: stripe(of: refund.user),
            reverses: refund.journalEntryID,
            heldLines(.debit, paid: refund.coins, bonus: refund.bonusCoins, of: refund.user)
                + walletLines(.credit, paid: refund.coins, bonus: refund.bonusCoins, of: refund.user))
        change(lots, by: entryID)
        expireAgain(refund, of: purchase)
        let usable = self.choices(of: purchase, paid: refund.unusedCoins, bonus: refund.bonusCoins)
        payDebt(of: refund.user, returned: usable, reference: reference)
        return entryID
    }
}
