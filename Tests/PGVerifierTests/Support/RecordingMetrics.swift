import Metrics
import Synchronization

/// Writes down what is recorded under which name.
final class RecordingMetrics: MetricsFactory {
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
