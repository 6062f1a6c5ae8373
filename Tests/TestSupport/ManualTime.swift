package import Foundation
import Synchronization
package import Timing

/// A time that a test moves by hand; between two moves it stands still.
///
/// Its calendar and its monotonic clock move together. The machine's clock plays no part: a test that hangs in it is a
/// test that nobody moved on.
package final class ManualTime: Sendable {
    /// The moment at which it begins unless a test says otherwise: 12:34 in Seoul on 15 November 2026.
    package static let noon = Date(timeIntervalSince1970: 1_794_713_640)

    private struct Sleeper {
        let due: ContinuousClock.Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var passed = Duration.zero
        var sleepers: [UInt64: Sleeper] = [:]
        /// The number of sleeps that were begun.
        var begun: UInt64 = 0
    }

    private let beginning: (date: Date, instant: ContinuousClock.Instant)
    private let state = Mutex(State())

    /// A time that stands at this moment.
    package init(at moment: Date = ManualTime.noon) {
        beginning = (moment, .someMoment)
    }

    /// Lends a time by which everything goes that `body` calls.
    package static func with<Answer>(
        at moment: Date = ManualTime.noon, _ body: (ManualTime) async throws -> Answer
    ) async rethrows -> Answer {
        let time = ManualTime(at: moment)
        defer { time.end() }
        return try await $isLent.withValue(true) {
            try await Time.$current.withValue(time.time) { try await body(time) }
        }
    }

    /// Whether the running task goes by a manual time, so that what it starts must run in this process.
    @TaskLocal package static var isLent = false

    /// What sources get.
    package var time: Time {
        Time(now: { self.now }, instant: { self.instant }, sleep: { try await self.sleep(until: $0) })
    }

    package var now: Date { beginning.date + state.withLock { $0.passed } / .seconds(1) }

    package var instant: ContinuousClock.Instant { beginning.instant + state.withLock { $0.passed } }

    /// The number of tasks that sleep.
    package var asleep: Int { state.withLock { $0.sleepers.count } }

    /// Waits until a task sleeps that is due after this duration.
    package func untilAsleep(for duration: Duration) async throws {
        try await eventually("a task sleeps for \(duration)") {
            state.withLock { state in
                state.sleepers.values.contains { $0.due == beginning.instant + state.passed + duration }
            }
        }
    }

    /// Waits until so many tasks sleep, or more: before a test moves the time, those it is about must sleep.
    package func untilAsleep(_ count: Int = 1) async throws {
        try await eventually("\(count) tasks sleep") { asleep >= count }
    }

    /// Moves the time on, and wakes those who sleep, in the order in which they are due.
    ///
    /// What it promises:
    /// - When it returns, everybody was woken who slept when it was called and is due now.
    /// - A sleeper wakes when the time shows its due moment, not when all of the duration has passed. Before the time
    ///   moves past that moment, other tasks get many turns, until none begins or ends a sleep any more: one that
    ///   sleeps again at once is woken again on the way.
    ///
    /// What it can't know is whether somebody whom it woke still works: one who waits for a database, a process, or
    /// a turn of a busy processor may be at it when this returns, and begins its next sleep late. So wait for the fact
    /// that the test is about (`eventually`), or for the next sleep (``untilAsleep(_:)``), before moving on.
    ///
    /// One task at a time may move it.
    package func advance(by duration: Duration) async {
        let end = instant + duration
        while wakeNext(until: end) { await settle() }
        state.withLock { $0.passed = max($0.passed, end - beginning.instant) }
        await settle()
    }

    /// Ends all sleeps, with an error: nobody moves the time any more.
    package func end() {
        let sleepers = state.withLock { state in
            defer { state.sleepers = [:] }
            return state.sleepers.values
        }
        for sleeper in sleepers { sleeper.continuation.resume(throwing: CancellationError()) }
    }

    /// Moves the time to the earliest due moment, and wakes those who are due then; false: nobody is due.
    private func wakeNext(until end: ContinuousClock.Instant) -> Bool {
        let woken = state.withLock { state -> [Sleeper] in
            guard let due = state.sleepers.values.map(\.due).min(), due <= end else { return [] }
            state.passed = max(state.passed, due - beginning.instant)
            let numbers = state.sleepers.filter { $0.value.due == due }.keys.sorted()
            return numbers.compactMap { state.sleepers.removeValue(forKey: $0) }
        }
        for sleeper in woken { sleeper.continuation.resume() }
        return !woken.isEmpty
    }

    /// Lets other tasks run until nobody has begun or ended a sleep for a while.
    private func settle() async {
        var last = state.withLock { ($0.begun, $0.sleepers.count) }
        var quiet = 0
        while quiet < 100 {
            await Task.yield()
            let next = state.withLock { ($0.begun, $0.sleepers.count) }
            quiet = next == last ? quiet + 1 : 0
            last = next
        }
    }

    private func sleep(until due: ContinuousClock.Instant) async throws {
        let number = state.withLock { state in
            state.begun += 1
            return state.begun
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state -> Result<Void, any Error>? in
                    // A task that was cancelled before this line gets no other cancellation.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if due <= beginning.instant + state.passed { return .success(()) }
                    state.sleepers[number] = Sleeper(due: due, continuation: continuation)
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: number) }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }
}

extension ContinuousClock.Instant {
    /// Where a time begins that only a test moves on.
    package static var someMoment: ContinuousClock.Instant { .now }
}
