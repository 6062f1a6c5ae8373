import Synchronization

/// Lets so many callers in at once; the others wait in the order in which they came.
final class CallSlots: Sendable {
    private struct State {
        var free: Int
        var queue: [Int: CheckedContinuation<Bool, Never>] = [:]
        /// No place before `first` is in the queue; those given up or not yet taken aren't either.
        var first = 0
        var next = 0
    }

    private let state: Mutex<State>
    private let onWaiting: @Sendable (Int) -> Void

    /// `onWaiting` is told how many wait, whenever that changes.
    init(_ count: Int, onWaiting: @escaping @Sendable (Int) -> Void = { _ in }) {
        precondition(count > 0, "without a slot nobody is ever let in")
        state = Mutex(State(free: count))
        self.onWaiting = onWaiting
    }

    /// How many wait.
    var waiting: Int { state.withLock { $0.queue.count } }

    /// Whether somebody would be let in at once.
    var isFree: Bool { state.withLock { $0.free > 0 } }

    /// Runs `body` when there is room for it.
    ///
    /// - Throws: ``GatewayError/Code/cancelled`` when the task is cancelled while it waits, or what `body` throws.
    func withSlot<Answer>(
        _ body: () async throws(GatewayError) -> Answer
    ) async throws(GatewayError) -> Answer {
        guard await acquire() else { throw GatewayError(.cancelled, message: "the task was cancelled") }
        defer { release() }
        return try await body()
    }

    private func acquire() async -> Bool {
        let place = state.withLock { state -> Int? in
            if state.free > 0 {
                state.free -= 1
                return nil
            }
            state.next += 1
            return state.next - 1
        }
        guard let place else { return true }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { wait(at: place, $0) }
        } onCancel: {
            giveUp(place)
        }
    }

    private func wait(at place: Int, _ continuation: CheckedContinuation<Bool, Never>) {
        let (answer, count) = state.withLock { state -> (Bool?, Int) in
            // The task may have been cancelled, or a slot come free, before it got here.
            if Task.isCancelled { return (false, state.queue.count) }
            if state.free > 0 {
                state.free -= 1
                return (true, state.queue.count)
            }
            state.queue[place] = continuation
            state.first = min(state.first, place)
            return (nil, state.queue.count)
        }
        if let answer { return continuation.resume(returning: answer) }
        onWaiting(count)
    }

    private func giveUp(_ place: Int) {
        let (continuation, count) = state.withLock { ($0.queue.removeValue(forKey: place), $0.queue.count) }
        guard let continuation else { return }
        continuation.resume(returning: false)
        onWaiting(count)
    }

    private func release() {
        let (continuation, count) = state.withLock { state -> (CheckedContinuation<Bool, Never>?, Int) in
            while state.first < state.next, !state.queue.isEmpty {
                state.first += 1
                if let next = state.queue.removeValue(forKey: state.first - 1) { return (next, state.queue.count) }
            }
            state.free += 1
            return (nil, state.queue.count)
        }
        guard let continuation else { return }
        continuation.resume(returning: true)
        onWaiting(count)
    }
}
