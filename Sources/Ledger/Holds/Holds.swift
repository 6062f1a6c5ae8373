import Postgres

/// Reads holds.
package struct Holds: Sendable {
    private let pools: Pools

    init(_ pools: Pools) { self.pools = pools }

    /// The hold with this id, of any user.
    package func find(_ id: Int64) async throws(LedgerError) -> Hold? {
        try await reading { try await pools.lookups.run(Hold.find([id])).first }
    }

    /// The user's holds that were placed in the period, newest first.
    ///
    /// - Parameter status: only holds with this status; nil: all.
    package func list(
        of user: UserID, in period: Period = .always, _ status: Hold.Status? = nil, after cursor: After<Int64>? = nil,
        limit: Int
    ) async throws(LedgerError) -> Page<Hold, After<Int64>> {
        try await reading {
            let found = try await pools.reads.run(
                Hold.history(of: user, in: period, status, before: cursor?.id, limit: limit))
            return Page(found, limit: limit)
        }
    }

    /// Open holds that have expired, earliest expiry first.
    ///
    /// - Parameter unreadable: called for each row that can't be read, with its id and the error. The row is left out.
    package func listDue(
        limit: Int, unreadable: (Int64, LedgerError) -> Void = { _, _ in }
    ) async throws(LedgerError) -> [Hold] {
        try await reading { try await pools.reads.run(Hold.due(limit: limit)) }.values(unreadable)
    }
}
