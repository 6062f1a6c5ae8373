import Timing
import UnixSignals

/// Work of a command that has something to clean up when the command is told to stop.
enum Interruptible {
    /// Runs the work, and cancels it on SIGINT, SIGTERM or SIGHUP, and when it takes too long.
    ///
    /// - Throws: `CancellationError` when it was cancelled; what the work throws.
    static func run<Output: Sendable>(
        within limit: Duration?, _ work: @escaping @Sendable () async throws -> Output
    ) async throws -> Output {
        // Before the work makes anything: an untrapped signal would end the process and leave it.
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        let task = Task { try await work() }
        let interruption = Task { for await _ in signals { task.cancel() } }
        let alarm = limit.map { limit in
            Task {
                try await Time.current.sleep(for: limit)
                task.cancel()
            }
        }
        defer {
            interruption.cancel()
            alarm?.cancel()
        }
        return try await task.value
    }
}
