import Batching
public import Foundation
public import Logging
import Postgres

/// The books: commands go in, outcomes, balances and histories come out.
public final class Ledger: Sendable {
    /// What is sold.
    public let shop: CoinShop
    /// Receipts that wait for the gateway.
    public let retries: ReceiptRetries
    /// What gateways told us unasked.
    public let webhooks: WebhookRecords
    /// What finance should look at.
    public let findings: Findings
    /// Comparisons of the gateways' payments with the books.
    public let reconciliations: Reconciliations
    /// Statements of payouts that were imported.
    public let settlements: Settlements

    let pool: PostgresPool
    /// The accounts `gateway:receivable`, one of each stripe.
    let receivableAccounts: [Int64]
    private let migrator: Migrator
    private let stripes: Int64
    private let queues: [PostingQueue]
    private let balances: BatchQueue<UserID, Balance>
    private let purchases: BatchQueue<PaymentIdentity, Purchase?>

    private init(configuration: LedgerConfiguration, chart: SystemChart, migrator: Migrator, logger: Logger) {
        let pool = PostgresPool(configuration.database, size: configuration.readConnections)
        self.pool = pool
        self.migrator = migrator
        shop = CoinShop(pool: pool)
        retries = ReceiptRetries(pool: pool)
        webhooks = WebhookRecords(pool: pool)
        findings = Findings(pool: pool)
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
    ///   ``LedgerError/Code/unavailable`` when the database can't be reached.
    public static func open(_ configuration: LedgerConfiguration, logger: Logger) async throws(LedgerError) -> Ledger {
        let migrator = Migrator(configuration: configuration.database)
        let chart = try await reading {
            let connection = try await PostgresConnection.connect(configuration.database)
            do {
                try await migrator.requireCurrent(on: connection)
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

    /// Performs a command, together with those that arrive at the same time, and returns when it is on disk.
    ///
    /// - Throws: ``LedgerError``; see its codes for what the caller may conclude.
    public func submit(_ command: Command) async throws(LedgerError) -> Answer {
        let stripe = Stripe(of: command.user, among: stripes)
        return try await queues[Int(stripe.number) % queues.count].submit(command)
    }

    /// How many commands wait, over all queues.
    public var queueDepth: Int {
        get async {
            var depth = 0
            for queue in queues { depth += await queue.depth }
            return depth
        }
    }

    /// Refuses further commands, commits those that wait, and closes the connections.
    public func close() async {
        for queue in queues { await queue.close() }
        await balances.close()
        await purchases.close()
        await pool.close()
    }

    /// Whether the database answers and its schema is this binary's.
    ///
    /// - Throws: why not.
    public func requireReady() async throws(LedgerError) {
        try await reading {
            try await pool.withConnection { [migrator] connection in
                try await migrator.requireCurrent(on: connection)
            }
        }
    }
}

// MARK: - Reading

extension Ledger {
    /// What the user has now.
    ///
    /// Look-ups at the same time share one query.
    public func balance(of user: UserID) async throws(LedgerError) -> Balance {
        try await reading { try await balances.submit(user) }
    }

    /// What each of the users has now, in their order.
    public func balances(of users: [UserID]) async throws(LedgerError) -> [Balance] {
        try await reading { Balance.assemble(users, from: try await pool.run(Balance.of(users))) }
    }

    /// What the user had when everything recorded by that moment was counted, and nothing later.
    public func balance(of user: UserID, at moment: Date) async throws(LedgerError) -> Balance {
        try await reading {
            let rows = try await pool.run(Balance.of([user], at: moment))
            return Balance.assemble([user], from: rows)[0]
        }
    }

    /// The purchase that this payment became, whoever's it is.
    ///
    /// Look-ups at the same time share one query.
    public func purchase(of payment: PaymentIdentity) async throws(LedgerError) -> Purchase? {
        try await reading { try await purchases.submit(payment) }
    }

    /// The user's own purchase with this id; nil when there is none or it is another's.
    public func purchase(_ id: Int64, of user: UserID) async throws(LedgerError) -> Purchase? {
        try await reading { try await pool.run(Purchase.find(id, of: user)).first }
    }

    /// The user's purchases, newest first.
    public func purchases(
        of user: UserID, after cursor: PurchaseCursor? = nil, limit: Int
    ) async throws(LedgerError) -> Page<Purchase, PurchaseCursor> {
        try await reading {
            let found = try await pool.run(Purchase.history(of: user, after: cursor, limit: limit))
            return Page(found, limit: limit) { shown in shown.last.map(PurchaseCursor.init(after:)) }
        }
    }

    /// The movements of the user's coins, newest first.
    public func statement(
        of user: UserID, after cursor: StatementCursor? = nil, limit: Int
    ) async throws(LedgerError) -> Page<StatementEntry, StatementCursor> {
        try await reading {
            let found = try await pool.run(StatementEntry.statement(of: user, after: cursor, limit: limit))
            return Page(found, limit: limit) { shown in StatementCursor(after: shown, following: cursor) }
        }
    }

    /// The journal entry with this id and its postings.
    public func journalRecord(_ id: Int64) async throws(LedgerError) -> JournalRecord? {
        try await reading {
            try await pool.withConnection { connection in
                let (heads, lines) = try await connection.pipeline(JournalRecord.head(id), JournalRecord.lines(of: id))
                guard var record = heads.first else { return nil }
                record.lines = lines
                return record
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
