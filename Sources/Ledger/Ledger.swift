package import Logging
package import Postgres

/// The books: acts go in, answers, balances and histories come out.
package final class Ledger: Sendable {
    /// What is sold.
    package let products: Products
    /// What users are about to pay.
    package let orders: Orders
    /// Receipts that wait for the gateway.
    package let retries: ReceiptRetries
    /// Receipts that the gateway knew nothing of, by user.
    package let refusals: ReceiptRefusals
    /// What gateways told us unasked.
    package let webhooks: WebhookRecords
    /// What users have, and what providers have earned.
    package let balances: Balances
    /// The history of each user's coins.
    package let statements: Statements
    /// Payments that became coins.
    package let purchases: Purchases
    /// Coins that came together and leave in order.
    package let lots: Lots
    /// Coins that are set aside for someone.
    package let holds: Holds
    /// Coins that users owe.
    package let debts: Debts
    /// Payments given back on our order.
    package let refunds: Refunds
    /// Entries with their postings.
    package let journal: Journal
    /// What callers gave, where that is bounded.
    package let grantCounts: GrantCounts
    /// Payouts of the gateway: settlement files that were imported, and what is outstanding.
    package let settlements: Settlements
    /// Comparisons of the gateways' payments with the books.
    package let reconciliations: Reconciliations
    /// What finance should look at.
    package let findings: Findings
    /// What of the books is closed.
    package let periods: ClosedPeriods
    /// What keeps the journal from being changed unseen.
    package let chain: Chain
    /// What proves it elsewhere.
    package let seals: Seals
    /// What finance takes out of the books.
    package let exports: Exports

    private let pool: PostgresPool
    let database: PostgresConfiguration
    private let migrator: Migrator
    private let queues: PostingQueues

    private init(configuration: LedgerConfiguration, chart: SystemChart, migrator: Migrator, logger: Logger) {
        let pool = PostgresPool(configuration.database.forReading, size: configuration.readConnections)
        let queues = PostingQueues(configuration, chart: chart, logger: logger)
        self.pool = pool
        database = configuration.database
        self.migrator = migrator
        self.queues = queues
        products = Products(pool: pool)
        orders = Orders(pool: pool)
        retries = ReceiptRetries(pool: pool)
        refusals = ReceiptRefusals(pool: pool)
        webhooks = WebhookRecords(pool: pool)
        balances = Balances(pool: pool, stripes: chart.stripes)
        statements = Statements(pool: pool)
        purchases = Purchases(pool: pool)
        lots = Lots(pool: pool)
        holds = Holds(pool: pool)
        debts = Debts(pool: pool)
        refunds = Refunds(pool: pool)
        journal = Journal(pool: pool)
        grantCounts = GrantCounts(pool: pool)
        settlements = Settlements(pool: pool, chart: chart, queues: queues)
        reconciliations = Reconciliations(pool: pool)
        findings = Findings(pool: pool)
        periods = ClosedPeriods(pool: pool)
        chain = Chain(pool: pool)
        seals = Seals(pool: pool, chain: chain)
        exports = Exports(database: configuration.database)
    }

    /// Opens the ledger of a database whose schema is this binary's.
    ///
    /// - Throws: ``LedgerError/Code/schema`` when a migration is pending, altered or unknown;
    ///   ``LedgerError/Code/unavailable`` when the database can't be reached; ``LedgerError/Code/fault`` when it was
    ///   restored in a way that would break the chain.
    package static func open(_ given: LedgerConfiguration, logger: Logger) async throws(LedgerError) -> Ledger {
        var configuration = given
        configuration.database.noticeHandler = { notice in
            guard notice.severity == "WARNING" else { return }
            logger.warning(
                "PostgreSQL warns",
                metadata: ["condition": "\(notice.sqlState?.name ?? "")", "message": "\(notice.message)"])
        }
        let migrator = Migrator(configuration: configuration.database)
        let chart = try await reading {
            try await PostgresConnection.with(configuration.database) { connection in
                try await migrator.requireCurrent(on: connection)
                try await Chain.requireOrder(on: connection)
                return try await SystemChart.load(from: connection)
            }
        }
        return Ledger(configuration: configuration, chart: chart, migrator: migrator, logger: logger)
    }

    /// Performs an act, together with those that arrive at the same time, and returns when it is on disk.
    ///
    /// - Throws: ``LedgerError``; see its codes for what the caller may conclude.
    package func submit<A: Act>(_ act: A) async throws(LedgerError) -> Answer<A.Success> {
        try await queues.submit(act)
    }

    /// Whether an act is recorded under the key, so that whoever names it again is answered with that.
    package func hasRecorded(_ key: CallerKey) async throws(LedgerError) -> Bool {
        try await reading { try await !pool.run(RecordedOutcome.under([key])).isEmpty }
    }

    /// How many acts wait, over all queues.
    package var queueDepth: Int {
        get async { await queues.depth }
    }

    /// How the connections that read stand.
    package var readConnections: PostgresPool.Statistics {
        get async { await pool.statistics }
    }

    /// Refuses further acts, commits those that wait, and closes the connections.
    package func close() async {
        await queues.close()
        await balances.close()
        await purchases.close()
        await statements.close()
        await orders.close()
        await pool.close()
    }

    /// Whether the database answers, its schema is this binary's, and what is written comes after what is in the chain.
    ///
    /// - Throws: why not.
    package func requireReady() async throws(LedgerError) {
        try await reading {
            try await pool.withConnection { [migrator] connection in
                try await migrator.requireCurrent(on: connection)
                try await Chain.requireOrder(on: connection)
            }
        }
    }

    /// Whether the role that the ledger was opened as can rewrite what is written: it owns the journal's tables, belongs
    /// to who does, is a superuser, or was granted too much.
    ///
    /// Triggers refuse that too, but an owner may drop them.
    package var canRewriteBooks: Bool {
        get async throws(LedgerError) {
            try await reading {
                try await pool.run(ServiceRole.canRewriteBooks)
            }
        }
    }
}
