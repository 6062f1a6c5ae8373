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
        let factory = factory ?? MetricsSystem.factory
        Counter(label: "ledgerd_gateway_calls_total", dimensions: dimensions, factory: factory).increment()
        Timer(label: "ledgerd_gateway_call_seconds", dimensions: dimensions, factory: factory)
            .record(duration: start.duration(to: .now))
    }
}
