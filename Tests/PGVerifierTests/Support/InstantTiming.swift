import PGVerifier
import Synchronization
import TestSupport

/// A time in which nobody waits: sleeping moves the clock, and is written down.
final class InstantTiming: Sendable {
    private let start = ContinuousClock.Instant.someMoment
    private let state = Mutex((passed: Duration.zero, sleeps: [Duration]()))
    private let random: Double

    init(random: Double = 0.5) {
        self.random = random
    }

    var now: ContinuousClock.Instant { start + state.withLock { $0.passed } }

    /// How long each sleeper slept.
    var sleeps: [Duration] { state.withLock { $0.sleeps } }

    func advance(by duration: Duration) {
        state.withLock { $0.passed += duration }
    }

    var timing: GatewayTiming {
        GatewayTiming(
            now: { self.now },
            sleep: { duration in
                self.state.withLock {
                    $0.passed += duration
                    $0.sleeps.append(duration)
                }
            },
            random: { self.random })
    }
}
