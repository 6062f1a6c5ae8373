import Postgres

/// Coins that users owe.
package struct Debts: Sendable {
    private let pools: Pools

    init(_ pools: Pools) { self.pools = pools }

    /// Users who owe coins and have coins that they can use.
    ///
    /// Only books from before debts were paid at once have such users, and those whose coins lie in very many lots
    /// (``PayDebt``).
    package func listPayable(limit: Int) async throws(LedgerError) -> [UserID] {
        try await reading { try await pools.reads.run(Self.debtorsWithCoins(limit: limit)) }
    }

    /// Users who owe coins and have some that they can use.
    private static func debtorsWithCoins(limit: Int) -> PostgresQuery<[UserID]> {
        PostgresQuery(
            """
            SELECT owner FROM account AS debt
            WHERE owes AND EXISTS (
                SELECT FROM lot
                WHERE user_id = debt.owner AND is_open AND remaining > 0 AND (expires_at IS NULL OR expires_at > now()))
            LIMIT $1
            """,
            [Int64(limit)])
    }
}
