import Postgres

/// Coins that users owe.
package struct Debts: Sendable {
    private let pool: PostgresPool

    init(pool: PostgresPool) { self.pool = pool }

    /// Users who owe coins and have some that they can use, as only books from before debts were paid at once have them.
    package func listPayable(limit: Int) async throws(LedgerError) -> [UserID] {
        try await reading { try await pool.run(Balance.debtorsWithCoins(limit: limit)) }
    }
}
