import Ledger
import Logging
import ServiceLifecycle

/// Wakes the workers when there is work, from whichever process it comes.
///
/// They look for work by themselves, too: what falls due later, and what came while nobody could be told.
struct WorkCallService: Service {
    let ledger: Ledger
    /// Of each list of work, by its name.
    let wakeups: [String: Wakeup]
    let logger: Logger

    func run() async throws {
        let repetition = Repetition(
            pause: .seconds(1), longestPause: .seconds(30),
            failure: "calls to work can't be heard; work is looked for meanwhile",
            recovery: "calls to work are heard again", logger: logger)
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
