import FoundationEssentials
import Synchronization

/// The gateway's time: somebody's clock, which tests may put forward, and a scale for waits.
///
/// The scale shortens waits only. It doesn't bend the clock, for signatures carry its time and receivers compare it
/// with their own.
final class SandboxClock: Sendable {
    private struct State {
        var offset = 0.0
        var scale: Double
    }

    private let base: @Sendable () -> Date
    private let state: Mutex<State>

    init(timeScale: Double = 1, base: @escaping @Sendable () -> Date) {
        self.base = base
        state = Mutex(State(scale: timeScale))
    }

    var now: Date { base().addingTimeInterval(state.withLock { $0.offset }) }

    /// Seconds put forward so far.
    var offset: Double { state.withLock { $0.offset } }

    /// How many times faster than in the world waits pass.
    var timeScale: Double { state.withLock { $0.scale } }

    /// So many seconds of the gateway's waiting, in seconds of the world.
    func scaled(_ seconds: Double) -> Double { seconds / timeScale }

    func advance(by seconds: Double) { state.withLock { $0.offset += seconds } }

    func setTimeScale(_ scale: Double) { state.withLock { $0.scale = scale } }
}
