package import Logging
package import Postgres

/// The ledger: performs acts, and reads balances and histories.
package final class Ledger: Sendable {
    /// The products of the shop.
    package let products: Products
    /// Users' purchase orders.
    package let orders: Orders
    /// Payments that gateways show, with their orders, products and claims.
    package let shownPayments: ShownPayments
    /// Receipts that wait for the gateway.
    package let retries: ReceiptRetries
    /// Counts of receipts that the gateway did not know, by user.
    package let refusals: ReceiptRefusals
    /// Webhook events of the gateways.
    package let webhooks: WebhookRecords
    /// The URLs that events are sent to.
    package let endpoints: Endpoints
    /// The delivery of events to endpoints.
    package let deliveries: Deliveries
    /// Balances of users and earnings of providers.
    package let balances: Balances
    /// Whom ids of users refer to.
    package let merges: Merges
    package let balanceAlerts: BalanceAlerts
    /// Products of stores, and the tokens by which purchases there name users.
    package let stores: Stores
    /// Purchases of which stores are to be told that they are delivered.
    package let storeDeliveries: StoreDeliveries
    /// Questions of stores about refunds.
    package let refundQuestions: RefundQuestions
    /// Purchases in stores that cost nothing.
    package let freePurchases: FreePurchases
    /// Users' consents to automatic top-up.
    package let topUps: TopUps
    /// Charges of automatic top-up that wait.
    package let pendingTopUps: PendingTopUps
    /// Coins that are given to many users.
    package let campaigns: Campaigns
    /// The runs of campaigns that are not over.
    package let campaignRuns: CampaignRuns
    /// Users who are to be forgotten, and who were.
    package let forgettings: Forgettings
    /// Users who are to be forgotten, when their time has come.
    package let pendingForgettings: PendingForgettings
    /// Users' statements.
    package let statements: Statements
    /// Credited payments.
    package let purchases: Purchases
    /// Coins by acquisition.
    package let lots: Lots
    /// Held coins.
    package let holds: Holds
    /// Coins that users gave to each other.
    package let gifts: Gifts
    /// Spends and captures, for reversals.
    package let redemptions: Redemptions
    /// Providers' terms, and what is owed to them.
    package let providers: Providers
    /// Payouts to providers.
    package let payouts: Payouts
    /// Coins that users owe.
    package let debts: Debts
    /// Refunds that callers requested.
    package let refunds: Refunds
    package let disputes: Disputes
    /// Journal entries with their postings.
    package let journal: Journal
    /// Counts for the daily limit of grants per caller.
    package let grantCounts: GrantCounts
    /// The gateway's payouts: settlement files and outstanding payments.
    package let settlements: Settlements
    /// Comparisons of the gateways' payments with the books.
    package let reconciliations: Reconciliations
    /// Payments for finance to examine.
    package let findings: Findings
    /// Closed periods.
    package let periods: ClosedPeriods
    /// The hash chain, which reveals changes of the journal.
    package let chain: Chain
    /// Signed states of the chain.
    package let seals: Seals
    /// What happened, in order.
    package let events: Events
    /// Reports for finance.
    package let exports: Exports
    /// Finds customers by any name.
    package let search: Search
    /// Who is signed in to the console.
    package let sessions: ConsoleSessions
    /// What was done in the console.
    package let audit: AuditRecords
    /// Acts that need a second person.
    package let approvals: Approvals
    /// What support wrote down about customers.
    package let notes: CustomerNotes
    /// Everything that happened to a customer.
    package let timeline: Timeline
    /// Figures for finance, and what is open.
    package let figures: Figures
    /// Debits and credits by day and kind of account.
    package let accountDays: AccountDays
    /// Prepaid means, and what is kept apart for them.
    package let prepaid: Prepaid
    /// Accounting policies, and adjustments at the ends of months.
    package let adjustments: Adjustments
    /// Revaluations of what is open in foreign currencies, at the ends of months.
    package let revaluations: Revaluations
    /// Rates of foreign currencies.
    package let rates: Rates
    /// What acts would do.
    package let previews: ActPreviews

    let pools: Pools
    let presence = Presence()
    let database: PostgresConfiguration
    private let migrator: Migrator
    private let queues: PostingQueues

    private init(configuration: LedgerConfiguration, chart: SystemChart, migrator: Migrator, logger: Logger) {
        let pools = Pools(configuration)
        let queues = PostingQueues(configuration, chart: chart, presence: presence, logger: logger)
        self.pools = pools
        database = configuration.database
        self.migrator = migrator
        self.queues = queues
        products = Products(pools)
        orders = Orders(pools)
        shownPayments = ShownPayments(pools)
        retries = ReceiptRetries(pools, presence)
        refusals = ReceiptRefusals(pools)
        webhooks = WebhookRecords(pools, presence)
        endpoints = Endpoints(pools)
        deliveries = Deliveries(pools, database: configuration.database)
        balances = Balances(pools, stripes: chart.stripes)
        merges = Merges(pools)
        statements = Statements(pools)
        purchases = Purchases(pools)
        lots = Lots(pools)
        holds = Holds(pools)
        gifts = Gifts(pools)
        redemptions = Redemptions(pools, configuration.lotLimits)
        providers = Providers(pools, stripes: chart.stripes)
        payouts = Payouts(pools)
        debts = Debts(pools)
        refunds = Refunds(pools, presence)
        disputes = Disputes(pools)
        balanceAlerts = BalanceAlerts(pools)
        stores = Stores(pools)
        storeDeliveries = StoreDeliveries(pools, presence)
        refundQuestions = RefundQuestions(pools, presence)
        topUps = TopUps(pools)
        pendingTopUps = PendingTopUps(pools, presence)
        campaigns = Campaigns(pools)
        campaignRuns = CampaignRuns(pools, presence)
        forgettings = Forgettings(pools)
        pendingForgettings = PendingForgettings(pools, presence)
        journal = Journal(pools, stripes: chart.stripes)
        grantCounts = GrantCounts(pools)
        freePurchases = FreePurchases(pools, queues: queues, merges: merges, counts: grantCounts)
        settlements = Settlements(
            pools, chart: chart, queues: queues, booksVAT: configuration.vatSettings.isBooked)
        reconciliations = Reconciliations(pools, presence)
        periods = ClosedPeriods(pools)
        chain = Chain(pools)
        seals = Seals(pools, chain: chain)
        events = Events(pools)
        figures = Figures(pools, chart: chart)
        findings = Findings(pools, figures: figures)
        accountDays = AccountDays(pools)
        prepaid = Prepaid(pools, figures: figures)
        adjustments = Adjustments(pools)
        revaluations = Revaluations(pools)
        rates = Rates(pools)
        previews = ActPreviews(pools, configuration, chart: chart)
        exports = Exports(
            BooksSource(configuration.database, replica: configuration.replica),
            booksVAT: configuration.vatSettings.isBooked)
        search = Search(pools)
        sessions = ConsoleSessions(pools)
        audit = AuditRecords(pools)
        approvals = Approvals(pools)
        notes = CustomerNotes(pools)
        timeline = Timeline(statements, retries, orders, notes)
    }

    /// Opens the ledger of a database that has this binary's schema.
    ///
    /// - Throws: ``LedgerError/Code/schema`` when a migration is pending, altered or unknown;
    ///   ``LedgerError/Code/unavailable`` when the database can't be reached; ``LedgerError/Code/fault`` when the
    ///   database was restored in a way that would break the chain.
    package static func open(_ given: LedgerConfiguration, logger: Logger) async throws(LedgerError) -> Ledger {
        var configuration = given
        configuration.database.succession = Succession()
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

    /// Refuses a database whose sessions a pooler shares between its clients.
    ///
    /// For a process that serves, before it opens the ledger.
    ///
    /// - Throws: ``LedgerError/Code/unavailable``, also when the database can't be reached.
    package static func requireOwnSessions(_ database: PostgresConfiguration) async throws(LedgerError) {
        try await reading { try await PostgresConnection.requireOwnSessions(database) }
    }

    /// Performs an act in a batch with concurrent acts, and returns after the commit.
    ///
    /// - Throws: ``LedgerError``. Its codes say what the caller can conclude.
    package func submit<A: Act>(_ act: A) async throws(LedgerError) -> Answer<A.Success> {
        try await queues.submit(act)
    }

    /// Whether an outcome is recorded under the idempotency key.
    package func hasRecorded(_ key: CallerKey) async throws(LedgerError) -> Bool {
        try await reading { try await !pools.lookups.run(RecordedOutcome.under([key])).isEmpty }
    }

    /// What an idempotency key was first used for; nil: no outcome is recorded under it.
    package func firstUse(of key: CallerKey) async throws(LedgerError) -> KeyUse? {
        try await reading { try await pools.lookups.run(RecordedOutcome.use(of: key)) }
    }

    /// The number of waiting acts in all queues.
    package var queueDepth: Int { queues.depth }

    /// The number of acts that wait or are being posted.
    package var actsUnderWay: Int { queues.underWay }

    /// Returns when each writer has run a task.
    package func writersTakeTurns() async { await queues.takeTurns() }

    /// The state of each pool of connections, by its name.
    package var connections: [(pool: String, statistics: PostgresPool.Statistics)] { pools.statistics }

    /// Refuses new acts, commits the waiting ones, and closes the connections.
    package func close() async {
        await queues.close()
        await balances.close()
        await merges.close()
        await purchases.close()
        await statements.close()
        await orders.close()
        await campaigns.close()
        await shownPayments.close()
        await pools.close()
    }

    /// Checks that the database responds, has this binary's schema, and would add new entries after those in the chain.
    ///
    /// - Throws: ``LedgerError`` when a check fails.
    package func requireReady() async throws(LedgerError) {
        try await reading {
            try await pools.reads.withConnection { [migrator] connection in
                try await migrator.requireCurrent(on: connection)
                try await Chain.requireOrder(on: connection)
            }
        }
    }

    /// Whether the ledger's database role can rewrite entries: it owns the journal's tables, is a member of the owner,
    /// is a superuser, or has too many privileges.
    ///
    /// Triggers also refuse changes, but an owner can drop them.
    package var canRewriteBooks: Bool {
        get async throws(LedgerError) {
            try await reading {
                try await pools.reads.run(ServiceRole.canRewriteBooks)
            }
        }
    }
}
