import Ledger
import Logging
import Metrics
import Postgres
import Timing
import UnixSignals

/// What `ledgerd serve` does, from its settings to its end.
///
/// The command does it in a process of its own. Tests do it many times in theirs: each run has its own settings, log,
/// metrics and database connections.
package struct Serving: Sendable {
    private let configuration: ServeConfiguration
    private let pages: any AdminPages.Type
    private let logger: Logger
    /// The service manager of the process.
    private let manager: ServiceManager
    /// The signals to the process that stop the service.
    private let stopSignals: [UnixSignal]

    /// In a process of its own.
    ///
    /// - Parameter pages: the console.
    init(
        _ configuration: ServeConfiguration, pages: any AdminPages.Type, logger: Logger, manager: ServiceManager
    ) {
        self.configuration = configuration
        self.pages = pages
        self.logger = logger
        self.manager = manager
        stopSignals = [.sigterm, .sigint]
    }

    /// Beside other services in a process: it stops when the task that runs it is cancelled.
    ///
    /// - Parameters:
    ///   - pages: the console.
    ///   - environment: what the process's environment is for the command.
    ///   - log: gets each line of the log, with its line feed.
    /// - Throws: ``ConfigurationError`` as the command does, and for traces, because a process has one tracer.
    package init(
        pages: any AdminPages.Type, environment: [String: String],
        log: @escaping @Sendable (_ line: [UInt8]) -> Void
    ) throws {
        self.pages = pages
        configuration = try ServeConfiguration(
            SettingValues(environment: environment, file: environment["LEDGERD_CONFIG"]))
        guard try configuration[Settings.traces.endpoint] == nil else {
            throw ConfigurationError.conflict("traces_endpoint", "traces_endpoint needs a process with one service")
        }
        let format = try configuration[Settings.log.format]
        let level = try configuration[Settings.log.level]
        logger = Logger(label: "ledgerd") {
            LineLogHandler(label: $0, format: format, level: level, sink: LogSink(write: log))
        }
        manager = .none
        stopSignals = []
    }

    /// Serves until the service is stopped, in the time of the task that calls it.
    ///
    /// - Parameter onReady: gets the ports once the service serves.
    package func run(onReady: @escaping @Sendable (Ports) async -> Void = { _ in }) async throws {
        let metrics = PrometheusMetrics()
        // The tasks of this service find it where they make their metrics, and those of another service find their own.
        try await withMetricsFactory(metrics) { try await run(metrics, onReady) }
    }

    private func run(
        _ metrics: PrometheusMetrics, _ onReady: @escaping @Sendable (Ports) async -> Void
    ) async throws {
        BuildInfo.current.recordMetric(factory: metrics)
        let process = ProcessMetrics(factory: metrics)
        metrics.onScrape { process.collect() }
        manager.notify(
            .status("starting"), .extendTimeout(try configuration[Settings.database.patience] + .seconds(60)))
        warn(of: try PostgresConfiguration(url: configuration[Settings.database.databaseURL]).unverifiedHosts)
        let listen = try configuration[Settings.http.listen]
        let traces = try TraceExport(configuration, logger: logger)
        traces?.bootstrap()
        let exporter = try MetricsExporter(configuration, metrics, logger: logger)
        let app = try await build(metrics, exporter, traces)
        let adminHost = try configuration[Settings.http.adminListen]?.host
        try await app.run(stoppedBy: stopSignals, watchedBy: manager) { ports in
            let address = "\(listen.host):\(ports.api)"
            var adminAddress: String?
            if let adminHost, let port = ports.admin { adminAddress = "\(adminHost):\(port)" }
            logger.info(
                "serving", metadata: configuration.logMetadata(address: address, adminAddress: adminAddress))
            manager.notify(.ready, .status("serving at \(address)"))
            await onReady(ports)
        }
        logger.info("stopped")
    }

    private func warn(of unverifiedHosts: [String]) {
        guard !unverifiedHosts.isEmpty else { return }
        logger.warning(
            """
            the connection to the database crosses a network without sslmode=verify-full: an attacker in between can \
            read the password and read and change the books; set sslmode=verify-full and sslrootcert in \
            LEDGERD_DATABASE_URL
            """,
            metadata: ["hosts": "\(unverifiedHosts.joined(separator: ","))"])
    }

    /// Builds the app, and waits for a database that is not reachable yet.
    ///
    /// It does not wait if the database refuses the login or TLS, or a pooler shares its sessions, because then a setting
    /// is wrong.
    private func build(
        _ metrics: PrometheusMetrics, _ exporter: MetricsExporter?, _ traces: TraceExport?
    ) async throws -> App {
        let deadline = try Time.current.instant + configuration[Settings.database.patience]
        while true {
            do {
                return try await App.build(
                    configuration, pages: pages, metrics: metrics, exporter: exporter, traces: traces, logger: logger)
            } catch let error as LedgerError where error.isPassing && Time.current.instant < deadline {
                logger.warning("waiting for the database", metadata: ["error": "\(error)"])
                try await Time.current.sleep(for: .seconds(1))
            }
        }
    }
}

extension LedgerError {
    /// Whether waiting may help.
    fileprivate var isPassing: Bool {
        code == .unavailable && underlying?.isLogInRefused != true && underlying?.isTLSRefused != true
            && underlying?.code != .sharedSession
    }
}
