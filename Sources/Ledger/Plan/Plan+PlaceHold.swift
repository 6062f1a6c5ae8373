extension Plan {
    mutating func placeHold(_ command: PlaceHold) -> Outcome {
        let user = command.user
        let coins = command.coins.count
        guard let choices = choose(coins, of: user) else {
            return .refused(.insufficientCoins(required: coins, available: available(to: user)))
        }
        let id = newID()
        let (lots, uses) = using(choices) { lot, coins in
            lot.hold(coins)
            return 0
        }
        let paid = uses.coins(.paid)
        let bonus = uses.coins(.bonus)
        let entryID = post(
            .hold, reference: "hold:\(id)", reason: command.reason, effectiveAt: recordedAt, in: stripe(of: user),
            walletLines(.debit, paid: paid, bonus: bonus, of: user)
                + heldLines(.credit, paid: paid, bonus: bonus, of: user))
        for lot in lots { change(lot, by: entryID) }
        let hold = Hold(
            id: id, user: user, status: .open, coins: coins, captured: 0, released: 0, reference: command.reference,
            placedAt: recordedAt, expiresAt: recordedAt.addingTimeInterval(Double(command.timeout)), closedAt: nil,
            journalEntryID: entryID)
        let holdLots = choices.enumerated().map { place, choice in
            HoldLot(
                holdID: id, place: Int64(place), lotID: choice.lotID, coins: choice.coins, held: choice.coins)
        }
        insert(hold, holdLots)
        return .holdPlaced(HoldPlaced(hold: hold, lots: uses, balance: balance(of: user)))
    }
}
