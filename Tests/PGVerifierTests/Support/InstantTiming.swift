import Synchronization
import TestSupport
import Timing

@testable import PGVerifier

/// A time in which nobody waits: a pause moves the clock, and is written down.
///
/// Deadlines end nothing.
final class InstantTiming: Sendable {
    private let start = ContinuousClock.Instant.someMoment
    private let state = Mutex((passed: Duration.zero, pauses: [Duration]()))
    private let random: Double

    init(random: Double = 0.5) {
        self.random = random
    }

    var now: ContinuousClock.Instant { start + state.withLock { $0.passed } }

    /// How long each pause was.
    var pauses: [Duration] { state.withLock { $0.pauses } }

    func advance(by duration: Duration) {
        state.withLock { $0.passed += duration }
    }

    var time: Time {
        Time(now: { ManualTime.noon }, instant: { self.now }, sleep: { _ in await untilCancelled() })
    }

    var timing: GatewayTiming {
        GatewayTiming(
            time: time,
            pause: { duration in
                self.state.withLock {
                    $0.passed += duration
                    $0.pauses.append(duration)
                }
            },
            random: { self.random })
    }
}
