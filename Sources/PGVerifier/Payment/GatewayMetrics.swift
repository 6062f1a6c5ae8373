import Metrics
import Traces
import Tracing

/// Metrics of the requests sent to one gateway.
struct GatewayMetrics: Sendable {
    let gateway: String

    /// The metrics factory; nil uses the process's own, which can be set up later.
    var factory: (any MetricsFactory)?

    /// Runs `call`, traces it, and records its outcome and duration: `ledgerd_gateway_calls_total` and
    /// `ledgerd_gateway_call_seconds`, by gateway, operation and outcome.
    func measure<Answer: Sendable>(
        _ operation: String, _ call: () async throws(GatewayError) -> Answer
    ) async throws(GatewayError) -> Answer {
        let start = ContinuousClock.now
        do throws(GatewayError) {
            let answer = try await traceCall(operation, call)
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

    /// Counts a repeated attempt: `ledgerd_gateway_retries_total`.
    func retried(_ operation: String) {
        let dimensions = [("gateway", gateway), ("operation", operation)]
        Counter(label: "ledgerd_gateway_retries_total", dimensions: dimensions, factory: sink).increment()
    }

    /// Sets the circuit breaker's state: `ledgerd_gateway_circuit_state`, 0 closed, 1 half-open, 2 open.
    func circuit(_ state: Circuit.State) {
        let value =
            switch state {
            case .closed: 0
            case .probing: 1
            case .open: 2
            }
        Gauge(label: "ledgerd_gateway_circuit_state", dimensions: [("gateway", gateway)], factory: sink).record(value)
    }

    /// Sets the number of callers that wait for a slot: `ledgerd_gateway_waiting`.
    func waiting(_ count: Int) {
        Gauge(label: "ledgerd_gateway_waiting", dimensions: [("gateway", gateway)], factory: sink).record(count)
    }

    /// Records the number of look-ups in one call: `ledgerd_gateway_lookup_batch_size`.
    func batch(of count: Int) {
        Recorder(label: "ledgerd_gateway_lookup_batch_size", dimensions: [("gateway", gateway)], factory: sink)
            .record(count)
    }

    private var sink: any MetricsFactory { factory ?? MetricsSystem.factory }
}

extension GatewayMetrics {
    /// Traces a call, with its waiting and its retries, as the span `gateway call`.
    func traceCall<Answer: Sendable>(
        _ operation: String, _ call: () async throws(GatewayError) -> Answer
    ) async throws(GatewayError) -> Answer {
        try await traced(
            "gateway call", ["ledgerd.gateway": .string(gateway), "ledgerd.gateway.operation": .string(operation)]
        ) { _ throws(GatewayError) in
            try await call()
        }
    }
}

extension GatewayError: SpanError {
    package var spanErrorType: String { code.rawValue }
}
