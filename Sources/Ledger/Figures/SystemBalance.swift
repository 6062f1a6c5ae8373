import Postgres

/// The balance of one of the ledger's own accounts, over all stripes.
package struct SystemBalance: Sendable, Equatable {
    package let account: SystemAccount
    /// On the account's normal side, in minor units of its currency.
    package let balance: Int64
    /// The number of stripes, each of which has the account.
    package let stripes: Int64
}

extension Figures {
    /// The won that gateways owe now, with those that are carried for what they owe in foreign currencies.
    package func owedByGateways() async throws(LedgerError) -> Int64 {
        try await owedByGateways(with: try await accounts())
    }

    /// The same, if the balances of the ledger's own accounts were read already.
    package func owedByGateways(with balances: [SystemBalance]) async throws(LedgerError) -> Int64 {
        let own = balances.filter { SystemAccount.receivables.contains($0.account) }
        let carried = try await reading { try await pools.reads.run(CarryingAccounts.all) }
        return own.reduce(0) { $0 + $1.balance } + carried.reduce(0) { $0 + $1.balance }
    }

    /// The balances of the ledger's own accounts now.
    package func accounts() async throws(LedgerError) -> [SystemBalance] {
        let ids = SystemAccount.allCases.map { ($0, chart.ids(of: $0)) }
        let query = PostgresQuery<[(Int64, Int64)]>(
            "SELECT id, balance FROM account WHERE id = ANY($1)", [ids.flatMap(\.1)]
        ) { row in (try row[0], try row[1]) }
        let found = Dictionary(uniqueKeysWithValues: try await reading { try await pools.reads.run(query) })
        return ids.map { account, ids in
            SystemBalance(
                account: account, balance: ids.reduce(0) { $0 + (found[$1] ?? 0) }, stripes: chart.stripes)
        }
    }
}
