extension Plan {
    mutating func spend(_ command: Spend) -> Outcome {
        let user = command.user
        let coins = command.coins.count
        guard let choices = choose(coins, of: user) else {
            return .refused(.insufficientCoins(required: coins, available: available(to: user)))
        }
        let stripe = stripe(of: user)
        let (lots, uses) = using(choices) { lot, coins in lot.take(coins) }
        let entryID = post(
            .spend, reference: command.reference ?? "user:\(user.rawValue)", reason: command.reason,
            effectiveAt: recordedAt, in: stripe,
            walletLines(.debit, paid: uses.coins(.paid), bonus: uses.coins(.bonus), of: user)
                + [Line(account: .system(.coinsRedeemed, stripe), side: .credit, amount: coins)]
                + recognition(of: uses.amount, in: stripe))
        for lot in lots { change(lot, by: entryID) }
        return .spent(Spent(journalEntryID: entryID, coins: coins, lots: uses, balance: balance(of: user)))
    }
}
