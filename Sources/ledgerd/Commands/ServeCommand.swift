import ArgumentParser
import Foundation
import Ledger
import Logging
import Metrics
import Postgres

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serve the HTTP API.",
        discussion: """
            Every option is also an environment variable and a key of the configuration file. Options override the
            environment, which overrides the file. SIGTERM or SIGINT stops the service: it refuses new requests,
            finishes running ones and commits waiting acts.
            """)

    @OptionGroup var settings: SettingFlags<ServeSettings>

    func run() async throws {
        let configuration = try ServeConfiguration(try settings.values())
        try configuration[Settings.log.format].bootstrap(level: configuration[Settings.log.level])
        let metrics = PrometheusMetrics()
        MetricsSystem.bootstrap(metrics)
        BuildInfo.current.recordMetric(factory: metrics)
        let process = ProcessMetrics()
        metrics.onScrape { process.collect() }
        let logger = Logger(label: "ledgerd")
        logger.info("starting \(BuildInfo.current.text)", metadata: configuration.logMetadata)
        let manager = ServiceManager(environment: ProcessInfo.processInfo.environment)
        manager.notify(
            .status("starting"), .extendTimeout(try configuration[Settings.database.patience] + .seconds(60)))
        warn(of: try PostgresConfiguration(url: configuration[Settings.database.databaseURL]).unverifiedHosts, logger)
        let listen = try configuration[Settings.http.listen]
        let traces = try TraceExport(configuration, logger: logger)
        traces?.bootstrap()
        let app = try await build(configuration, metrics, traces, logger)
        let adminHost = try configuration[Settings.http.adminListen]?.host
        try await app.run(watchedBy: manager) { ports in
            let address = "\(listen.host):\(ports.api)"
            var metadata: Logger.Metadata = ["address": "\(address)"]
            if let adminHost, let port = ports.admin { metadata["admin_address"] = "\(adminHost):\(port)" }
            logger.info("serving", metadata: metadata)
            manager.notify(.ready, .status("serving at \(address)"))
        }
        logger.info("stopped")
    }

    private func warn(of unverifiedHosts: [String], _ logger: Logger) {
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
    /// It does not wait if the database refuses the login or TLS, because then a setting is wrong.
    private func build(
        _ configuration: ServeConfiguration, _ metrics: PrometheusMetrics, _ traces: TraceExport?, _ logger: Logger
    ) async throws -> App {
        let deadline = try ContinuousClock.now + configuration[Settings.database.patience]
        while true {
            do {
                return try await App.build(configuration, metrics: metrics, traces: traces, logger: logger)
            } catch let error as LedgerError where error.isPassing && .now < deadline {
                logger.warning("waiting for the database", metadata: ["error": "\(error)"])
                try await Task.sleep(for: .seconds(1))
            }
        }
    }
}

extension LedgerError {
    /// Whether waiting may help.
    fileprivate var isPassing: Bool {
        code == .unavailable && underlying?.isLogInRefused != true && underlying?.isTLSRefused != true
    }
}
