package import Ledger
import Logging

/// Merges of users, and changes of their ids.
package struct MergeActs: Sendable {
    let ledger: Ledger
    let logger: Logger

    /// Merges a user into another one, or, with a new id, renames it.
    ///
    /// Coins beside a debt pay it at once, and the balance is that of afterwards. If that fails, ``ExpiryService`` does it.
    ///
    /// - Throws: ``RefusedAct``; ``LedgerError``.
    package func merge(
        _ former: UserID, into user: UserID, isNewUser: Bool, because reason: String, most: Int64? = nil,
        under key: CallerKey
    ) async throws -> Performed<UsersMerged> {
        let merged = try await ledger.perform(
            MergeUsers(
                idempotencyKey: key, former, into: user, isRename: isNewUser, reason: reason, most: most))
        guard merged.success.balance.debt > 0 else { return merged }
        // The users are one now, whatever becomes of the debt.
        do {
            guard case .done(let paid) = try await ledger.submit(PayDebt(user: user)).outcome else { return merged }
            return Performed(success: merged.success.with(paid.balance), isRepeat: merged.isRepeat)
        } catch {
            logger.warning(
                "a merged user's coins have yet to pay the debt",
                metadata: ["entry": "\(merged.success.journalEntryID ?? 0)", "error": "\(error)"])
            return merged
        }
    }
}
