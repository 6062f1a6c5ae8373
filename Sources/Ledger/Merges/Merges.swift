import Batching
import Postgres

/// Reads whom ids of users refer to.
package struct Merges: Sendable {
    private let pools: Pools
    private let asked: BatchQueue<UserID, UserID>

    init(_ pools: Pools) {
        self.pools = pools
        asked = BatchQueue(capacity: 8192, batchLimit: 1024, patience: lookupPatience) { users in
            await answering(users) {
                var aliases = UserAliases()
                for (former, user) in try await pools.lookups.run(UserAliases.of(users)) {
                    aliases.add(former: former, user: user)
                }
                return users.map { aliases[$0] ?? $0 }
            }
        }
    }

    /// The user that the id refers to: itself, unless the user was merged into another one.
    ///
    /// Concurrent look-ups share one query.
    package func user(behind id: UserID) async throws(LedgerError) -> UserID {
        try await reading { try await asked.submit(id) }
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
