import Synchronization
import Timing

/// A pause that another task can end.
final class Wakeup: Sendable {
    private struct State {
        var isRung = false
        var sleeper: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Ends the current pause, or the next one.
    func ring() {
        let sleeper = state.withLock { state in
            let sleeper = state.sleeper.take()
            if sleeper == nil { state.isRung = true }
            return sleeper
        }
        sleeper?.resume()
    }

    /// Returns after ``ring()``, when the time is over, or when the task is cancelled.
    ///
    /// Only one task can wait at a time.
    func wait(atMost duration: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.rung() }
            group.addTask { try? await Time.current.sleep(for: duration) }
            await group.next()
            group.cancelAll()
        }
    }

    private func rung() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard !state.isRung, !Task.isCancelled else {
                        state.isRung = false
                        return true
                    }
                    state.sleeper = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.sleeper.take() }?.resume()
        }
    }
}
