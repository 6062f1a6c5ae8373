package import Foundation

/// Takes the held coins of a refund, because the gateway gave the money back.
///
/// ```
/// Dr held:<user>:paid        coins / Cr coins:issued         coins
/// Dr held:<user>:bonus       bonus / Cr coins:promotions     bonus
/// Dr coins:deferred-revenue  value / Cr gateway:receivable   amount
///                                    Cr revenue:refund-fees  fee
/// ```
/// Of a payment in a foreign currency, both legs are in the place of the receivable (``Plan/owedLines(_:at:in:_:_:)``).
///
/// If the refund was refused but the gateway carried it out after all, the coins are taken from the wallet (Dr
/// `wallet:` instead of `held:`), provided that the purchase's coins are still there. The act has no idempotency key: a
/// completed refund stays unchanged.
package struct CompleteRefund: UserAct, Hashable {
    package var user: UserID
    package let refundID: Int64
    /// The gateway's id of the cancellation; nil: not reported.
    package let cancellationID: String?
    /// When the gateway cancelled; nil: not reported.
    package let cancelledAt: Date?
    /// The total cancelled of the payment, in minor units of its currency, to complete a refund that was refused; nil:
    /// complete only a pending refund.
    ///
    /// A refund that the books already account for stays unchanged.
    package let cancelledInAll: Int64?

    package init(
        user: UserID, refundID: Int64, cancellationID: String? = nil, cancelledAt: Date? = nil,
        cancelledInAll: Int64? = nil
    ) {
        self.user = user
        self.refundID = refundID
        self.cancellationID = cancellationID
        self.cancelledAt = cancelledAt
        self.cancelledInAll = cancelledInAll
    }
}

/// The result of completing or releasing a refund.
package struct RefundDecided: Sendable, Equatable {
    /// The refund after the act.
    package let refund: Refund
    /// The purchase after the act.
    package let purchase: Purchase
    /// The user's balance after the act.
    package let balance: Balance
}

// MARK: - Planning

extension CompleteRefund {
    package var touches: Touches {
        Touches(
            systemAccounts: SystemAccount.receivables + [
                .coinsIssued, .coinsPromotions, .deferredRevenue, .revenue, .refundFees,
            ],
            userLots: .first, refund: refundID)
    }

    package func plan(on books: inout Plan) throws(LedgerError) -> Answer<RefundDecided> {
        try books.completeRefund(self)
    }
}

extension Plan {
    fileprivate mutating func completeRefund(_ act: CompleteRefund) throws(LedgerError) -> Answer<RefundDecided> {
        guard var refund = try refund(act.refundID, of: act.user),
            let purchase = purchases.purchase(refund.purchaseID, of: act.user)
        else { return .refused(.noSuchRefund) }
        let isReleased = refund.status == .refused && wasCarriedOut(refund, of: purchase, act)
        guard refund.status == .pending || isReleased else { return asItIs(refund, of: purchase) }

        refund.status = .completed
        refund.refusal = nil
        refund.decidedAt = recordedAt
        refund.cancellationID = act.cancellationID
        let (entryID, _) = takeBack(
            refund, of: purchase, from: isReleased ? .wallet : .hold,
            against: .receivable(of: purchase.payment.gateway),
            at: moment(act.cancelledAt, notBefore: refund.requestedAt))
        refund.reversalEntryID = entryID
        refunds.decide(refund, by: entryID)
        let reversed = purchases.reverse(purchase, by: refund.reversal(by: entryID))
        settleDisputes(of: reversed, freezes: false)
        return decided(refund, of: reversed)
    }

    /// Whether the gateway carried out a refused refund, the books do not account for it yet, and the released coins
    /// are still in the wallet.
    ///
    /// If coins are missing, a claw-back takes the others and books the rest as debt. A claw-back also takes the coins of a
    /// refund with expired ones, which have expired again.
    private func wasCarriedOut(_ refund: Refund, of purchase: Purchase, _ act: CompleteRefund) -> Bool {
        guard let cancelled = act.cancelledInAll, refund.expired == nil,
            purchase.refundedAmount + refund.amount <= purchase.amount,
            purchase.paidBack + refund.paidBack <= min(cancelled, purchase.paidAmount),
            isOfSameWon(refund, of: purchase)
        else { return false }
        let left = lots.of(purchase).reduce(into: [LotKind: Int64]()) { $0[$1.kind, default: 0] += $1.remaining }
        return left[.paid, default: 0] >= refund.coins && left[.bonus, default: 0] >= refund.bonusCoins
    }

    /// Whether a refused refund of a payment in a foreign currency still has the won that it told: other parts may have gone
    /// back since, and no other may be on its way.
    private func isOfSameWon(_ refund: Refund, of purchase: Purchase) -> Bool {
        guard let foreign = refund.foreign else { return true }
        return refunds.pending(of: purchase) == nil && purchase.worth(ofNext: foreign.amount) == refund.amount
    }
}
