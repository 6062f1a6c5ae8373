import Metrics
import Synchronization
import Testing

@testable import PGVerifier

@Suite struct GatewayMetricsTests {
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

/// Writes down what is recorded under which name.
private final class RecordingMetrics: MetricsFactory {
    private let names = Mutex<[String]>([])

    var recorded: [String] { names.withLock { $0 } }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        Handler(self, label, dimensions)
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        Handler(self, label, dimensions)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        Handler(self, label, dimensions)
    }

    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}

    private final class Handler: CounterHandler, RecorderHandler, TimerHandler {
        private let owner: RecordingMetrics
        private let name: String

        init(_ owner: RecordingMetrics, _ label: String, _ dimensions: [(String, String)]) {
            self.owner = owner
            name = ([label] + dimensions.map { "\($0)=\($1)" }).joined(separator: " ")
        }

        func increment(by amount: Int64) { write() }
        func record(_ value: Int64) { write() }
        func record(_ value: Double) { write() }
        func recordNanoseconds(_ duration: Int64) { write() }
        func reset() {}

        private func write() { owner.names.withLock { $0.append(name) } }
    }
}
