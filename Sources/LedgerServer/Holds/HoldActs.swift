package import Ledger

/// What services and people do with holds.
package struct HoldActs: Sendable {
    let ledger: Ledger

    /// - Parameter user: whose hold it must be; nil: anybody's.
    /// - Throws: ``RefusedAct``.
    package func find(_ id: Int64, of user: UserID? = nil) async throws -> Hold {
        guard let hold = try await ledger.holds.find(id), user == nil || hold.user == user else {
            throw RefusedAct(.noSuchHold)
        }
        return hold
    }

    /// Releases held coins to the wallet.
    package func void(_ hold: Hold, because reason: String?, under key: CallerKey) async throws -> Performed<HoldVoided>
    {
        try await ledger.perform(
            VoidHold(idempotencyKey: key, user: hold.user, holdID: hold.id, reason: reason))
    }
}
