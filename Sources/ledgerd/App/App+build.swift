import Hummingbird
import Ledger
import Logging
import Metrics
import NIOCore
import PGVerifier
import Postgres
import ServiceLifecycle

/// Wires everything that `serve` runs.
///
/// Tests call it too.
struct App: Sendable {
    /// What answers requests.
    let responder: RouterResponder<LedgerdRequestContext>
    let ledger: Ledger
    private let drain: Drain
    private let transport: CurlTransport
    private let retries: ReceiptRetryService
    private let configuration: ServeConfiguration
    private let logger: Logger

    /// Opens the ledger and puts the parts together; nothing runs yet.
    ///
    /// - Throws: ``LedgerError`` when the database can't be reached or its schema is not this binary's.
    static func build(
        _ configuration: ServeConfiguration, metrics: PrometheusMetrics, logger: Logger
    ) async throws -> App {
        let ledger = try await openLedger(configuration, logger: logger)
        let transport = CurlTransport()
        let gateway = try makeGateway(configuration, transport: transport, logger: logger)
        let verifier = ReceiptVerifier(
            gateway: gateway, ledger: ledger,
            policy: VerdictPolicy(allowTestPayments: configuration.allowTestPayments))
        let tokens = try await configuration.jwt.makeVerifier()
        let desk = ReceiptDesk(verifier: verifier, ledger: ledger)
        let drain = Drain(for: configuration.shutdownDrain)
        return App(
            responder: makeRouter(desk, ledger, tokens, metrics, drain).buildResponder(),
            ledger: ledger, drain: drain, transport: transport,
            retries: ReceiptRetryService(verifier: verifier, ledger: ledger, logger: logger),
            configuration: configuration, logger: logger)
    }

    /// Runs until the process is told to stop, then stops in order: clients are told to leave, no new requests, those
    /// that run are finished, the retries end, the queue is committed, the connections close.
    ///
    /// - Parameter onReady: told the port that is listened on.
    func run(onReady: @escaping @Sendable (Int) async -> Void = { _ in }) async throws {
        let http = Application(
            responder: responder,
            server: .http1(configuration: .init(idleTimeout: TimeAmount(configuration.idleTimeout))),
            configuration: .init(
                address: .hostname(configuration.listen.host, port: configuration.listen.port),
                serverName: "ledgerd"),
            onServerRunning: { channel in await onReady(channel.localAddress?.port ?? 0) },
            logger: logger)
        let services: [any Service] = [
            LedgerService(ledger: ledger, transport: transport, logger: logger), retries, http, drain,
        ]
        var group = ServiceGroupConfiguration(
            services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        group.maximumGracefulShutdownDuration = configuration.shutdownDeadline
        try await listening(on: configuration.listen) { try await ServiceGroup(configuration: group).run() }
    }
}

/// Keeps the ledger open while what stands on it runs, and closes it after.
private struct LedgerService: Service {
    let ledger: Ledger
    let transport: CurlTransport
    let logger: Logger

    func run() async throws {
        do {
            try await gracefulShutdown()
        } catch {
            // No failure: whoever was not answered asks again, and what was promised is in the books.
            logger.warning("the shutdown deadline has passed; requests that had not ended were cut off")
        }
        await ledger.close()
        transport.shutdown()
    }
}

// MARK: - The parts

extension App {
    private static func openLedger(_ configuration: ServeConfiguration, logger: Logger) async throws -> Ledger {
        let database = try PostgresConfiguration(url: configuration.databaseURL)
        return try await Ledger.open(
            LedgerConfiguration(
                database: database, writers: configuration.writers, readConnections: configuration.readPoolSize),
            logger: logger)
    }

    private static func makeGateway(
        _ configuration: ServeConfiguration, transport: CurlTransport, logger: Logger
    ) throws -> any PaymentGateway {
        guard let settings = configuration.portOneV1 else {
            throw ConfigurationError.missing(ConfigurationKeys.portOneV1Secret)
        }
        let portOne = PortOneV1(
            configuration: PortOneV1Configuration(
                url: try HTTPURL(settings.url), key: Secret(settings.key), secret: Secret(settings.secret),
                totalTimeout: configuration.gatewayTimeout, includeTestPayments: configuration.allowTestPayments),
            transport: transport, logger: logger)
        return SharedLookups(of: portOne)
    }

    private static func makeRouter(
        _ desk: ReceiptDesk, _ ledger: Ledger, _ tokens: TokenVerifier, _ metrics: PrometheusMetrics, _ drain: Drain
    ) -> Router<LedgerdRequestContext> {
        let router = Router(context: LedgerdRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.addHouseMiddleware()
        router.add(middleware: DrainMiddleware(drain: drain))
        HealthController(ledger: ledger, drain: drain).addRoutes(to: router)
        MetricsController(metrics: metrics, ledger: ledger).addRoutes(to: router)
        ProductsController(ledger: ledger).addRoutes(to: router.group("v1"))

        let authenticated = router.group("v1").add(middleware: BearerAuthentication(verifier: tokens))
        let user = authenticated.group().add(middleware: RequireScope(.user))
        ReceiptsController(desk: desk).addRoutes(to: user)
        WalletController(ledger: ledger) { try $0.requireUser() }.addRoutes(to: user.group("me"))

        let service = authenticated.group().add(middleware: RequireScope(.service))
        WalletController(ledger: ledger) { try $0.requireUserInPath() }.addRoutes(to: service.group("users/{user}"))
        BalancesController(ledger: ledger).addRoutes(to: service)

        router.refuseOtherMethods()
        return router
    }
}
