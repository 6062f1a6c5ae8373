import Ledger
import Logging
import Metrics
import ServiceLifecycle

/// Tests each minute whether a report could be read from the standby, and how long it would wait for it.
///
/// It runs only if there is a standby for reports.
struct ReplicaMonitor: Service {
    let source: BooksSource
    let logger: Logger
    private let usable = Meter(label: "ledgerd_replica_usable")
    private let wait = Gauge(label: "ledgerd_replica_wait_seconds")

    init(source: BooksSource, logger: Logger) {
        self.source = source
        self.logger = logger
    }

    func run() async throws {
        let repetition = Repetition(
            pause: .seconds(60), failure: "the standby for reports can't be used now",
            recovery: "the standby for reports can be used again", logger: logger)
        await repetition.run {
            do {
                let start = ContinuousClock.now
                let origin = try await source.origin()
                wait.record((ContinuousClock.now - start) / .seconds(1))
                usable.set(origin.server == .standby ? 1 : 0)
            } catch {
                usable.set(0)
                throw error
            }
            return .afterPause
        }
    }
}
