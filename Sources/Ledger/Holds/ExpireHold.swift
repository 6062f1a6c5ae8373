/// Releases the rest of an expired hold to the wallet, with the same entry as ``VoidHold``.
///
/// The act has no idempotency key: a hold that is closed or has not expired stays unchanged.
package struct ExpireHold: UserAct, Equatable {
    package var user: UserID
    package let holdID: Int64

    package init(user: UserID, holdID: Int64) {
        self.user = user
        self.holdID = holdID
    }
}

// MARK: - Planning

extension ExpireHold {
    package var touches: Touches { .closing(hold: holdID) }

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
