import Batching
import Ledger
import PGVerifier
import Synchronization

/// Bounds what one user has at work at the gateways: so much at a time, and what comes meanwhile waits a while for its turn.
///
/// What is let in asks the gateways on behalf of the user, as one caller among all users (``GatewayCaller``). While more
/// waits, each place is left empty for a pause, and who waits in vain waits long: otherwise a client with thousands of
/// connections would keep the processor busy, with receipts or with refusals.
final class PerUserLimit: Sendable {
    /// One user's; gone when nothing is at work.
    private struct Load {
        var atWork = 1
        var waiting = Waiters<Void, any Error>()
    }

    private struct State {
        var loads: [UserID: Load] = [:]
        var waiting = 0

        /// Whether there was a place for the user.
        mutating func takePlace(of user: UserID, _ limit: Int) -> Bool {
            guard let atWork = loads[user]?.atWork else {
                loads[user] = Load()
                return true
            }
            guard atWork < limit else { return false }
            loads[user]?.atWork += 1
            return true
        }
    }

    private let state = Mutex(State())
    private let limit: Int
    private let pause: Duration
    private let patience: Duration
    private let maxWaiting: Int

    /// - Parameters:
    ///   - limit: how much of one user may be at work at once.
    ///   - pause: how long a place stays empty before the next of the same user has it.
    ///   - patience: how long about more than that waits before it is refused; a random quarter more or less, so that what
    ///     came together doesn't come back together.
    ///   - maxWaiting: how much of all users may wait; more is refused at once.
    init(
        _ limit: Int = 8, pause: Duration = .milliseconds(100), patience: Duration = .seconds(10),
        maxWaiting: Int = 10_000
    ) {
        self.limit = limit
        self.pause = pause
        self.patience = patience
        self.maxWaiting = maxWaiting
    }

    /// Runs `body` on the user's behalf when it is its turn.
    ///
    /// - Throws: ``Problem`` `too_many_at_once` when its turn doesn't come in time, `CancellationError`, or what `body`
    ///   throws.
    func run<Answer>(for user: UserID, _ body: () async throws -> Answer) async throws -> Answer {
        try await enter(user)
        defer { leave(user) }
        return try await GatewayCaller.$current.withValue(.user(user.rawValue)) { try await body() }
    }

    /// How much of a user is at work, and how much waits.
    func load(of user: UserID) -> (atWork: Int, waiting: Int) {
        state.withLock { state in state.loads[user].map { ($0.atWork, $0.waiting.count) } ?? (0, 0) }
    }

    private func enter(_ user: UserID) async throws {
        if state.withLock({ $0.takePlace(of: user, limit) }) { return }
        let ticket = WaiterTicket()
        let patience = patience * Double.random(in: 0.75...1.25)
        let timer = Task {
            guard (try? await Task.sleep(for: patience)) != nil else { return }
            giveUp(ticket, user, Problem(.tooManyAtOnce))
        }
        defer { timer.cancel() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { wait(ticket, user, $0) }
        } onCancel: {
            giveUp(ticket, user, CancellationError())
        }
    }

    private func wait(
        _ ticket: WaiterTicket, _ user: UserID, _ continuation: CheckedContinuation<Void, any Error>
    ) {
        let outcome = state.withLock { state -> Result<Void, any Error>? in
            // A place may have come free, or the task been cancelled, before it got here.
            if Task.isCancelled { return .failure(CancellationError()) }
            if state.takePlace(of: user, limit) { return .success(()) }
            guard state.waiting < maxWaiting else { return .failure(Problem(.tooManyAtOnce)) }
            state.waiting += 1
            state.loads[user]?.waiting.append(continuation, as: ticket)
            return nil
        }
        if let outcome { continuation.resume(with: outcome) }
    }

    private func giveUp(_ ticket: WaiterTicket, _ user: UserID, _ error: any Error) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            guard let waiter = state.loads[user]?.waiting.remove(ticket) else { return nil }
            state.waiting -= 1
            return waiter
        }
        waiter?.resume(throwing: error)
    }

    /// Leaves the place to the next of the user, after a pause if one waits.
    private func leave(_ user: UserID) {
        guard state.withLock({ $0.loads[user]?.waiting.isEmpty == false }) else { return handOver(user) }
        // Not a child of the task that leaves, which has its answer.
        Task {
            try? await Task.sleep(for: pause)
            handOver(user)
        }
    }

    private func handOver(_ user: UserID) {
        let next = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            guard var load = state.loads[user] else { preconditionFailure("who leaves has entered") }
            let next = load.waiting.popFirst()
            if next == nil { load.atWork -= 1 } else { state.waiting -= 1 }
            state.loads[user] = load.atWork > 0 ? load : nil
            return next
        }
        next?.resume()
    }
}
