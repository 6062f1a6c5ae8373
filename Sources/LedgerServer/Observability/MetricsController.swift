import Hummingbird
import Ledger
import Metrics
import Postgres

/// The metrics for Prometheus.
struct MetricsController: Sendable {
    let metrics: PrometheusMetrics
    private let scrape = Scrape()

    init(metrics: PrometheusMetrics) { self.metrics = metrics }

    /// `GET /metrics`: all series as text, at most one second old.
    ///
    /// It does not use the database, so that metrics are available while the database is down.
    func metricsText(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        Response(
            status: .ok, headers: [.contentType: PrometheusMetrics.contentType],
            body: .init(byteBuffer: await scrape.text(of: metrics)))
    }

    /// Has the metrics show the ledger's queue and connections as they are when somebody looks.
    static func show(_ ledger: Ledger, in metrics: PrometheusMetrics) {
        // Weak, because the ledger's own metrics keep `metrics`.
        metrics.onScrape { [unowned metrics, weak ledger] in
            guard let ledger else { return }
            Meter(label: "ledgerd_posting_queue_depth", factory: metrics).set(ledger.queueDepth)
            for (pool, statistics) in ledger.connections { show(statistics, of: pool, in: metrics) }
        }
    }

    private static func show(_ connections: PostgresPool.Statistics, of pool: String, in metrics: PrometheusMetrics) {
        func meter(_ name: String, _ labels: (String, String)...) -> Meter {
            Meter(label: name, dimensions: [("pool", pool)] + labels, factory: metrics)
        }
        meter("ledgerd_pool_connections", ("state", "idle")).set(connections.idle)
        meter("ledgerd_pool_connections", ("state", "lent")).set(connections.lent)
        meter("ledgerd_pool_connections_limit").set(connections.size)
        meter("ledgerd_pool_connections_waiting").set(connections.waiting)
    }
}

/// The text of the metrics, rendered at most once a second.
///
/// All clients get the same buffer, so that slow ones need no additional memory.
private actor Scrape {
    private static let lifetime = Duration.seconds(1)
    private var latest: (made: ContinuousClock.Instant, text: ByteBuffer)?

    func text(of metrics: PrometheusMetrics) -> ByteBuffer {
        if let latest, .now - latest.made < Self.lifetime { return latest.text }
        let text = ByteBuffer(string: metrics.render())
        latest = (.now, text)
        return text
    }
}
