import Batching
import Postgres

/// Reads whom ids of users refer to.
package struct Merges: Sendable {
    private let pools: Pools
    private let asked: BatchQueue<UserID, UserID>

    init(_ pools: Pools) {
        self.pools = pools
        asked = pools.sharedLookups { users in try await Self.users(behind: users, in: pools.lookups) }
    }

    /// The user that the id refers to: itself, unless the user was merged into another one.
    ///
    /// Concurrent look-ups share one query.
    package func user(behind id: UserID) async throws(LedgerError) -> UserID {
        try await reading { try await asked.submit(id) }
    }

    /// The users that the ids refer to, in the same order.
    package func users(behind ids: [UserID]) async throws(LedgerError) -> [UserID] {
        try await reading { try await Self.users(behind: ids, in: pools.lookups) }
    }

    private static func users(behind ids: [UserID], in pool: PostgresPool) async throws -> [UserID] {
        var aliases = UserAliases()
        for (former, user) in try await pool.run(UserAliases.of(ids)) { aliases.add(former: former, user: user) }
        return ids.map { aliases[$0] ?? $0 }
    }

    /// The ids that were merged into the user's, the last merge first.
    package func formerIDs(of user: UserID) async throws(LedgerError) -> [UserID] {
        try await reading { try await pools.lookups.run(UserAliases.formers(of: user)) }
    }

    /// Stops the queue of shared look-ups.
    func close() async { await asked.close() }
}

extension UserAliases {
    /// What these ids refer to, of those that are former ones.
    fileprivate static func of(_ ids: [UserID]) -> PostgresQuery<[(former: UserID, user: UserID)]> {
        PostgresQuery("SELECT former, user_id FROM user_alias WHERE former = ANY($1)", [ids.map(\.rawValue)]) { row in
            (former: try row[0], user: try row[1])
        }
    }
}
