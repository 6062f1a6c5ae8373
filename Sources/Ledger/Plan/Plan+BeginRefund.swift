extension Plan {
    mutating func beginRefund(_ command: BeginRefund) -> Outcome {
        guard let purchase = purchase(command.purchaseID, of: command.user) else { return .refused(.noSuchPurchase) }
        let quote = RefundQuote(
            command.coins, of: purchase, lots: lots(of: purchase), policy: command.policy,
            obstacles: .init(
                debt: balance(of: command.user).debt, isInProgress: refunds.pending(of: purchase) != nil),
            at: recordedAt)
        if let refusal = quote.refusal { return .refused(refusal) }

        let id = newID()
        let refund = Refund(
            id: id, purchaseID: purchase.id, user: purchase.user, status: .pending, coins: quote.coins,
            bonusCoins: quote.bonusCoins, charged: quote.bonusCharged, value: quote.value, fee: quote.fee,
            currency: purchase.currency,
            explanation: command.explanation, believedBalance: purchase.amount - purchase.refundedAmount,
            requestedAt: recordedAt, journalEntryID: setAside(quote, for: id, because: command.explanation))
        refunds.insert(refund, to: command.account)
        return .refundBegun(RefundBegun(refund: refund, balance: balance(of: command.user)))
    }

    private mutating func setAside(_ quote: RefundQuote, for id: Int64, because reason: String) -> Int64 {
        let user = quote.purchase.user
        let choices = choices(of: quote.purchase, paid: quote.coins, bonus: quote.bonusCoins)
        let (lots, _) = using(choices) { lot, coins in
            lot.hold(coins)
            return 0
        }
        let entryID = post(
            .refundHold, reference: "refund:\(id)", reason: reason, effectiveAt: recordedAt, in: stripe(of: user),
            walletLines(.debit, paid: quote.coins, bonus: quote.bonusCoins, of: user)
                + heldLines(.credit, paid: quote.coins, bonus: quote.bonusCoins, of: user))
        for lot in lots { change(lot, by: entryID) }
        return entryID
    }

    /// Coins of the purchase's own lots, of which it has one of each kind at most.
    func choices(of purchase: Purchase, paid: Int64, bonus: Int64) -> [Choice] {
        lots(of: purchase).map { Choice(lotID: $0.id, coins: $0.kind == .paid ? paid : bonus) }.filter { $0.coins > 0 }
    }
}
