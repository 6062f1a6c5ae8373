extension Plan {
    mutating func releaseRefund(_ command: ReleaseRefund) -> Answer {
        guard var refund = refunds.refund(command.refundID, of: command.user),
            let purchase = purchase(refund.purchaseID, of: command.user)
        else { return Answer(.refused(.noSuchRefund)) }
        guard refund.status == .pending else { return asItIs(refund, of: purchase) }

        let entryID = release(refund, of: purchase)
        refund.status = .refused
        refund.decidedAt = recordedAt
        refund.refusal = command.refusal
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
        for lot in lots { change(lot, by: entryID) }
        payDebt(of: refund.user, returned: choices, reference: reference)
        return entryID
    }
}
