// What the acts that end holds, or a part of them, have in common.

extension Plan {
    /// The user's own hold with this id.
    ///
    /// - Throws: ``LedgerError/Code/fault`` when its lots do not hold what it says, so that no part of a plan has to ask.
    func hold(_ id: Int64, of user: UserID) throws(LedgerError) -> Hold? {
        guard let hold = holds.hold(id, of: user) else { return nil }
        let parts = holds.lots(of: hold)
        let areHeld = parts.allSatisfy { $0.held >= 0 && $0.held <= lots[$0.lotID]?.held ?? 0 }
        guard areHeld, parts.reduce(0, { $0 + $1.held }) == hold.remaining else {
            throw .unexpected("the hold with the id \(id) and its lots do not agree")
        }
        return hold
    }

    /// Gives what a hold still sets aside back to the wallet, and closes it.
    mutating func close(_ hold: Hold, as status: Hold.Status, because reason: String?) -> HoldVoided {
        let closed = release(hold, as: status, because: reason)
        return HoldVoided(hold: closed, coins: hold.remaining, balance: balance(of: hold.user))
    }

    /// Gives what a hold still sets aside back to the wallet.
    ///
    /// - Returns: the hold, closed; one that sets nothing aside stays as it is.
    mutating func release(_ open: Hold, as status: Hold.Status, because reason: String?) -> Hold {
        guard open.remaining > 0 else { return open }
        var hold = open
        let user = hold.user
        let (choices, left) = holds.lots(of: hold).taking(hold.remaining)
        let (lots, uses) = using(choices) { lot, coins in
            lot.release(coins, at: recordedAt)
            return 0
        }
        let paid = uses.coins(.paid)
        let bonus = uses.coins(.bonus)
        let reference = "hold:\(hold.id)"
        let entryID = post(
            .void, reference: reference, reason: reason, effectiveAt: recordedAt, in: stripe(of: user),
            reverses: hold.journalEntryID,
            heldLines(.debit, paid: paid, bonus: bonus, of: user)
                + walletLines(.credit, paid: paid, bonus: bonus, of: user))
        change(lots, by: entryID)
        hold.released += hold.remaining
        hold.status = status
        hold.closedAt = recordedAt
        holds.change(hold, left, by: entryID)
        payDebt(of: user, returned: choices, reference: reference)
        return hold
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
