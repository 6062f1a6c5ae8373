import Logging
import Testing

@testable import LedgerServer

/// The endpoint and the headers are read as those of traces: `TraceSettingsTests`.
@Suite(.timeLimit(.minutes(20))) struct MetricSettingsTests {
    private func exporter(_ settings: [String: String]) throws -> MetricsExporter? {
        let needed = ["LEDGERD_DATABASE_URL": "postgresql://localhost/ledger", "LEDGERD_JWT_SECRET": TestHouse.secret]
        let configuration = try ServeConfiguration(SettingValues(environment: settings.merging(needed) { $1 }))
        return try MetricsExporter(configuration, PrometheusMetrics(), logger: Logger(label: "test"))
    }

    @Test func `metrics are sent to a collector if one is named, not to that of traces`() throws {
        #expect(try exporter(["LEDGERD_TRACES_ENDPOINT": "http://collector:4318"]) == nil)
        #expect(try exporter(["LEDGERD_METRICS_INTERVAL": "10s"]) == nil)
        #expect(try exporter(["LEDGERD_METRICS_ENDPOINT": "http://collector:4318"]) != nil)
        #expect(Settings.metrics.endpoint.parse("http://collector:4318")??.text == "http://collector:4318/v1/metrics")
    }

    @Test func `a key is not sent unencrypted to another machine`() throws {
        let key = ["LEDGERD_METRICS_HEADERS": "api-key=hush"]
        for endpoint in ["https://collector.example.com", "http://127.0.0.1:4318"] {
            #expect(try exporter(key.merging(["LEDGERD_METRICS_ENDPOINT": endpoint]) { $1 }) != nil)
        }
        let error = try #require(throws: ConfigurationError.self) {
            try exporter(key.merging(["LEDGERD_METRICS_ENDPOINT": "http://collector:4318"]) { $1 })
        }
        #expect(error.description.contains("metrics_headers") && !error.description.contains("hush"))
    }

    @Test func `the interval is a second to an hour`() throws {
        #expect(Settings.metrics.interval.absent == .seconds(60))
        for (text, interval) in [("1s", Duration.seconds(1)), ("5m", .seconds(300)), ("1h", .seconds(3600))] {
            #expect(Settings.metrics.interval.parse(text) == interval)
        }
        for text in ["", "0", "500ms", "2h", "off", "60"] {
            #expect(Settings.metrics.interval.parse(text) == nil, "\(text)")
        }
    }
}
