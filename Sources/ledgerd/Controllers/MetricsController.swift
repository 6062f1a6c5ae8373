import Hummingbird
import Ledger
import Metrics

/// What a Prometheus server scrapes.
struct MetricsController: Sendable {
    let metrics: PrometheusMetrics
    let ledger: Ledger
    private let queueDepth = Meter(label: "ledgerd_posting_queue_depth")

    init(metrics: PrometheusMetrics, ledger: Ledger) {
        self.metrics = metrics
        self.ledger = ledger
    }

    func addRoutes(to router: Router<LedgerdRequestContext>) {
        router.get("metrics", use: scrape)
    }

    /// `GET /metrics`: every series, as text.
    ///
    /// The database is not asked: metrics are wanted most while it is away.
    private func scrape(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        queueDepth.set(await ledger.queueDepth)
        return Response(
            status: .ok, headers: [.contentType: PrometheusMetrics.contentType],
            body: .init(byteBuffer: ByteBuffer(string: metrics.render())))
    }
}
