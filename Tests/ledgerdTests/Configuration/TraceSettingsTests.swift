import Logging
import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct TraceSettingsTests {
    private func configuration(_ settings: [String: String]) throws -> ServeConfiguration {
        try ServeConfiguration(
            SettingValues(
                environment: settings.merging([
                    "LEDGERD_DATABASE_URL": "postgresql://localhost/ledger", "LEDGERD_JWT_SECRET": TestHouse.secret,
                ]) { $1 }))
    }

    @Test func `tracing is off unless a collector is named`() throws {
        let configuration = try configuration(["LEDGERD_TRACES_SAMPLE_RATIO": "1"])
        #expect(try TraceExport(configuration, logger: Logger(label: "test")) == nil)
    }

    @Test func `the collector's path may be left out`() {
        for (text, url) in [
            ("http://collector:4318", "http://collector:4318/v1/traces"),
            ("http://collector:4318/", "http://collector:4318/v1/traces"),
            ("https://[2001:db8::1]", "https://[2001:db8::1]/v1/traces"),
            ("https://api.example.com/otlp/v1/traces", "https://api.example.com/otlp/v1/traces"),
            ("http://collector/in", "http://collector/in"),
        ] {
            #expect(CollectorEndpoint.parse(text, for: "traces")?.text == url, "\(text)")
        }
        for text in [
            "", "collector:4318", "collector", "ftp://collector", "http://", "http://collector?key=1", "http://a b/",
            "http://collector/#x", "http://user:word@collector",
        ] {
            #expect(CollectorEndpoint.parse(text, for: "traces") == nil, "\(text)")
        }
    }

    @Test func `header fields are read as OpenTelemetry writes them`() throws {
        let fields = try #require(CollectorHeaders.parse("api-key=abc=, Authorization=Basic%20eA%3D%3D"))
        #expect(fields.map(\.name) == ["api-key", "Authorization"])
        #expect(fields.map(\.value) == ["abc=", "Basic eA=="])
        for text in ["", ",", "api-key", "=value", "a b=c", "a=%", "a=%0d%0aX: 1", "a=원", "a:b=c"] {
            #expect(CollectorHeaders.parse(text) == nil, "\(text)")
        }
    }

    @Test func `a key is not sent unencrypted to another machine, and not printed`() throws {
        func export(to endpoint: String) throws -> TraceExport? {
            let configuration = try configuration([
                "LEDGERD_TRACES_ENDPOINT": endpoint, "LEDGERD_TRACES_HEADERS": "api-key=hush",
            ])
            #expect(configuration.changed["traces_headers"] == "set")
            return try TraceExport(configuration, logger: Logger(label: "test"))
        }
        #expect(try export(to: "https://collector.example.com") != nil)
        #expect(try export(to: "http://127.0.0.1:4318") != nil)
        let error = try #require(throws: ConfigurationError.self) { try export(to: "http://collector:4318") }
        #expect(error.description.contains("traces_headers") && !error.description.contains("hush"))
    }

    @Test func `the ratio is a number from 0 to 1`() throws {
        for (text, ratio) in [("0", 0.0), ("1", 1), ("0.05", 0.05), ("1e-3", 0.001)] {
            let values = try configuration(["LEDGERD_TRACES_SAMPLE_RATIO": text])
            #expect(try values[Settings.traces.sampleRatio] == ratio)
        }
        for text in ["-0.1", "1.1", "nan", "5%", "x", "inf"] {
            #expect(throws: ConfigurationError.self, "\(text)") {
                try configuration(["LEDGERD_TRACES_SAMPLE_RATIO": text])
            }
        }
    }
}
