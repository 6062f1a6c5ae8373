extension Plan {
    mutating func completeRefund(_ command: CompleteRefund) -> Answer {
        guard var refund = refunds.refund(command.refundID, of: command.user),
            let purchase = purchase(refund.purchaseID, of: command.user)
        else { return Answer(.refused(.noSuchRefund)) }
        guard refund.status == .pending else { return asItIs(refund, of: purchase) }

        refund.status = .completed
        refund.decidedAt = recordedAt
        refund.cancellationID = command.cancellationID
        refund.reversalEntryID = reverse(purchase, by: refund, command)
        refunds.change(refund)
        let reversed = purchase.reversed(by: refund.amount, coins: refund.coins, bonusCoins: refund.bonusCoins)
        change(reversed)
        return decided(refund, of: reversed)
    }

    private mutating func reverse(_ purchase: Purchase, by refund: Refund, _ command: CompleteRefund) -> Int64 {
        let stripe = stripe(of: refund.user)
        let choices = choices(of: purchase, paid: refund.coins, bonus: refund.bonusCoins)
        let (lots, uses) = using(choices) { lot, coins in
            lot.giveBack(coins, worth: lot.kind == .paid ? refund.value : 0)
        }
        let rest = uses.amount - refund.value
        let entryID = post(
            .refund, reference: "refund:\(refund.id)", reason: refund.explanation,
            effectiveAt: command.cancelledAt ?? recordedAt, in: stripe, reverses: purchase.journalEntryID,
            heldLines(.debit, paid: refund.coins, bonus: refund.bonusCoins, of: refund.user) + [
                Line(account: .system(.coinsIssued, stripe), side: .credit, amount: refund.coins),
                Line(account: .system(.coinsPromotions, stripe), side: .credit, amount: refund.bonusCoins),
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
