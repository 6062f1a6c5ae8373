import Logging
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

/// A program that runs in tasks of the test's process until it is ended, with its own log.
final class Guest: Sendable {
    private struct State {
        var log = ""
        var group: ServiceGroup?
        var run: Task<Void, any Error>?
        var hasEnded = false
    }

    /// How long a program may take to stop by itself.
    ///
    /// What it waits for after that comes no more: an answer that a test holds back, a time that nobody moves. It decides
    /// no verdict, because what has not stopped is cancelled.
    private static let grace = Duration.seconds(2)

    private let state = Mutex(State())

    /// What it has logged.
    var log: String { state.withLock { $0.log } }

    /// Adds a line, which has its line feed, to the log.
    func write(_ line: [UInt8]) {
        let text = String(decoding: line, as: UTF8.self)
        state.withLock { $0.log += text }
    }

    /// Starts a program, and returns what it tells when it serves.
    ///
    /// - Parameter program: calls its parameter when it serves, and runs until it is shut down gracefully or its task is
    ///   cancelled.
    func start<Place: Sendable>(
        _ program: @escaping @Sendable (_ isServing: @escaping @Sendable (Place) -> Void) async throws -> Void
    ) async throws -> Place {
        let (places, inlet) = AsyncStream<Place>.makeStream()
        // The groups of services that the program runs stop when this one does.
        let group = ServiceGroup(
            services: [Program { try await program { inlet.yield($0) } }], logger: logger("house"))
        let run = Task {
            defer {
                inlet.finish()
                state.withLock { $0.hasEnded = true }
            }
            do {
                try await group.run()
            } catch {
                if !Task.isCancelled { write(Array("ended by itself: \(String(reflecting: error))\n".utf8)) }
                throw error
            }
        }
        state.withLock { ($0.group, $0.run) = (group, run) }
        for await place in places { return place }
        await end()
        try await run.value
        throw DidNotHappen(description: "a program ended instead of serving")
    }

    private struct Program: ServiceLifecycle.Service {
        let body: @Sendable () async throws -> Void

        func run() async throws { try await body() }
    }

    /// Ends it, and returns when its connections are closed and its tasks are over.
    ///
    /// It is shut down gracefully, as a process is by a signal, and is cancelled if that does not end it.
    func end() async {
        // A task of its own ends it also for a test that is cancelled: nothing may go on when the test's database is gone.
        await Task {
            await state.withLock { $0.group }?.triggerGracefulShutdown()
            if await isOver(within: Self.grace) { return }
            state.withLock { $0.run }?.cancel()
            if await isOver(within: Patience.hang) { return }
            Issue.record("a program in the test's process does not end: \(log.lastWords)")
        }.value
    }

    private func isOver(within patience: Duration) async -> Bool {
        let over: Void? = try? await eventually("a program ends", within: patience, every: .milliseconds(10)) {
            state.withLock { $0.run == nil || $0.hasEnded }
        }
        return over != nil
    }

    /// A logger of a program that does not say how its lines look.
    func logger(_ label: String) -> Logger { Logger(label: label) { Handler(label: $0, guest: self) } }

    private struct Handler: LogHandler {
        let label: String
        let guest: Guest
        var logLevel = Logger.Level.info
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { $1 }
            guest.write(Array("\(event.level) \(label): \(event.message) \(all)\n".utf8))
        }
    }
}
