package import FoundationEssentials
import Synchronization

/// The gateway's clock, which tests can advance, and a scale for delays.
///
/// The scale only shortens delays. It doesn't change the clock, because signatures contain its time and receivers
/// compare it with their own.
package final class SandboxClock: Sendable {
    private struct State {
        var offset: Double
        var scale: Double
    }

    private let machine: @Sendable () -> Date
    private let keep: @Sendable (_ offset: Double) -> Void
    private let state: Mutex<State>

    /// `keep` gets each new offset.
    package init(
        timeScale: Double = 1, offset: Double = 0, base: @escaping @Sendable () -> Date,
        keep: @escaping @Sendable (_ offset: Double) -> Void = { _ in }
    ) {
        machine = base
        self.keep = keep
        state = Mutex(State(offset: offset, scale: timeScale))
    }

    package var now: Date { machine().addingTimeInterval(state.withLock { $0.offset }) }

    /// The time without what was advanced, by which clients judge that do not share this clock.
    package var base: Date { machine() }

    /// The number of seconds advanced so far.
    package var offset: Double { state.withLock { $0.offset } }

    /// The factor by which delays are shortened.
    package var timeScale: Double { state.withLock { $0.scale } }

    /// A delay of the gateway in real seconds.
    package func scaled(_ seconds: Double) -> Double { seconds / timeScale }

    package func advance(by seconds: Double) {
        state.withLock {
            $0.offset += seconds
            keep($0.offset)
        }
    }

    package func setTimeScale(_ scale: Double) { state.withLock { $0.scale = scale } }
}
