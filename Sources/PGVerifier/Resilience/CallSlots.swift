import Batching
import Synchronization

/// Limits the number of simultaneous calls and their rate.
///
/// Waiting callers take turns (``GatewayCaller``).
final class CallSlots: Sendable {
    private struct State {
        var free: Int
        var bucket: TokenBucket?
        var waiting = Waiters<Bool, Never>()
        /// Whether a task sleeps until the next token.
        var isTimed = false

        /// Takes a slot and a rate token and returns nil.
        ///
        /// If one is missing, returns the time until the next token.
        ///
        /// Without a free slot it takes nothing; a caller that leaves lets the next one in.
        mutating func enter(at now: ContinuousClock.Instant) -> Duration? {
            guard free > 0 else { return .zero }
            if let pause = bucket?.take(at: now) { return pause }
            free -= 1
            return nil
        }
    }

    private let state: Mutex<State>
    private let timing: GatewayTiming
    private let onWaiting: @Sendable (Int) -> Void

    /// `onWaiting` gets the number of waiting callers when it changes.
    init(
        _ count: Int, bucket: TokenBucket? = nil, timing: GatewayTiming = GatewayTiming(),
        onWaiting: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        precondition(count > 0, "at least one slot is required")
        state = Mutex(State(free: count, bucket: bucket))
        self.timing = timing
        self.onWaiting = onWaiting
    }

    /// The number of waiting callers.
    var waiting: Int { state.withLock { $0.waiting.count } }

    /// Whether a slot is free.
    var isFree: Bool { state.withLock { $0.free > 0 } }

    /// Runs `body` when a slot is free and it is the caller's turn.
    ///
    /// - Parameter isTaken: whether the caller has already entered (``enter(for:)``).
    /// - Throws: ``GatewayError/Code/cancelled`` when the task is cancelled while it waits, or what `body` throws.
    func withSlot<Answer>(
        for caller: GatewayCaller = .current, taken isTaken: Bool = false,
        _ body: () async throws(GatewayError) -> Answer
    ) async throws(GatewayError) -> Answer {
        if !isTaken, await !enter(for: caller) {
            throw GatewayError(.cancelled, message: "the task was cancelled")
        }
        defer { release() }
        return try await body()
    }

    /// Enters when a slot is free and it is the caller's turn.
    ///
    /// Call ``withSlot(for:taken:_:)`` or ``leaveUnused()`` afterwards.
    ///
    /// - Returns: false if the task was cancelled while it waited.
    func enter(for caller: GatewayCaller) async -> Bool { await acquire(in: caller.lane) }

    /// Leaves without a call, and returns the rate token.
    func leaveUnused() {
        state.withLock { $0.bucket?.putBack() }
        release()
    }

    private func acquire(in lane: Lane) async -> Bool {
        let hasEntered = state.withLock { $0.waiting.isEmpty && $0.enter(at: timing.time.instant) == nil }
        if hasEntered { return true }
        let ticket = WaiterTicket(in: lane)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { wait($0, as: ticket) }
        } onCancel: {
            giveUp(ticket)
        }
    }

    private func wait(_ continuation: CheckedContinuation<Bool, Never>, as ticket: WaiterTicket) {
        let count = state.withLock { state -> Int? in
            // A caller that was cancelled before this line gets no cancellation; one cancelled later has its place by
            // then.
            if Task.isCancelled { return nil }
            state.waiting.append(continuation, as: ticket)
            return state.waiting.count
        }
        guard let count else { return continuation.resume(returning: false) }
        onWaiting(count)
        letIn()
    }

    private func giveUp(_ ticket: WaiterTicket) {
        let (waiter, count) = state.withLock { state in (state.waiting.remove(ticket), state.waiting.count) }
        guard let waiter else { return }
        waiter.resume(returning: false)
        onWaiting(count)
    }

    private func release() {
        state.withLock { $0.free += 1 }
        letIn()
    }

    /// Lets waiting callers in while slots are free.
    ///
    /// If only a rate token is missing, it continues when the token is available.
    private func letIn() {
        let (entering, count, pause) = state.withLock { state in
            var entering: [CheckedContinuation<Bool, Never>] = []
            var pause: Duration?
            while pause == nil, state.free > 0, !state.waiting.isEmpty {
                pause = state.enter(at: timing.time.instant)
                if pause == nil, let waiter = state.waiting.popFirst() { entering.append(waiter) }
            }
            if state.isTimed { pause = nil }
            if pause != nil { state.isTimed = true }
            return (entering, state.waiting.count, pause)
        }
        for waiter in entering { waiter.resume(returning: true) }
        if !entering.isEmpty { onWaiting(count) }
        guard let pause else { return }
        // Not a child of a caller's task, because it serves the caller whose turn it is then.
        Task {
            try? await timing.pause(pause)
            state.withLock { $0.isTimed = false }
            letIn()
        }
    }
}
