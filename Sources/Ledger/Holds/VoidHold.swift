/// Releases the coins of a hold that were not captured to the wallet.
///
/// ```
/// Dr held:<user>:paid   coins / Cr wallet:<user>:paid   coins
/// Dr held:<user>:bonus  coins / Cr wallet:<user>:bonus  coins
/// ```
package struct VoidHold: UserAct, KeyedAct, Equatable {
    package let idempotencyKey: CallerKey
    package var user: UserID
    package let holdID: Int64
    package let reason: String?

    package init(idempotencyKey: CallerKey, user: UserID, holdID: Int64, reason: String? = nil) {
        self.idempotencyKey = idempotencyKey
        self.user = user
        self.holdID = holdID
        self.reason = reason
    }
}

/// The result of ``VoidHold`` or ``ExpireHold``.
package struct HoldVoided: Sendable, Equatable, Codable {
    /// The hold after the act.
    package let hold: Hold
    /// The coins that this act released to the wallet.
    package let coins: Int64
    /// The user's balance after the act.
    package let balance: Balance
}

// MARK: - Planning

extension VoidHold {
    package var touches: Touches { .closing(hold: holdID) }

    package func plan(on books: inout Plan) throws(LedgerError) -> Answer<HoldVoided> {
        try books.voidHold(self)
    }
}

extension Plan {
    fileprivate mutating func voidHold(_ act: VoidHold) throws(LedgerError) -> Answer<HoldVoided> {
        guard let hold = try hold(act.holdID, of: act.user) else { return .refused(.noSuchHold) }
        guard hold.status == .open else { return .refused(.holdClosed(hold.status)) }
        return .done(close(hold, as: .voided, because: act.reason))
    }
}

// MARK: - How it is recorded under its key

extension VoidHold {
    package static let name = "void"
    package static let successName = "holdVoided"

    package var fingerprint: Fingerprint { Fingerprint(Self.name, user.rawValue, String(holdID), reason) }

    package static func journalEntryID(of success: HoldVoided) -> Int64? { nil }
}
