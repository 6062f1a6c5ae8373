import Traces
import Tracing

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
