extension Plan {
    mutating func releaseRefund(_ command: ReleaseRefund) -> Answer {
        guard var refund = refunds.refund(command.refundID, of: command.user),
            let purchase = purchase(refund.purchaseID, of: command.user)
        else { return Answer(.refused(.noSuchRefund)) }
        guard refund.status == .pending else { return asItIs(refund, of: purchase) }

        release(refund, of: purchase)
        refund.status = .refused
        refund.decidedAt = recordedAt
        refund.refusal = command.refusal
        refunds.change(refund)
        return decided(refund, of: purchase)
    }

    private mutating func release(_ refund: Refund, of purchase: Purchase) {
        let (lots, _) = using(choices(of: purchase, paid: refund.coins, bonus: refund.bonusCoins)) { lot, coins in
            lot.release(coins)
            return 0
        }
        let entryID = post(
            .refundRelease, reference: "refund:\(refund.id)", effectiveAt: recordedAt, in: stripe(of: refund.user),
            reverses: refund.journalEntryID,
            heldLines(.debit, paid: refund.coins, bonus: refund.bonusCoins, of: refund.user)
                + walletLines(.credit, paid: refund.coins, bonus: refund.bonusCoins, of: refund.user))
        for lot in lots { change(lot, by: entryID) }
    }
}
