import Postgres

/// Where a list of a user's holds goes on: before this hold.
package struct HoldCursor: Sendable, Codable, Equatable {
    /// The last hold's id.
    package let id: Int64
}

/// Coins that are set aside for someone.
package struct Holds: Sendable {
    private let pools: Pools

    init(_ pools: Pools) { self.pools = pools }

    /// The hold with this id, whoever's it is.
    package func find(_ id: Int64) async throws(LedgerError) -> Hold? {
        try await reading { try await pools.reads.run(Hold.find([id])).first }
    }

    /// The user's holds that were placed in the period, newest first.
    ///
    /// - Parameter status: only those that stand so.
    package func list(
        of user: UserID, in period: Period = .always, _ status: Hold.Status? = nil, after cursor: HoldCursor? = nil,
        limit: Int
    ) async throws(LedgerError) -> Page<Hold, HoldCursor> {
        try await reading {
            let found = try await pools.reads.run(
                Hold.history(of: user, in: period, status, before: cursor?.id, limit: limit))
            return Page(found, limit: limit) { shown in shown.last.map { HoldCursor(id: $0.id) } }
        }
    }

    /// Open holds whose time is up, the earliest first.
    ///
    /// - Parameter unreadable: told the id of each that is left out because its row can't be read, and why.
    package func listDue(
        limit: Int, unreadable: (Int64, LedgerError) -> Void = { _, _ in }
    ) async throws(LedgerError) -> [Hold] {
        try await reading { try await pools.reads.run(Hold.due(limit: limit)) }.values(unreadable)
    }
}
