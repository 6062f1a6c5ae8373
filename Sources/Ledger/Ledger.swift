import Batching
import Foundation
package import Logging
import Postgres

/// The books: acts go in, answers, balances and histories come out.
package final class Ledger: Sendable {
    /// What is sold.
    package let shop: CoinShop
    /// What users are about to pay.
    package let orders: Orders
    /// Receipts that wait for the gateway.
    package let retries: ReceiptRetries
    /// Receipts that the gateway knew nothing of, by user.
    package let refusals: ReceiptRefusals
    /// What gateways told us unasked.
    package let webhooks: WebhookRecords
    /// What finance should look at.
    package let findings: Findings
    /// What callers gave, where that is bounded.
    package let grantCounts: GrantCounts
    /// What of the books is closed.
    package let periods: ClosedPeriods
    /// What keeps the journal from being changed unseen.
    package let chain: Chain
    /// What proves it elsewhere.
    package let seals: Seals
    /// Payments given back on our order.
    package let refunds: Refunds
    /// What finance takes out of the books.
    package let exports: Exports
    /// Comparisons of the gateways' payments with the books.
    package let reconciliations: Reconciliations
    /// Statements of payouts that were imported.
    package let settlements: Settlements

    let pool: PostgresPool
    /// The accounts `gateway:receivable`, one of each stripe.
    let receivableAccounts: [Int64]
    private let migrator: Migrator
    let stripes: Int64
    private let queues: [PostingQueue]
    let balances: BatchQueue<UserID, Balance>
    let purchases: BatchQueue<PaymentIdentity, Purchase?>
    let purchasePages: BatchQueue<PurchaseQuestion, Page<RefundablePurchase, PurchaseCursor>>
    let statementPages: BatchQueue<StatementQuestion, [StatementLine]>

    private init(configuration: LedgerConfiguration, chart: SystemChart, migrator: Migrator, logger: Logger) {
        let pool = PostgresPool(configuration.database.forReading, size: configuration.readConnections)
        self.pool = pool
        self.migrator = migrator
        shop = CoinShop(pool: pool)
        orders = Orders(pool: pool)
        retries = ReceiptRetries(pool: pool)
        refusals = ReceiptRefusals(pool: pool)
        webhooks = WebhookRecords(pool: pool)
        findings = Findings(pool: pool)
        grantCounts = GrantCounts(pool: pool)
        periods = ClosedPeriods(pool: pool)
        chain = Chain(pool: pool)
        seals = Seals(pool: pool, chain: chain)
        refunds = Refunds(pool: pool)
        exports = Exports(database: configuration.database)
        reconciliations = Reconciliations(pool: pool)
        settlements = Settlements(pool: pool)
        receivableAccounts = chart.ids(of: .gatewayReceivable)
        stripes = chart.stripes
        queues = (0..<max(1, configuration.writers)).map { _ in
            let writer = LedgerWriter(
                configuration: configuration.database, chart: chart, lotOrder: configuration.lotOrder, logger: logger)
            return PostingQueue(writer: writer, batchLimit: configuration.batchLimit)
        }
        balances = BatchQueue(capacity: 8192, batchLimit: 1024) { users in
            await answering(users) { Balance.assemble(users, from: try await pool.run(Balance.of(users))) }
        }
        // Few pages at a time, for each is many rows; and two such batches, so that a long one does not hold the others up.
        purchasePages = BatchQueue(capacity: 8192, batchLimit: 64, concurrency: 2) { questions in
            await answering(questions) { try await RefundablePurchase.pages(questions, from: pool) }
        }
        statementPages = BatchQueue(capacity: 8192, batchLimit: 64, concurrency: 2) { questions in
            await answering(questions) { try await StatementLine.newest(questions, from: pool) }
        }
        purchases = BatchQueue(capacity: 8192, batchLimit: 1024) { payments in
            await answering(payments) {
                let found = try await pool.run(Purchase.sharing(payments))
                let byPayment = Dictionary(found.map { ($0.payment.key, $0) }, uniquingKeysWith: { first, _ in first })
                let byOrder = Dictionary(
                    found.map { ($0.payment.orderKey, $0) }, uniquingKeysWith: { first, _ in first })
                // A V2 receipt names the payment by the order's id: the transaction's is known from the gateway only.
                return payments.map { byPayment[$0.key] ?? ($0.paymentID == nil ? nil : byOrder[$0.orderKey]) }
            }
        }
    }

    /// Opens the ledger of a database whose schema is this binary's.
    ///
    /// - Throws: ``LedgerError/Code/schema`` when a migration is pending, altered or unknown;
    ///   ``LedgerError/Code/unavailable`` when the database can't be reached; ``LedgerError/Code/fault`` when it was
    ///   restored in a way that would break the chain.
    package static func open(_ configuration: LedgerConfiguration, logger: Logger) async throws(LedgerError) -> Ledger {
        let migrator = Migrator(configuration: configuration.database)
        let chart = try await reading {
            let connection = try await PostgresConnection.connect(configuration.database)
            do {
                try await migrator.requireCurrent(on: connection)
                try await Chain.requireOrder(on: connection)
                let chart = try await SystemChart.load(from: connection)
                await connection.close()
                return chart
            } catch {
                await connection.close()
                throw error
            }
        }
        return Ledger(configuration: configuration, chart: chart, migrator: migrator, logger: logger)
    }

    /// Performs an act, together with those that arrive at the same time, and returns when it is on disk.
    ///
    /// - Throws: ``LedgerError``; see its codes for what the caller may conclude.
    package func submit<A: Act>(_ act: A) async throws(LedgerError) -> Answer<A.Success> {
        let stripe = Stripe(of: act.user, among: stripes)
        return try Answer(try await queues[Int(stripe.number) % queues.count].submit(act))
    }

    /// How many acts wait, over all queues.
    package var queueDepth: Int {
        get async {
            var depth = 0
            for queue in queues { depth += await queue.depth }
            return depth
        }
    }

    /// Refuses further acts, commits those that wait, and closes the connections.
    package func close() async {
        for queue in queues { await queue.close() }
        await balances.close()
        await purchases.close()
        await purchasePages.close()
        await statementPages.close()
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
}

extension PaymentIdentity {
    /// What tells the payment from all others, whatever order it is said to be for.
    var key: [ExactText] { [ExactText(gateway), ExactText(impUID)] }
    /// What tells its order from all others.
    fileprivate var orderKey: [ExactText] { [ExactText(gateway), ExactText(merchantUID)] }
}
