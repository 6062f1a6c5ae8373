extension Plan {
    mutating func grant(_ command: Grant) -> Outcome {
        let fingerprint = command.fingerprint
        if let before = recordedOutcome(under: command.idempotencyKey) {
            guard before.command == .grant, before.fingerprint == fingerprint else {
                return .refused(.idempotencyKeyReused)
            }
            var granted = before.outcome
            granted.isRepeat = true
            return .granted(granted)
        }
        let granted = give(command)
        record(
            RecordedOutcome(key: command.idempotencyKey, command: .grant, fingerprint: fingerprint, outcome: granted))
        return .granted(granted)
    }

    private mutating func give(_ command: Grant) -> Granted {
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
                acquiredAt: recordedAt, expiresAt: command.expiresAt, purchaseID: nil, journalEntryID: entryID))
        return Granted(journalEntryID: entryID, lotID: lotID, coins: coins, isRepeat: false)
    }
}
