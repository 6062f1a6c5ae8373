package import Ledger

/// Merges of users, and changes of their ids.
package struct MergeActs: Sendable {
    let ledger: Ledger

    /// Merges a user into another one, or, with a new id, renames it.
    ///
    /// Coins beside a debt pay it at once. If the process ends before, ``ExpiryService`` does it.
    ///
    /// - Throws: ``RefusedAct``; ``LedgerError``.
    package func merge(
        _ former: UserID, into user: UserID, isNewUser: Bool, because reason: String, most: Int64? = nil,
        under key: CallerKey
    ) async throws -> Performed<UsersMerged> {
        let merged = try await ledger.perform(
            MergeUsers(
                idempotencyKey: key, former, into: user, isRename: isNewUser, reason: reason, most: most))
        if merged.success.balance.debt > 0 { _ = try await ledger.submit(PayDebt(user: user)) }
        return merged
    }
}
