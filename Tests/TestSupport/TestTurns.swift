import Synchronization

/// Lets so many work at a time and the others wait, first come first served.
///
/// Swift Testing begins all tests of a process at once. Hundreds of them on few cores would each take minutes, and the
/// deadlines that a test is about would be missed for want of a core, not for a fault.
struct TestTurns: Sendable {
    private let state: Shared

    /// Turns for `limit` at a time.
    init(limit: Int) {
        state = Shared(limit)
    }

    /// Does the work when it is its turn.
    func take<Output>(_ work: () async throws -> Output) async rethrows -> Output {
        await state.wait()
        defer { state.leave() }
        return try await work()
    }

    private final class Shared: Sendable {
        private struct State {
            var free: Int
            var waiting: [CheckedContinuation<Void, Never>] = []
        }

        private let state: Mutex<State>

        init(_ limit: Int) {
            state = Mutex(State(free: limit))
        }

        func wait() async {
            await withCheckedContinuation { continuation in
                let isFree = state.withLock { state in
                    guard state.free == 0 else {
                        state.free -= 1
                        return true
                    }
                    state.waiting.append(continuation)
                    return false
                }
                if isFree { continuation.resume() }
            }
        }

        func leave() {
            let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
                guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
                state.free += 1
                return nil
            }
            next?.resume()
        }
    }
}
