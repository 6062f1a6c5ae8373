extension Plan {
    mutating func completeRefund(_ command: CompleteRefund) -> Answer {
        guard var refund = refunds.refund(command.refundID, of: command.user),
            let purchase = purchase(refund.purchaseID, of: command.user)
        else { return Answer(.refused(.noSuchRefund)) }
        let isReleased = refund.status == .refused && wasCarriedOut(refund, of: purchase, command)
        guard refund.status == .pending || isReleased else { return asItIs(refund, of: purchase) }

        refund.status = .completed
        refund.refusal = nil
        refund.decidedAt = recordedAt
        refund.cancellationID = command.cancellationID
        let entryID = post(refund, of: purchase, command, isReleased: isReleased)
        refund.reversalEntryID = entryID
        refunds.decide(refund, by: entryID)
        let reversed = reverse(
            purchase,
            by: PurchaseReversal(
                journalEntryID: entryID, purchaseID: purchase.id, amount: refund.amount, coins: refund.coinsPaidFor,
                bonusCoins: refund.bonusCoins + refund.bonusCharged, chargedCoins: refund.bonusCharged))
        return decided(refund, of: reversed)
    }

    /// Whether the gateway carried out what it had refused, the books do not account for it yet, and the coins that were
    /// released are still there.
    ///
    /// Where some are gone, a claw-back takes what there is and makes debt of the rest.
    private func wasCarriedOut(_ refund: Refund, of purchase: Purchase, _ command: CompleteRefund) -> Bool {
        guard let cancelled = command.cancelledInAll,
            purchase.refundedAmount + refund.amount <= min(cancelled, purchase.amount)
        else { return false }
        let left = lots(of: purchase).reduce(into: [LotKind: Int64]()) { $0[$1.kind, default: 0] += $1.remaining }
        return left[.paid, default: 0] >= refund.coins && left[.bonus, default: 0] >= refund.bonusCoins
    }

    /// - Parameter isReleased: whether the coins are back in the wallet.
    private mutating func post(
        _ refund: Refund, of purchase: Purchase, _ command: CompleteRefund, isReleased: Bool
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
            effectiveAt: moment(command.cancelledAt, notBefore: refund.requestedAt), in: stripe,
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
        for lot in lots { change(lot, by: entryID) }
        return entryID
    }

    /// A refund that was decided before.
    func asItIs(_ refund: Refund, of purchase: Purchase) -> Answer {
        Answer(decided(refund, of: purchase).outcome, isRepeat: true)
    }

    func decided(_ refund: Refund, of purchase: Purchase) -> Answer {
        Answer(
            .refundDecided(
                RefundDecided(refund: refund, purchase: purchase, balance: balance(of: refund.user))))
    }
}

extension Lot {
    /// Takes coins that were set aside, for good, because so much of what was paid for them went back.
    ///
    /// What coins set aside are worth was told when they were, and what is spent or clawed back meanwhile leaves them
    /// that, but for roundings: those go with the lot's last coins.
    ///
    /// - Returns: what was still deferred for them.
    fileprivate mutating func giveBack(_ coins: Int64, worth value: Int64) -> Int64 {
        held -= coins
        let won = remaining + held == 0 ? deferred : min(deferred, value)
        deferred -= won
        return won
    }
}
