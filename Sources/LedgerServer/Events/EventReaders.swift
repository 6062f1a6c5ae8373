import Ledger
import Logging
import Metrics
import ServiceLifecycle
import Synchronization
import Timing

/// The readers that wait for events.
///
/// One query tells all of them that there are new events, however many wait.
final class EventReaders: Service {
    /// The right to wait; given back when nobody has it any more.
    final class Place: Sendable {
        private let readers: EventReaders

        fileprivate init(of readers: EventReaders) { self.readers = readers }

        deinit { readers.giveBack() }
    }

    /// The most readers that wait or read a stream at the same time.
    static let limit = 1000

    /// Rung when any process has published events.
    let wakeup = Wakeup()

    private let last: @Sendable () async throws -> Int64
    private let limit: Int
    private let logger: Logger
    private let waiting = Meter(label: "ledgerd_event_readers")
    private let state = Mutex(State())

    private struct State {
        /// The number of the last event, as far as known.
        var last: Int64 = 0
        /// Whether there may be newer events than ``last``, because nobody waited when they came.
        var isStale = true
        var isClosed = false
        var places = 0
        var nextID: UInt64 = 0
        var sleepers: [UInt64: Sleeper] = [:]
    }

    private struct Sleeper {
        let seq: Int64
        let continuation: CheckedContinuation<Void, Never>
    }

    /// - Parameters:
    ///   - limit: the most readers at the same time.
    ///   - last: reads the number of the last event.
    init(limit: Int = EventReaders.limit, logger: Logger, last: @escaping @Sendable () async throws -> Int64) {
        self.last = last
        self.limit = limit
        self.logger = logger
    }

    /// Tells readers of new events until the service shuts down.
    func run() async throws {
        let repetition = Repetition(
            pause: .seconds(1), longestPause: .seconds(4), failure: "can't look for new events now", logger: logger,
            wakeup: wakeup)
        await repetition.run {
            let isAwaited = state.withLock { state in
                if state.sleepers.isEmpty { state.isStale = true }
                return !state.sleepers.isEmpty
            }
            if isAwaited { wake(upTo: try await last()) }
            return .afterPause
        }
        close()
    }

    /// Lets all readers go, and no other wait: the service is about to stop.
    func close() {
        let sleepers = state.withLock { state in
            state.isClosed = true
            defer { state.sleepers = [:] }
            return Array(state.sleepers.values)
        }
        for sleeper in sleepers { sleeper.continuation.resume() }
    }

    /// Whether readers must end, because the service is about to stop.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Takes a place for a reader.
    ///
    /// - Throws: `overloaded` when there are ``limit`` readers.
    func enter() throws(Problem) -> Place {
        let isTaken = state.withLock { state in
            guard state.places < limit else { return false }
            state.places += 1
            waiting.set(state.places)
            return true
        }
        guard isTaken else { throw Problem(.overloaded, "too many readers are waiting for events") }
        return Place(of: self)
    }

    private func giveBack() {
        state.withLock { state in
            state.places -= 1
            waiting.set(state.places)
        }
    }

    /// Waits for an event after this number: until there is one, the time is over, the task is cancelled or the
    /// service is about to stop.
    func wait(after seq: Int64, atMost duration: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.awaken(after: seq) }
            group.addTask { try? await Time.current.sleep(for: duration) }
            await group.next()
            group.cancelAll()
        }
    }

    private func awaken(after seq: Int64) async {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (isOver, isStale) = state.withLock { state in
                    if state.last > seq || state.isClosed || Task.isCancelled { return (true, false) }
                    state.sleepers[id] = Sleeper(seq: seq, continuation: continuation)
                    return (false, state.isStale)
                }
                if isOver { continuation.resume() } else if isStale { wakeup.ring() }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume()
        }
    }

    private func wake(upTo seq: Int64) {
        let woken = state.withLock { state in
            state.last = max(state.last, seq)
            state.isStale = false
            let woken = state.sleepers.filter { $0.value.seq < seq }
            for id in woken.keys { state.sleepers[id] = nil }
            return woken.values
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }
}
