import Logging
import ServiceLifecycle

/// The loop of a service: it repeats its work, with pauses, until the service shuts down.
///
/// While the work fails, the pauses double. An outage is logged once, regardless of its length.
struct Repetition: Sendable {
    /// The pause after success.
    let pause: Duration
    /// The maximum pause while the work fails; nil: the same as after success.
    var longestPause: Duration?
    /// The log message of the first failure.
    let failure: String
    var failureLevel = Logger.Level.warning
    /// The log message of the first success after a failure.
    var recovery: String?
    let logger: Logger
    /// Ends a pause early.
    var wakeup = Wakeup()

    /// The next step after success.
    enum Next {
        /// There is more work.
        case atOnce
        case afterPause
    }

    /// Repeats the work until the service shuts down.
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

    private func sleep(after failures: Int) async {
        let duration = min(pause * (1 << min(failures, 20)), max(pause, longestPause ?? pause))
        await cancelWhenGracefulShutdown { await wakeup.wait(atMost: duration) }
    }

    /// Whether the service must end.
    static var isOver: Bool { Task.isShuttingDownGracefully || Task.isCancelled }
}
