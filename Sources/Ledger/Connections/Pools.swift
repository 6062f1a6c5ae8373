import Batching
import Postgres

/// The connections of a ledger besides those of its writers.
///
/// Each kind of use has its own pool, so that none waits for another. While PostgreSQL waits for a standby, every
/// write keeps its connection, and reads go on.
struct Pools: Sendable {
    /// Look-ups by key, which most requests make.
    let lookups: PostgresPool
    /// Lists and reports, and the little that a page writes before it is shown: see ``beginForPage``.
    let reads: PostgresPool
    /// Writes that a caller waits for and that are no acts: orders, products, findings, settlement files.
    let writes: PostgresPool
    /// Proposals and withdrawals of payouts, which may be of many captures.
    let payouts: PostgresPool
    /// Previews and bookings of month-end adjustments and of reports of sums, which read all purchases.
    let adjusting: PostgresPool
    /// Work lists, events from gateways, reconciliation, chain and seals.
    let work: PostgresPool
    /// Deliveries of events to endpoints.
    let deliveries: PostgresPool
    /// What readers of events ask.
    let events: PostgresPool
    /// The publisher of events.
    let publishing: PostgresPool
    /// How long a caller waits for a look-up by key.
    let lookupPatience: Duration

    init(_ configuration: LedgerConfiguration) {
        lookupPatience = configuration.lookupPatience
        let forLookups = configuration.database.forLookups(within: lookupPatience)
        // A caller who may wait longer for a look-up may as well wait longer for a connection.
        let patience = max(.seconds(5), lookupPatience)
        func pool(_ database: PostgresConfiguration, size: Int) -> PostgresPool {
            PostgresPool(database, size: size, patience: patience)
        }
        lookups = pool(forLookups, size: LedgerConfiguration.lookupConnections)
        reads = pool(configuration.database.forReading, size: configuration.readConnections)
        writes = pool(configuration.database.forCallersWrites, size: LedgerConfiguration.writeConnections)
        payouts = pool(configuration.database.forPayouts, size: 1)
        adjusting = pool(configuration.database.forAdjusting, size: 1)
        work = pool(configuration.database.forReading, size: LedgerConfiguration.workConnections)
        deliveries = pool(forLookups, size: LedgerConfiguration.deliveryConnections)
        events = pool(forLookups, size: LedgerConfiguration.eventConnections)
        publishing = pool(configuration.database.forPublishing, size: 1)
    }

    /// Look-ups by key: those that arrive together share one query, and a caller waits for one no longer than is set.
    func sharedLookups<Key: Sendable, Found: Sendable>(
        atMost limit: Int = 1024, _ find: @escaping @Sendable ([Key]) async throws -> [Found]
    ) -> BatchQueue<Key, Found> {
        BatchQueue(capacity: 8192, batchLimit: limit, patience: lookupPatience) { keys in
            await answering(keys) { try await find(keys) }
        }
    }

    private var all: [(name: String, pool: PostgresPool)] {
        [
            ("lookups", lookups), ("reads", reads), ("writes", writes), ("payouts", payouts),
            ("adjusting", adjusting), ("work", work), ("events", events), ("publishing", publishing),
            ("deliveries", deliveries),
        ]
    }

    /// Begins a transaction for which a page waits, so that it waits neither for a standby nor long for a lock.
    ///
    /// A failover or a crash may lose it although it is committed.
    static let beginForPage = "BEGIN; SET LOCAL synchronous_commit = off; SET LOCAL lock_timeout = '1s'"

    /// The present state of each pool, by its name.
    var statistics: [(pool: String, statistics: PostgresPool.Statistics)] {
        all.map { ($0.name, $0.pool.statistics) }
    }

    func close() async {
        for (_, pool) in all { await pool.close() }
    }
}
