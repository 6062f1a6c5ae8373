import FoundationEssentials
import Synchronization

/// The gateway's clock, which tests can advance, and a scale for delays.
///
/// The scale only shortens delays. It doesn't change the clock, because signatures contain its time and receivers
/// compare it with their own.
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

    /// The number of seconds advanced so far.
    var offset: Double { state.withLock { $0.offset } }

    /// The factor by which delays are shortened.
    var timeScale: Double { state.withLock { $0.scale } }

    /// A delay of the gateway in real seconds.
    func scaled(_ seconds: Double) -> Double { seconds / timeScale }

    func advance(by seconds: Double) { state.withLock { $0.offset += seconds } }

    func setTimeScale(_ scale: Double) { state.withLock { $0.scale = scale } }
}
