package import Foundation

/// Takes the held coins of a refund, because the gateway gave the money back.
///
/// ```
/// Dr held:<user>:paid        coins / Cr coins:issued         coins
/// Dr held:<user>:bonus       bonus / Cr coins:promotions     bonus
/// Dr coins:deferred-revenue  value / Cr gateway:receivable   amount
///                                    Cr revenue:refund-fees  fee
/// ```
/// If the refund was refused but the gateway carried it out after all, the coins are taken from the wallet (Dr
/// `wallet:` instead of `held:`), provided that the purchase's coins are still there. The act has no idempotency key: a
/// completed refund stays unchanged.
package struct CompleteRefund: Act, Hashable {
    package let user: UserID
    package let refundID: Int64
    /// The gateway's id of the cancellation; nil: not reported.
    package let cancellationID: String?
    /// When the gateway cancelled; nil: not reported.
    package let cancelledAt: Date?
    /// The total cancelled of the payment, to complete a refund that was refused; nil: complete only a pending refund.
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
            systemAccounts: [
                .coinsIssued, .coinsPromotions, .gatewayReceivable, .deferredRevenue, .revenue, .refundFees,
            ],
            userLots: .always, refund: refundID)
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
        let entryID = post(refund, of: purchase, act, isReleased: isReleased)
        refund.reversalEntryID = entryID
        refunds.decide(refund, by: entryID)
        let reversed = purchases.reverse(
            purchase,
            by: PurchaseReversal(
                journalEntryID: entryID, purchaseID: purchase.id, amount: refund.amount, coins: refund.coinsPaidFor,
                bonusCoins: refund.bonusCoins + refund.bonusCharged, chargedCoins: refund.bonusCharged))
        return decided(refund, of: reversed)
    }

    /// Whether the gateway carried out a refused refund, the books do not account for it yet, and the released coins
    /// are still in the wallet.
    ///
    /// If coins are missing, a claw-back takes the others and books the rest as debt.
    private func wasCarriedOut(_ refund: Refund, of purchase: Purchase, _ act: CompleteRefund) -> Bool {
        guard let cancelled = act.cancelledInAll,
            purchase.refundedAmount + refund.amount <= min(cancelled, purchase.amount)
        else { return false }
        let left = lots.of(purchase).reduce(into: [LotKind: Int64]()) { $0[$1.kind, default: 0] += $1.remaining }
        return left[.paid, default: 0] >= refund.coins && left[.bonus, default: 0] >= refund.bonusCoins
    }

    /// - Parameter isReleased: whether the coins were released to the wallet.
    private mutating func post(
        _ refund: Refund, of purchase: Purchase, _ act: CompleteRefund, isReleased: Bool
    ) -> Int64 {
        let stripe = stripe(of: refund.user)
        let choices = choices(of: purchase, paid: refund.coins, bonus: refund.bonusCoins)
        let (lots, uses) = using(choices) { lot, coins in
            if isReleased { lot.hold(coins) }
            guard lot.kind == .paid else { return lot.giveBack(coins, worth: 0) }
            return lot.capture(refund.bonusCharged) + lot.giveBack(refund.coinsPaidFor, worth: refund.value)
        }
        let taken =
            isReleased
            ? walletLines(.debit, paid: refund.coins, bonus: refund.bonusCoins, of: refund.user)
            : heldLines(.debit, paid: refund.coins, bonus: refund.bonusCoins, of: refund.user)
        let rest = uses.amount - refund.value
        let entryID = post(
            .refund, reference: "refund:\(refund.id)", reason: refund.explanation,
            effectiveAt: moment(act.cancelledAt, notBefore: refund.requestedAt), in: stripe,
            reverses: purchase.journalEntryID,
            taken + [
                Line(account: .system(.coinsIssued, stripe), side: .credit, amount: refund.coinsPaidFor),
                Line(
                    account: .system(.coinsPromotions, stripe), side: .credit,
                    amount: refund.bonusCoins + refund.bonusCharged),
                Line(account: .system(.deferredRevenue, stripe), side: .debit, amount: uses.amount),
                Line(account: .system(.gatewayReceivable, stripe), side: .credit, amount: refund.amount),
                Line(account: .system(.refundFees, stripe), side: .credit, amount: refund.fee),
                Line(account: .system(.revenue, stripe), side: rest > 0 ? .credit : .debit, amount: abs(rest)),
            ])
        change(lots, by: entryID)
        return entryID
    }
}

extension Lot {
    /// Takes held coins permanently, because `value` won paid for them were refunded.
    ///
    /// The value of the coins was fixed when they were held. Spends and claw-backs in the meantime change it only by
    /// rounding, and the lot's last coins take the difference.
    ///
    /// - Returns: the won that were still deferred for them.
    fileprivate mutating func giveBack(_ coins: Int64, worth value: Int64) -> Int64 {
        held -= coins
        let won = remaining + held == 0 ? deferred : min(deferred, value)
        deferred -= won
        return won
    }
}
