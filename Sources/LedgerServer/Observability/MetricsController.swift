import Hummingbird
import Ledger
import Metrics
import Postgres

/// The metrics for Prometheus.
struct MetricsController: Sendable {
    let metrics: PrometheusMetrics
    let ledger: Ledger
    private let scrape = Scrape()
    private let queueDepth = Meter(label: "ledgerd_posting_queue_depth")

    init(metrics: PrometheusMetrics, ledger: Ledger) {
        self.metrics = metrics
        self.ledger = ledger
    }

    /// `GET /metrics`: all series as text, at most one second old.
    ///
    /// It does not use the database, so that metrics are available while the database is down.
    func metricsText(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        queueDepth.set(ledger.queueDepth)
        for (pool, statistics) in ledger.connections { Self.show(statistics, of: pool) }
        return Response(
            status: .ok, headers: [.contentType: PrometheusMetrics.contentType],
            body: .init(byteBuffer: await scrape.text(of: metrics)))
    }

    private static func show(_ connections: PostgresPool.Statistics, of pool: String) {
        let label = ("pool", pool)
        Meter(label: "ledgerd_pool_connections", dimensions: [label, ("state", "idle")]).set(connections.idle)
        Meter(label: "ledgerd_pool_connections", dimensions: [label, ("state", "lent")]).set(connections.lent)
        Meter(label: "ledgerd_pool_connections_limit", dimensions: [label]).set(connections.size)
        Meter(label: "ledgerd_pool_connections_waiting", dimensions: [label]).set(connections.waiting)
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
