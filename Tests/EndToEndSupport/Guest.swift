import Logging
import Synchronization
import TestSupport
import Testing

/// A program that runs in tasks of the test's process until it is ended, with its own log.
final class Guest: Sendable {
    private struct State {
        var log = ""
        var run: Task<Void, any Error>?
        var hasEnded = false
    }

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
    /// - Parameter program: calls its parameter when it serves, and runs until its task is cancelled.
    func start<Place: Sendable>(
        _ program: @escaping @Sendable (_ isServing: @escaping @Sendable (Place) -> Void) async throws -> Void
    ) async throws -> Place {
        let (places, inlet) = AsyncStream<Place>.makeStream()
        let run = Task {
            defer {
                inlet.finish()
                state.withLock { $0.hasEnded = true }
            }
            do {
                try await program { inlet.yield($0) }
            } catch {
                if !Task.isCancelled { write(Array("ended by itself: \(String(reflecting: error))\n".utf8)) }
                throw error
            }
        }
        state.withLock { $0.run = run }
        for await place in places { return place }
        await end()
        try await run.value
        throw DidNotHappen(description: "a program ended instead of serving")
    }

    /// Tells it to end.
    func cancel() { state.withLock { $0.run }?.cancel() }

    /// Ends it, and returns when its connections are closed and its tasks are over.
    func end() async {
        cancel()
        do {
            try await eventually("a program in the test's process ends", every: .milliseconds(10)) {
                state.withLock { $0.run == nil || $0.hasEnded }
            }
        } catch {
            Issue.record(error, "\(log.lastWords)")
        }
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
