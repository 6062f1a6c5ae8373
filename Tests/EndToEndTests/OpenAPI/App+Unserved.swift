import Logging

@testable import Console
@testable import LedgerServer

extension App {
    /// The app of a service with these settings, which serves nothing.
    static func unserved(_ settings: [String: String]) async throws -> App {
        let command = try ServeCommand<Console>.parse([])
        let app = try await App.build(
            try ServeConfiguration(command.settings.values(environment: settings)),
            pages: Console.self, metrics: PrometheusMetrics(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        await app.ledger.close()
        return app
    }
}
