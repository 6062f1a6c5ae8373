extension Plan {
    mutating func captureHold(_ command: CaptureHold) -> Outcome {
        guard let hold = hold(command.holdID, of: command.user) else { return .refused(.noSuchHold) }
        guard hold.status == .open else { return .refused(.holdClosed(hold.status)) }
        guard hold.expiresAt > recordedAt else { return .refused(.holdExpired) }
        let coins = command.coins?.count ?? hold.remaining
        guard coins <= hold.remaining else {
            return .refused(.exceedsHold(required: coins, available: hold.remaining))
        }

        let (entryID, uses) = capture(coins, of: hold, for: command)
        if command.isFinal { release(command.holdID, of: command.user, as: .captured, because: command.reason) }
        guard let captured = self.hold(command.holdID, of: command.user) else {
            preconditionFailure("a hold that was just captured is there")
        }
        return .holdCaptured(
            HoldCaptured(
                hold: captured, journalEntryID: entryID, coins: coins, lots: uses, provider: command.provider,
                balance: balance(of: command.user)))
    }

    private mutating func capture(
        _ coins: Int64, of hold: Hold, for command: CaptureHold
    ) -> (journalEntryID: Int64, uses: [LotUse]) {
        let stripe = stripe(of: hold.user)
        let (choices, left) = lots(of: hold).taking(coins)
        let (lots, uses) = using(choices) { lot, coins in lot.capture(coins) }
        let destination =
            command.provider.map { openEarnings(of: $0, in: stripe) } ?? .system(.coinsRedeemed, stripe)
        let entryID = post(
            .capture, reference: "hold:\(hold.id)", reason: command.reason, effectiveAt: recordedAt, in: stripe,
            heldLines(.debit, paid: uses.coins(.paid), bonus: uses.coins(.bonus), of: hold.user)
                + [Line(account: destination, side: .credit, amount: coins)]
                + recognition(of: uses.amount, in: stripe))
        for lot in lots { change(lot, by: entryID) }
        var hold = hold
        hold.captured += coins
        if hold.remaining == 0 {
            hold.status = .captured
            hold.closedAt = recordedAt
        }
        change(hold, left, by: entryID)
        return (entryID, uses)
    }
}

extension [HoldLot] {
    /// Takes as many coins off the lots, the first ones first.
    func taking(_ coins: Int64) -> (choices: [Plan.Choice], left: [HoldLot]) {
        var choices: [Plan.Choice] = []
        var left = self
        var missing = coins
        for index in left.indices where missing > 0 && left[index].held > 0 {
            let taken = Swift.min(missing, left[index].held)
            choices.append(Plan.Choice(lotID: left[index].lotID, coins: taken))
            left[index].held -= taken
            missing -= taken
        }
        precondition(missing == 0, "a hold's lots hold what the hold says")
        return (choices, left)
    }
}
