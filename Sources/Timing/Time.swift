package import Foundation

/// The time that code goes by: the calendar, a monotonic clock, and sleep.
///
/// Sources ask `Time.current`, never the machine: tests put a time there that they move by hand (docs/decisions/0166).
/// An object that outlives the call that made it, and starts tasks of its own, keeps the time it was made in.
package struct Time: Sendable {
    private let readDate: @Sendable () -> Date
    private let readInstant: @Sendable () -> ContinuousClock.Instant
    private let sleepUntil: @Sendable (ContinuousClock.Instant) async throws -> Void

    /// - Parameters:
    ///   - now: reads the calendar; it can jump, as the machine's does.
    ///   - instant: reads the monotonic clock.
    ///   - sleep: returns at this instant of the monotonic clock; throws `CancellationError` if the task is cancelled
    ///     before.
    package init(
        now: @escaping @Sendable () -> Date, instant: @escaping @Sendable () -> ContinuousClock.Instant,
        sleep: @escaping @Sendable (ContinuousClock.Instant) async throws -> Void
    ) {
        readDate = now
        readInstant = instant
        sleepUntil = sleep
    }

    /// The present moment by the calendar: for what is stored, shown and sent.
    package var now: Date { readDate() }

    /// The present moment by the monotonic clock: for deadlines and ages.
    package var instant: ContinuousClock.Instant { readInstant() }

    /// Returns at this instant.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before.
    package func sleep(until instant: ContinuousClock.Instant) async throws { try await sleepUntil(instant) }

    /// Returns after this duration.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before.
    package func sleep(for duration: Duration) async throws { try await sleepUntil(instant + duration) }

    /// The machine's.
    package static let system = Time(
        now: { Date() }, instant: { .now }, sleep: { try await Task.sleep(until: $0, clock: .continuous) })

    /// The time of the running task and of the tasks that it starts.
    @TaskLocal package static var current = Time.system
}
