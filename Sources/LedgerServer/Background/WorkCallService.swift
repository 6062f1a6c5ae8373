import Ledger
import Logging
import ServiceLifecycle

/// Wakes the workers when any process adds work, by PostgreSQL's LISTEN/NOTIFY.
///
/// Workers also poll, for work that becomes due later and for missed notifications.
struct WorkCallService: Service {
    let ledger: Ledger
    /// The wakeups, each with the name of the list whose work it is for.
    let wakeups: [(list: String, Wakeup)]
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
        for (name, wakeup) in wakeups where list == nil || list == name { wakeup.ring() }
    }
}
