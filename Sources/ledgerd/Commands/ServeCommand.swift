import ArgumentParser
import Foundation
import Ledger
import Logging
import Metrics

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serve the HTTP API.",
        discussion: """
            Every option is also an environment variable and a key of the configuration file; the option wins, then the
            environment, then the file. SIGTERM or SIGINT stops the service: no new requests are taken, those that run
            are finished, what waits is committed.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var options: ServeOptions

    func run() async throws {
        let configuration = try ServeConfiguration(try common.values(adding: options.flags))
        configuration.logFormat.bootstrap(level: configuration.logLevel)
        let metrics = PrometheusMetrics()
        MetricsSystem.bootstrap(metrics)
        let logger = Logger(label: "ledgerd")
        logger.info("starting", metadata: configuration.logMetadata)
        let app = try await build(configuration, metrics, logger)
        try await app.run { port in
            logger.info("serving", metadata: ["address": "\(configuration.listen.host):\(port)"])
        }
        logger.info("stopped")
    }

    /// Builds it as soon as the database can be reached: it may be starting too.
    private func build(
        _ configuration: ServeConfiguration, _ metrics: PrometheusMetrics, _ logger: Logger
    ) async throws -> App {
        let deadline = ContinuousClock.now + configuration.databasePatience
        while true {
            do {
                return try await App.build(configuration, metrics: metrics, logger: logger)
            } catch let error as LedgerError where error.code == .unavailable && .now < deadline {
                logger.warning("waiting for the database", metadata: ["error": "\(error)"])
                try await Task.sleep(for: .seconds(1))
            }
        }
    }
}
