import Batching
package import Foundation
import Postgres

/// Reads the balances of users and the earnings of providers.
package struct Balances: Sendable {
    private let pools: Pools
    private let stripes: Int64
    private let current: BatchQueue<UserID, Balance>

    init(_ pools: Pools, stripes: Int64) {
        self.pools = pools
        self.stripes = stripes
        current = pools.sharedLookups { users in
            Balance.assemble(users, from: try await pools.lookups.run(Balance.of(users)))
        }
    }

    /// The user's current balance.
    ///
    /// Concurrent look-ups share one query.
    package func find(of user: UserID) async throws(LedgerError) -> Balance {
        try await reading { try await current.submit(user) }
    }

    /// The user's balance from everything recorded up to the moment, and nothing later.
    package func find(of user: UserID, at moment: Date) async throws(LedgerError) -> Balance {
        try await reading {
            let rows = try await pools.reads.run(Balance.of([user], at: moment))
            return Balance.assemble([user], from: rows)[0]
        }
    }

    /// The current balances of the users, in the same order.
    package func list(of users: [UserID]) async throws(LedgerError) -> [Balance] {
        try await reading { Balance.assemble(users, from: try await pools.reads.run(Balance.of(users))) }
    }

    /// The coins that a provider has earned from users of all stripes.
    package func earnings(of provider: UserID) async throws(LedgerError) -> Int64 {
        let codes = (0..<stripes).map { AccountCode.earnings(of: provider, Stripe(number: $0)) }
        return try await reading { try await pools.reads.run(Account.balances(codes)).reduce(0, +) }
    }

    /// Stops the queues of shared look-ups.
    func close() async { await current.close() }
}
