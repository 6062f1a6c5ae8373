import Logging
import ServiceLifecycle

/// The loop of a service: its work is done again and again, with pauses, until the service shuts down.
///
/// While the work fails the pauses double. An outage is one line of the log, however long it lasts.
struct Repetition: Sendable {
    /// The pause after work that was done.
    let pause: Duration
    /// The longest pause while the work fails; nil: as after work that was done.
    var longestPause: Duration?
    /// What is logged when the work fails.
    let failure: String
    var failureLevel = Logger.Level.warning
    /// What is logged when it is done again.
    var recovery: String?
    let logger: Logger
    /// What else ends a pause.
    var wakeup = Wakeup()

    /// What comes after work that was done.
    enum Next {
        /// More is there to do.
        case atOnce
        case afterPause
    }

    /// Works until the service shuts down.
    func run(_ work: () async throws -> Next) async {
        var failures = 0
        while !Self.isOver {
            do {
                let next = try await work()
                if failures > 0, let recovery { logger.info("\(recovery)") }
                failures = 0
                if next == .atOnce { continue }
            } catch {
                if Self.isOver { return }
                if failures == 0 { logger.log(level: failureLevel, "\(failure)", metadata: ["error": "\(error)"]) }
                failures += 1
            }
            await sleep(after: failures)
        }
    }

    /// Waits for a pause, unless the service shuts down.
    func sleep() async { await sleep(after: 0) }

    private func sleep(after failures: Int) async {
        let duration = min(pause * (1 << min(failures, 20)), max(pause, longestPause ?? pause))
        await cancelWhenGracefulShutdown { await wakeup.wait(atMost: duration) }
    }

    /// Whether the service is to end.
    static var isOver: Bool { Task.isShuttingDownGracefully || Task.isCancelled }
}
