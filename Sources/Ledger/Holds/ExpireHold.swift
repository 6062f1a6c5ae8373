/// Gives what a hold still sets aside back to the wallet, because its time is up: the entry of ``VoidHold``.
///
/// The hold is the key: one that is closed, or whose time is not up, stays as it is.
package struct ExpireHold: Act, Equatable {
    /// Whose coins.
    package let user: UserID
    /// Which hold.
    package let holdID: Int64

    /// A hold to look at.
    package init(user: UserID, holdID: Int64) {
        self.user = user
        self.holdID = holdID
    }
}

// MARK: - Planning

extension ExpireHold {
    package var touches: Touches {
        Touches(systemAccounts: [.deferredRevenue, .revenue], userLots: .ifInDebt, hold: holdID)
    }

    package func plan(on books: inout Plan) throws(LedgerError) -> Answer<HoldVoided> {
        try books.expireHold(self)
    }
}

extension Plan {
    fileprivate mutating func expireHold(_ act: ExpireHold) throws(LedgerError) -> Answer<HoldVoided> {
        guard let hold = try hold(act.holdID, of: act.user) else { return .refused(.noSuchHold) }
        guard hold.status == .open, hold.expiresAt <= recordedAt else {
            return .unchanged(HoldVoided(hold: hold, coins: 0, balance: balance(of: hold.user)))
        }
        return .done(close(hold, as: .expired, because: nil))
    }
}
