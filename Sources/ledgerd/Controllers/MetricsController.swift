import Hummingbird
import Ledger
import Metrics

/// What a Prometheus server scrapes.
struct MetricsController: Sendable {
    let metrics: PrometheusMetrics
    let ledger: Ledger
    private let queueDepth = Meter(label: "ledgerd_posting_queue_depth")
    private let retriesWaiting = Meter(label: "ledgerd_receipt_retries_waiting")

    init(metrics: PrometheusMetrics, ledger: Ledger) {
        self.metrics = metrics
        self.ledger = ledger
    }

    func addRoutes(to router: Router<LedgerdRequestContext>) {
        router.get("metrics", use: scrape)
    }

    /// `GET /metrics`: every series, as text.
    private func scrape(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        queueDepth.set(await ledger.queueDepth)
        // While the database is away the last count known stays: metrics are wanted most just then.
        if let waiting = try? await ledger.retries.waiting() { retriesWaiting.set(waiting) }
        return Response(
            status: .ok, headers: [.contentType: PrometheusMetrics.contentType],
            body: .init(byteBuffer: ByteBuffer(string: metrics.render())))
    }
}
