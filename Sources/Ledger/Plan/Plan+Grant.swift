extension Plan {
    mutating func grant(_ command: Grant) -> Outcome {
        if let expiresAt = command.expiresAt, expiresAt <= recordedAt { return .refused(.alreadyExpired) }
        let stripe = stripe(of: command.user)
        let coins = command.coins.count
        let lotID = newID()
        let entryID = post(
            .grant, reference: "lot:\(lotID)", reason: command.reason, effectiveAt: recordedAt, in: stripe,
            [
                Line(account: .system(.coinsPromotions, stripe), side: .debit, amount: coins),
                Line(account: open(.bonus, of: command.user), side: .credit, amount: coins),
            ])
        insert(
            Lot(
                id: lotID, stripe: stripe, user: command.user, kind: .bonus, coins: coins, amount: 0,
                acquiredAt: recordedAt, expiresAt: command.expiresAt, purchaseID: nil, issuer: command.issuer,
                journalEntryID: entryID))
        payDebt(of: command.user, reference: "lot:\(lotID)")
        return .granted(
            Granted(journalEntryID: entryID, lotID: lotID, coins: coins, balance: balance(of: command.user)))
    }
}
