import Logging
import Metrics
import OutboundHTTP
import ServiceLifecycle
import Timing
import Traces

/// Sends the metrics of `/metrics` to a collector, at an interval.
///
/// Nobody waits for it. It keeps nothing for a collector that fails: counters and histograms count from the start of the
/// process, so the next request has all.
struct MetricsExporter: Service {
    private let metrics: PrometheusMetrics
    private let collector: Collector
    private let interval: Duration
    private let logger: Logger

    private static let requestTimeout = Duration.seconds(10)
    /// How long stopping waits for the collector.
    private static let lastTimeout = Duration.seconds(3)

    init(_ metrics: PrometheusMetrics, to collector: Collector, each interval: Duration, logger: Logger) {
        self.metrics = metrics
        self.collector = collector
        self.interval = interval
        self.logger = logger
    }

    /// Nil when no collector is set.
    init?(_ configuration: ServeConfiguration, _ metrics: PrometheusMetrics, logger: Logger) throws {
        let settings = Settings.metrics
        guard
            let collector = try Collector(configuration, endpoint: settings.endpoint, headers: settings.headers)
        else { return nil }
        self.init(metrics, to: collector, each: try configuration[settings.interval], logger: logger)
    }

    /// Sends until the service shuts down, and then the last values.
    func run() async throws {
        let repetition = Repetition(
            pause: interval, failure: "metrics do not reach the collector",
            recovery: "metrics reach the collector again", logger: logger)
        await repetition.run {
            try await cancelWhenGracefulShutdown { try await send(within: Self.requestTimeout) }
            return .afterPause
        }
        do {
            try await send(within: Self.lastTimeout)
        } catch {
            logger.warning("the last metrics did not reach the collector", metadata: ["error": "\(error)"])
        }
        collector.shutdown()
    }

    private func send(within timeout: Duration) async throws(Failure) {
        let body = ExportMetricsRequest.body(
            metrics.snapshot(), since: metrics.startedAt, at: Time.current.now, resource: Collector.resource,
            version: BuildInfo.current.version)
        switch await collector.send(body, within: timeout) {
        case .accepted(rejected: 0):
            count("accepted")
        case .accepted(let rejected):
            count("refused")
            throw Failure(description: "\(rejected) values were refused")
        case .refused(let reason):
            count("refused")
            throw Failure(description: reason)
        case .failed(let reason):
            // A request that a shutdown cut off is no failure of the collector.
            if !Task.isCancelled { count("unreachable") }
            throw Failure(description: reason)
        }
    }

    private func count(_ outcome: String) {
        Counter(label: "ledgerd_metric_exports_total", dimensions: [("outcome", outcome)], factory: metrics).increment()
    }

    private struct Failure: Error, CustomStringConvertible { let description: String }
}
