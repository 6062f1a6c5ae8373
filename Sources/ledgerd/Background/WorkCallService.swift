import Ledger
import Logging
import ServiceLifecycle

/// Wakes the workers when any process adds work, by PostgreSQL's LISTEN/NOTIFY.
///
/// Workers also poll, for work that becomes due later and for missed notifications.
struct WorkCallService: Service {
    let ledger: Ledger
    /// The wakeups by the name of the work list.
    let wakeups: [String: Wakeup]
    let logger: Logger

    func run() async throws {
        let repetition = Repetition(
            pause: .seconds(1), longestPause: .seconds(30),
            failure: "can't receive notifications of new work; workers poll meanwhile",
            recovery: "receiving notifications of new work again", logger: logger)
        await repetition.run {
            try await cancelWhenGracefulShutdown { try await ledger.listenForWork(wake) }
            return .afterPause
        }
    }

    private func wake(_ list: String?) {
        if let list {
            wakeups[list]?.ring()
        } else {
            for wakeup in wakeups.values { wakeup.ring() }
        }
    }
}
