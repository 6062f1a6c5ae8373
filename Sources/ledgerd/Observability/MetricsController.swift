import Hummingbird
import Ledger
import Metrics

/// What a Prometheus server scrapes.
struct MetricsController: Sendable {
    let metrics: PrometheusMetrics
    let ledger: Ledger
    private let scrape = Scrape()
    private let queueDepth = Meter(label: "ledgerd_posting_queue_depth")
    private let idle = Meter(label: "ledgerd_read_connections", dimensions: [("state", "idle")])
    private let lent = Meter(label: "ledgerd_read_connections", dimensions: [("state", "lent")])
    private let limit = Meter(label: "ledgerd_read_connections_limit")
    private let waiting = Meter(label: "ledgerd_read_connections_waiting")

    init(metrics: PrometheusMetrics, ledger: Ledger) {
        self.metrics = metrics
        self.ledger = ledger
    }

    func addRoutes(to router: Router<LedgerdRequestContext>) {
        router.get("metrics", use: metricsText)
    }

    /// `GET /metrics`: every series, as text, as it was within the last second.
    ///
    /// The database is not asked: metrics are wanted most while it is away.
    private func metricsText(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        queueDepth.set(await ledger.queueDepth)
        let connections = await ledger.readConnections
        idle.set(connections.idle)
        lent.set(connections.lent)
        limit.set(connections.size)
        waiting.set(connections.waiting)
        return Response(
            status: .ok, headers: [.contentType: PrometheusMetrics.contentType],
            body: .init(byteBuffer: await scrape.text(of: metrics)))
    }
}

/// The text of the metrics, made once a second at most, however many ask.
///
/// All get the same bytes, so that those who do not read them hold nothing more.
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
