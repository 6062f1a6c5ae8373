import Postgres

/// Reads spends and captures, with what is left of them after reversals.
package struct Redemptions: Sendable {
    private let pools: Pools

    init(_ pools: Pools) { self.pools = pools }

    /// The spend or capture with this journal entry, of any user.
    package func find(_ id: Int64) async throws(LedgerError) -> Redemption? {
        try await reading { try await pools.reads.run(Redemption.find([id])).first }
    }
}
