// Shared by the acts that capture or close holds.

extension Plan {
    /// The hold with this id; nil: not found, or another user's.
    ///
    /// - Throws: ``LedgerError/Code/fault`` when the hold and its lots contradict each other. So no other part of a
    ///   plan has to check this.
    func hold(_ id: Int64, of user: UserID) throws(LedgerError) -> Hold? {
        guard let hold = holds.hold(id, of: user) else { return nil }
        let parts = holds.lots(of: hold)
        let areHeld = parts.allSatisfy { $0.held >= 0 && $0.held <= lots[$0.lotID]?.held ?? 0 }
        guard areHeld, parts.reduce(0, { $0 + $1.held }) == hold.remaining else {
            throw .unexpected("hold \(id) and its lots contradict each other")
        }
        return hold
    }

    /// Releases the rest of a hold to the wallet and closes the hold.
    mutating func close(_ hold: Hold, as status: Hold.Status, because reason: String?) -> HoldVoided {
        let closed = release(hold, as: status, because: reason)
        return HoldVoided(hold: closed, coins: hold.remaining, balance: balance(of: hold.user))
    }

    /// Releases the rest of a hold to the wallet.
    ///
    /// - Returns: the closed hold. A hold without coins left is returned unchanged.
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
        reverseWriteOff(of: user, returned: choices, reference: reference)
        return hold
    }
}

extension [HoldLot] {
    /// Takes coins from the lots in order.
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
        precondition(missing == 0, "a hold's lots have as many coins as the hold")
        return (choices, left)
    }
}

extension Touches {
    /// What an act reads and changes that closes a hold.
    static func closing(hold: Int64) -> Touches {
        Touches(
            systemAccounts: [.deferredRevenue, .revenue, .coinsWrittenOff], userLots: .ifInDebt, hold: hold,
            debtHistory: true)
    }
}
