import Hummingbird
import HummingbirdCore
import Ledger
import Logging
import Metrics
import OutboundHTTP
import PGVerifier
import ServiceLifecycle
import Timing
import Traces
import UnixSignals

/// All parts of `ledgerd serve`, wired together.
///
/// Tests use it too.
struct App: Sendable {
    let responder: RouterResponder<LedgerdRequestContext>
    /// The routes of `admin_listen`; nil if it is not set.
    private let adminResponder: RouterResponder<LedgerdRequestContext>?
    /// All routes, such as `GET /v1/products`, without `/`, which leads a browser to the first page.
    let routes: [String]
    /// The console; nil if it is off.
    let console: (any AdminPages)?
    let ledger: Ledger
    private let drain: Drain
    private let transports: [CurlTransport]
    private let background: [any Service]
    /// What sends metrics and spans to collectors.
    private let exporters: [any Service]
    private let time: Time
    private let configuration: ServeConfiguration
    private let logger: Logger

    /// Opens the ledger and wires the parts; nothing runs yet.
    ///
    /// - Parameters:
    ///   - pages: the console.
    ///   - exporter: sends the metrics to a collector.
    ///   - time: the time that the whole app goes by.
    /// - Throws: ``LedgerError`` when the database can't be reached or has another schema version.
    static func build(
        _ configuration: ServeConfiguration, pages: any AdminPages.Type, metrics: PrometheusMetrics,
        exporter: MetricsExporter? = nil, traces: TraceExport? = nil, time: Time = .current, logger: Logger
    ) async throws -> App {
        try await Time.$current.withValue(time) {
            try await wire(configuration, pages, metrics, exporter, traces, logger)
        }
    }

    private static func wire(
        _ configuration: ServeConfiguration, _ pages: any AdminPages.Type, _ metrics: PrometheusMetrics,
        _ exporter: MetricsExporter?, _ traces: TraceExport?, _ logger: Logger
    ) async throws -> App {
        let committed = Wakeup()
        let ledger = try await openLedger(configuration, logger: logger, onCommit: committed.ring)
        let transport = CurlTransport(configuration.gateways)
        let gateways = try Gateways.build(
            configuration.gateways, transport: traces?.tracing(transport) ?? transport, logger: logger)
        let policy = VerdictPolicy(allowTestPayments: configuration.gateways.allowTestPayments)
        let crediter = ReceiptCrediter(
            gateways: gateways, ledger: ledger,
            rules: ReceiptRules(
                policy: policy, requireOrders: configuration.requireOrders, lifetimes: configuration.coinLifetimes,
                claims: configuration.claims, forgettingKey: configuration.forgettingRules.key,
                timeZone: try configuration[Settings.books.timeZone]))
        let reviewer = PaymentReviewer(
            crediter: crediter, usedBonus: configuration.refundPolicy.usedBonus,
            freezesDisputed: try configuration[Settings.coins.freezeDisputed],
            grace: try configuration[Settings.coins.returnGrace], logger: logger)
        let tokens = try await configuration.jwt.makeVerifier(transport: transport)
        let refunds = RefundDesk(
            ledger: ledger,
            work: WorkService(
                list: ledger.refunds,
                worker: RefundWorker(driver: RefundDriver(gateways: gateways, ledger: ledger, logger: logger)),
                logger: logger),
            gateways: gateways, policy: configuration.refundPolicy)
        let desks = Desks(
            acts: KeyedActs(ledger: ledger, running: RunningKeys()), refunds: refunds, reviewer: reviewer,
            grantLimits: configuration.grantLimits, giftSettings: configuration.giftSettings,
            providerWithholding: try configuration[Settings.coins.providerWithholding],
            returnGrace: try configuration[Settings.coins.returnGrace],
            custody: CustodyWatch(prepaid: ledger.prepaid, rules: configuration.prepaidRules, logger: logger),
            forgettingRules: configuration.forgettingRules)
        let readers = EventReaders(logger: logger) { try await ledger.events.last() }
        let drain = Drain(for: try configuration[Settings.http.shutdownDrain], onBegin: readers.close)
        let zone = try configuration[Settings.books.timeZone]
        let reconciler = Reconciler(crediter: crediter, reviewer: reviewer, logger: logger)
        let retries = WorkService(
            list: ledger.retries, worker: ReceiptRetryWorker(crediter: crediter), logger: logger)
        let questionRules = try RefundQuestionRules(configuration)
        let webhooks = WorkService(
            list: ledger.webhooks, worker: WebhookWorker(reviewer: reviewer, questions: questionRules), logger: logger)
        let topUps = WorkService(
            list: ledger.pendingTopUps,
            worker: TopUpWorker(
                driver: TopUpDriver(reviewer: reviewer, rules: try TopUpRules(configuration), logger: logger)),
            logger: logger)
        let campaigns = WorkService(
            list: ledger.campaignRuns, worker: CampaignWorker(ledger: ledger, logger: logger), logger: logger)
        let storeDeliveries = WorkService(
            list: ledger.storeDeliveries, worker: StoreDeliveryWorker(gateways: gateways, ledger: ledger),
            logger: logger)
        let refundQuestions = WorkService(
            list: ledger.refundQuestions,
            worker: RefundQuestionWorker(gateways: gateways, ledger: ledger, rules: questionRules), logger: logger)
        let endpointTransport = CurlTransport(configuration.endpoints)
        let endpoints = configuration.endpoints.keys.map { keys in
            EndpointSender(
                ledger: ledger, keys: keys, urls: EndpointURL(addressGuard: configuration.endpoints.addressGuard),
                transport: endpointTransport)
        }
        let deliveries = endpoints.map { DeliveryService($0, logger: logger) }
        let wakeups =
            [
                retries.wakeup, webhooks.wakeup, refunds.work.wakeup, topUps.wakeup, campaigns.wakeup,
                storeDeliveries.wakeup, refundQuestions.wakeup,
                (list: "event", readers.wakeup),
            ] + (deliveries?.wakeups ?? [])
        var background: [any Service] = [
            // It stops last, because the leases of the others end with its session.
            WorkCallService(ledger: ledger, wakeups: wakeups, logger: logger),
            LeaseService(ledger: ledger, logger: logger),
            retries, webhooks,
            RetentionService(
                ledger: ledger, webhookRetention: try configuration[Settings.webhooks.retention], logger: logger),
            refunds, topUps, campaigns, storeDeliveries, refundQuestions,
            EventPublishingService(ledger: ledger, wakeup: committed, logger: logger), readers,
            ExpiryService(ledger: ledger, logger: logger),
            ChainService(
                ledger: ledger, key: try configuration[Settings.books.sealKey], timeZone: zone, logger: logger),
            ReconciliationService(
                reconciler: reconciler,
                schedule: DailySchedule(at: try configuration[Settings.books.reconcileAt], in: zone), logger: logger),
            desks.custody,
            FindingsWatch(ledger: ledger, limits: configuration.hourlyLimits, logger: logger),
            SummaryService(ledger: ledger, logger: logger),
            AccountDaysService(ledger: ledger, timeZone: zone, logger: logger),
            LagMonitor(),
        ]
        if let key = configuration.forgettingRules.key {
            let worker = ForgettingWorker(ledger: ledger, key: key, periods: configuration.forgettingRules.periods)
            background.append(WorkService(list: ledger.pendingForgettings, worker: worker, logger: logger))
        }
        if let interval = configuration.gateways.sweepInterval {
            background.append(
                PaymentSweep(gateways: gateways.listing, interval: interval, logger: logger) {
                    _ = try await reviewer.follow($0)
                })
            let listing = gateways.listingNotifications
            if !listing.isEmpty {
                background.append(
                    NotificationSweep(
                        gateways: listing, interval: interval, logger: logger, store: NotificationStore(ledger.webhooks)
                    ))
            }
            if !gateways.tellingRefunds.isEmpty {
                background.append(
                    RefundSweep(gateways: gateways.tellingRefunds, interval: interval, logger: logger) {
                        try await ledger.stores.sold(by: $0, in: $1, after: $2)
                    } review: {
                        try await ledger.requestReview(of: $0, after: $1, type: $2)
                    })
            }
        }
        if let deliveries { background.append(deliveries) }
        if ledger.exports.source.hasReplica {
            background.append(ReplicaMonitor(source: ledger.exports.source, logger: logger))
        }
        if case .jwks(let location) = configuration.jwt.keys {
            let reader = JWKSReader(location: location, tokens: tokens, transport: transport, logger: logger)
            tokens.renewKeys { await reader.readForUnknownKey() }
            background.append(JWKSService(reader: reader, interval: configuration.jwt.refresh, logger: logger))
        }
        MetricsController.show(ledger, in: metrics)
        let monitoring = Monitoring(
            health: HealthController(ledger: ledger, drain: drain),
            metrics: MetricsController(metrics: metrics))
        let deps = try Deps(
            configuration, crediter: crediter, desks: desks, readers: readers, endpoints: endpoints,
            monitoring: monitoring)
        let router = try makeRouter(deps, tokens, traces?.recorder, drain)
        let adminRouter = try configuration[Settings.http.adminListen].map { _ in
            let environment = configuration.console?.environment ?? .production
            return monitoring.router(drain: drain) { try pages.render($0, $1, $2, in: environment) }
        }
        var console: (any AdminPages)?
        if let adminRouter, let settings = configuration.console {
            let live = LiveController(ledger: ledger, metrics: metrics, gateways: gateways.all.map(\.name))
            let made = pages.init(
                settings, desks: desks, live: live, endpoints: endpoints, transport: transport, logger: logger)
            made.add(to: adminRouter)
            console = made
        }
        // The router adds HEAD for each GET by itself.
        let declared = (router.routes + (adminRouter?.routes ?? [])).filter { $0.method != .head }
        let routes = Set(declared.map(\.description)).sorted()
        // For a person who opens the bare address in a browser; they are no part of the API.
        router.get("/") { _, _ in Response.seeOther("/docs") }
        let page = configuration.console == nil ? "/health/ready" : "/console"
        adminRouter?.get("/") { _, _ in Response.seeOther(page) }
        router.refuseOtherMethods()
        adminRouter?.refuseOtherMethods()
        let exporters: [(any Service)?] = [traces?.exporter, exporter]
        return App(
            responder: router.buildResponder(), adminResponder: adminRouter?.buildResponder(), routes: routes,
            console: console, ledger: ledger, drain: drain, transports: [transport, endpointTransport],
            background: background, exporters: exporters.compactMap(\.self), time: .current,
            configuration: configuration, logger: logger)
    }

    /// Runs until the process is told to stop, or the task is cancelled.
    ///
    /// When told to stop, it drains clients, refuses new requests, finishes running ones, stops background services,
    /// commits the queue and closes connections, in this order. When cancelled, it ends all that at once.
    ///
    /// - Parameters:
    ///   - signals: the signals that tell the process to stop.
    ///   - manager: the service manager, which gets watchdog messages.
    ///   - onReady: gets the ports that the service listens on.
    func run(
        stoppedBy signals: [UnixSignal], watchedBy manager: ServiceManager,
        onReady: @escaping @Sendable (Ports) async -> Void
    ) async throws {
        let shutdownDeadline = try configuration[Settings.http.shutdownDeadline]
        let background = background.map(OnceListening.init)
        let listeners = try makeListeners { ports in
            for service in background { service.begin() }
            await onReady(ports)
        }
        let books = LedgerService(ledger: ledger, transports: transports, drain: drain, logger: logger)
        let supervision = SupervisionService(
            manager: manager, shutdownDeadline: shutdownDeadline,
            writerTurn: { [ledger] in await ledger.writersTakeTurns() }, logger: logger)
        // Services stop in reverse order: exporters come first, so that the last commits are traced and counted too.
        let services: [any Service] =
            exporters + [books] + background.map { $0 as any Service } + listeners + [drain, supervision]
        var group = ServiceGroupConfiguration(
            services: services.map { .init(service: $0, serviceName: Self.name(of: $0)) },
            gracefulShutdownSignals: signals, logger: logger)
        group.maximumGracefulShutdownDuration = shutdownDeadline
        let running = ServiceGroup(configuration: group)
        try await Time.$current.withValue(time) { try await running.run() }
    }

    /// What the log calls a service.
    ///
    /// By default the library would write all that it holds: 60 kB.
    private static func name(of service: any Service) -> String {
        String(describing: type(of: (service as? OnceListening)?.service ?? service))
    }

    /// The listener of the API and, if it is set, the listener of monitoring, which closes last.
    ///
    /// - Parameter onAllListening: called once both listen.
    private func makeListeners(
        onAllListening: @escaping @Sendable (Ports) async -> Void
    ) throws -> [any Service] {
        let limits = try ServerLimits(configuration, openFiles: OpenFileLimit.raise(), logger: logger)
        let admin = try configuration[Settings.http.adminListen]
        let opening = Opening(awaitsAdmin: admin != nil, onAllListening: onAllListening)
        let api = Listener(
            address: try configuration[Settings.http.listen], responder: responder, limits: limits, logger: logger
        ) { await opening.opened(api: $0) }
        guard let admin, let adminResponder else { return [api] }
        let monitoring = Listener(
            address: admin, responder: adminResponder, limits: limits.forAdmin, metrics: NOOPMetricsHandler.instance,
            logger: logger
        ) { await opening.opened(admin: $0) }
        return [monitoring, api]
    }
}

/// Keeps the ledger open while the other services run, and closes it after them.
private struct LedgerService: Service {
    let ledger: Ledger
    let transports: [CurlTransport]
    let drain: Drain
    let logger: Logger

    func run() async throws {
        do {
            try await gracefulShutdown()
        } catch {
            // This is no failure: clients without a response repeat their requests, and all confirmed acts are in
            // the books. A service that could not start is cancelled too, and had no requests.
            if drain.isUnderWay {
                logger.warning("the shutdown deadline has passed; running requests were cancelled")
            }
        }
        await ledger.close()
        for transport in transports { transport.shutdown() }
    }
}
