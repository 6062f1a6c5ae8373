import Batching
import Synchronization

/// Lets so many callers in at once and so many a second; the others wait, and are let in by turns (``GatewayCaller``).
final class CallSlots: Sendable {
    private struct State {
        var free: Int
        var bucket: TokenBucket?
        var waiting = Waiters<Bool, Never>()
        /// Whether a task sleeps until the next token.
        var isTimed = false

        /// Takes a slot and a token and returns nil or, when one is missing, how long to wait for a token.
        ///
        /// Without a slot it takes nothing, for whoever leaves lets others in.
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

    /// `onWaiting` is told how many wait, whenever that changes.
    init(
        _ count: Int, bucket: TokenBucket? = nil, timing: GatewayTiming = .system,
        onWaiting: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        precondition(count > 0, "without a slot nobody is ever let in")
        state = Mutex(State(free: count, bucket: bucket))
        self.timing = timing
        self.onWaiting = onWaiting
    }

    /// How many wait.
    var waiting: Int { state.withLock { $0.waiting.count } }

    /// Whether there is room for somebody.
    var isFree: Bool { state.withLock { $0.free > 0 } }

    /// Runs `body` when there is room for it, and it is the caller's turn.
    ///
    /// - Parameter isTaken: whether the caller has entered already (``enter(for:)``).
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

    /// Enters when there is room and it is the caller's turn; then ``withSlot(for:taken:_:)`` or ``leaveUnused()`` is due.
    ///
    /// - Returns: false when the task was cancelled meanwhile.
    func enter(for caller: GatewayCaller) async -> Bool { await acquire(in: caller.lane) }

    /// Leaves without a call: the token of the rate limit is put back, too.
    func leaveUnused() {
        state.withLock { $0.bucket?.putBack() }
        release()
    }

    private func acquire(in lane: Lane) async -> Bool {
        let hasEntered = state.withLock { $0.waiting.isEmpty && $0.enter(at: timing.now()) == nil }
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
            // Who is cancelled before can't be told to leave any more; who is after this has its place by then.
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

    /// Lets in whoever there is room for; when a token is all that is missing, does so again when it is there.
    private func letIn() {
        let (entering, count, pause) = state.withLock { state in
            var entering: [CheckedContinuation<Bool, Never>] = []
            var pause: Duration?
            while pause == nil, state.free > 0, !state.waiting.isEmpty {
                pause = state.enter(at: timing.now())
                if pause == nil, let waiter = state.waiting.popFirst() { entering.append(waiter) }
            }
            if state.isTimed { pause = nil }
            if pause != nil { state.isTimed = true }
            return (entering, state.waiting.count, pause)
        }
        for waiter in entering { waiter.resume(returning: true) }
        if !entering.isEmpty { onWaiting(count) }
        guard let pause else { return }
        // Not a child of any caller's task: it lets in whose turn it is then.
        Task {
            try? await timing.sleep(pause)
            state.withLock { $0.isTimed = false }
            letIn()
        }
    }
}
