import Postgres

/// Previews acts: plans them on the books as they are now, and stores nothing.
///
/// So a preview is what the act would do at this moment, or its refusal, by the act's own rules. It waits for the locks
/// of its stripe as the act would, and holds them until it is planned.
package struct ActPreviews: Sendable {
    private let pools: Pools
    private let chart: SystemChart
    private let lotOrdering: LotOrdering
    private let vatSettings: VATSettings
    private let coinDays: CoinDays
    private let lotLimits: LotLimits

    init(_ pools: Pools, _ configuration: LedgerConfiguration, chart: SystemChart) {
        self.pools = pools
        self.chart = chart
        lotOrdering = configuration.lotOrdering
        vatSettings = configuration.vatSettings
        coinDays = configuration.coinDays.inForce(in: chart)
        lotLimits = configuration.lotLimits
    }

    /// The answer that the act would get now.
    ///
    /// The ids in it are of no records.
    package func preview<A: Act>(_ act: A) async throws(LedgerError) -> Answer<A.Success> {
        let planned = try await reading {
            try await pools.writes.withConnection { connection in
                let store = BatchStore(
                    connection: connection, chart: chart, leaseHolder: nil, lotOrdering: lotOrdering,
                    vatSettings: vatSettings, coinDays: coinDays, lotLimits: lotLimits)
                do {
                    let plan = try await store.plan([act], ids: RecordIDs())
                    try await store.rollBack()
                    return plan.answers
                } catch {
                    try? await store.rollBack()
                    throw error
                }
            }
        }
        guard let answer = planned.first else { throw .unexpected("a preview has no answer") }
        return try Answer(try answer.get())
    }
}
