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
            Every option is also an environment variable and a key of the configuration file; the option wins, then the
            environment, then the file. SIGTERM or SIGINT stops the service: no new requests are taken, those that run
            are finished, what waits is committed.
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
        try await app.run(watchedBy: manager) { port in
            let address = "\(listen.host):\(port)"
            logger.info("serving", metadata: ["address": "\(address)"])
            manager.notify(.ready, .status("serving at \(address)"))
        }
        logger.info("stopped")
    }

    private func warn(of unverifiedHosts: [String], _ logger: Logger) {
        guard !unverifiedHosts.isEmpty else { return }
        logger.warning(
            """
            the database is reached over a network without sslmode=verify-full: whoever is in between can read the \
            password and the books, and change what is written; set sslmode=verify-full and sslrootcert in \
            LEDGERD_DATABASE_URL
            """,
            metadata: ["hosts": "\(unverifiedHosts.joined(separator: ","))"])
    }

    /// Builds it as soon as the database can be reached: it may be starting too.
    ///
    /// A log-in that the database refuses is a wrong setting, and told at once.
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
    fileprivate var isPassing: Bool { code == .unavailable && underlying?.isLogInRefused != true }
}
