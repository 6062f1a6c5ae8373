import Metrics

/// Counts and times the questions put to one gateway.
struct GatewayMetrics: Sendable {
    let gateway: String

    /// The process's own factory unless given: it may be set up after this was made.
    var factory: (any MetricsFactory)?

    /// Runs `call`, and records how it ended and how long it took: `ledgerd_gateway_calls_total` and
    /// `ledgerd_gateway_call_seconds`, by gateway, operation and outcome.
    func measure<Answer: Sendable>(
        _ operation: String, _ call: () async throws(GatewayError) -> Answer
    ) async throws(GatewayError) -> Answer {
        let start = ContinuousClock.now
        do throws(GatewayError) {
            let answer = try await call()
            record(operation, outcome: "ok", since: start)
            return answer
        } catch {
            record(operation, outcome: error.code.rawValue, since: start)
            throw error
        }
    }

    private func record(_ operation: String, outcome: String, since start: ContinuousClock.Instant) {
        let dimensions = [("gateway", gateway), ("operation", operation), ("outcome", outcome)]
        Counter(label: "ledgerd_gateway_calls_total", dimensions: dimensions, factory: sink).increment()
        Timer(label: "ledgerd_gateway_call_seconds", dimensions: dimensions, factory: sink)
            .record(duration: start.duration(to: .now))
    }

    /// One more attempt at a question: `ledgerd_gateway_retries_total`.
    func retried(_ operation: String) {
        let dimensions = [("gateway", gateway), ("operation", operation)]
        Counter(label: "ledgerd_gateway_retries_total", dimensions: dimensions, factory: sink).increment()
    }

    /// The circuit's new state: `ledgerd_gateway_circuit_state`, 0 closed, 1 half-open, 2 open.
    func circuit(_ state: Circuit.State) {
        let value =
            switch state {
            case .closed: 0
            case .probing: 1
            case .open: 2
            }
        Gauge(label: "ledgerd_gateway_circuit_state", dimensions: [("gateway", gateway)], factory: sink).record(value)
    }

    /// How many callers wait for a slot: `ledgerd_gateway_waiting`.
    func waiting(_ count: Int) {
        Gauge(label: "ledgerd_gateway_waiting", dimensions: [("gateway", gateway)], factory: sink).record(count)
    }

    /// How many look-ups shared one call: `ledgerd_gateway_lookup_batch_size`.
    func batch(of count: Int) {
        Recorder(label: "ledgerd_gateway_lookup_batch_size", dimensions: [("gateway", gateway)], factory: sink)
            .record(count)
    }

    private var sink: any MetricsFactory { factory ?? MetricsSystem.factory }
}
