import Testing

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct GatewayMetricsTests {
    @Test func `every call is counted and timed by gateway, operation and outcome`() async throws {
        let recorder = RecordingMetrics()
        let metrics = GatewayMetrics(gateway: "portone-v1", factory: recorder)
        _ = try await metrics.measure("payment") { () throws(GatewayError) in 1 }
        await #expect(throws: GatewayError.self) {
            try await metrics.measure("token") { () throws(GatewayError) in
                throw GatewayError(.timeout, message: "")
            }
        }
        #expect(
            recorder.recorded == [
                "ledgerd_gateway_calls_total gateway=portone-v1 operation=payment outcome=ok",
                "ledgerd_gateway_call_seconds gateway=portone-v1 operation=payment outcome=ok",
                "ledgerd_gateway_calls_total gateway=portone-v1 operation=token outcome=timeout",
                "ledgerd_gateway_call_seconds gateway=portone-v1 operation=token outcome=timeout",
            ])
    }
}
