extension Plan {
    mutating func voidHold(_ command: VoidHold) -> Outcome {
        guard let hold = hold(command.holdID, of: command.user) else { return .refused(.noSuchHold) }
        guard hold.status == .open else { return .refused(.holdClosed(hold.status)) }
        return .holdVoided(close(hold, as: .voided, because: command.reason))
    }

    mutating func expireHold(_ command: ExpireHold) -> Answer {
        guard let hold = hold(command.holdID, of: command.user) else { return Answer(.refused(.noSuchHold)) }
        guard hold.status == .open, hold.expiresAt <= recordedAt else {
            return Answer(
                .holdVoided(HoldVoided(hold: hold, coins: 0, balance: balance(of: hold.user))), isRepeat: true)
        }
        return Answer(.holdVoided(close(hold, as: .expired, because: nil)))
    }

    private mutating func close(_ hold: Hold, as status: Hold.Status, because reason: String?) -> HoldVoided {
        release(hold.id, of: hold.user, as: status, because: reason)
        guard let closed = self.hold(hold.id, of: hold.user) else {
            preconditionFailure("a hold that was just closed is there")
        }
        return HoldVoided(hold: closed, coins: hold.remaining, balance: balance(of: hold.user))
    }

    /// Gives what a hold still sets aside back to the wallet, and closes it.
    mutating func release(_ id: Int64, of user: UserID, as status: Hold.Status, because reason: String?) {
        guard var hold = hold(id, of: user), hold.remaining > 0 else { return }
        let (choices, left) = lots(of: hold).taking(hold.remaining)
        let (lots, uses) = using(choices) { lot, coins in
            lot.release(coins, at: recordedAt)
            return 0
        }
        let paid = uses.coins(.paid)
        let bonus = uses.coins(.bonus)
        let reference = "hold:\(id)"
        let entryID = post(
            .void, reference: reference, reason: reason, effectiveAt: recordedAt, in: stripe(of: user),
            reverses: hold.journalEntryID,
            heldLines(.debit, paid: paid, bonus: bonus, of: user)
                + walletLines(.credit, paid: paid, bonus: bonus, of: user))
        for lot in lots { change(lot, by: entryID) }
        hold.released += hold.remaining
        hold.status = status
        hold.closedAt = recordedAt
        change(hold, left, by: entryID)
        payDebt(of: user, returned: choices, reference: reference)
    }
}
