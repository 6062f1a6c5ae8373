import FoundationEssentials
import Synchronization

/// The gateway's clock, which tests can advance, and a scale for delays.
///
/// The scale only shortens delays. It doesn't change the clock, because signatures contain its time and receivers
/// compare it with their own.
final class SandboxClock: Sendable {
    private struct State {
        var offset: Double
        var scale: Double
    }

    private let base: @Sendable () -> Date
    private let file: StateFile?
    private let state: Mutex<State>

    init(timeScale: Double = 1, offset: Double = 0, file: StateFile? = nil, base: @escaping @Sendable () -> Date) {
        self.base = base
        self.file = file
        state = Mutex(State(offset: offset, scale: timeScale))
    }

    var now: Date { base().addingTimeInterval(state.withLock { $0.offset }) }

    /// The number of seconds advanced so far.
    var offset: Double { state.withLock { $0.offset } }

    /// The factor by which delays are shortened.
    var timeScale: Double { state.withLock { $0.scale } }

    /// A delay of the gateway in real seconds.
    func scaled(_ seconds: Double) -> Double { seconds / timeScale }

    func advance(by seconds: Double) {
        state.withLock {
            $0.offset += seconds
            file?.append([.clock(offset: $0.offset)])
        }
    }

    func setTimeScale(_ scale: Double) { state.withLock { $0.scale = scale } }
}
