import Batching
import Ledger
import PGVerifier
import Synchronization
import Timing

/// Limits the requests of one user that use a gateway at the same time.
///
/// Further requests wait for their turn.
///
/// A running request calls the gateway in the name of the user (``GatewayCaller``). While requests of a user wait, each
/// place stays empty for a pause, and a refusal comes late. Otherwise a client with thousands of connections would keep
/// the processor busy with receipts or refusals.
final class PerUserLimit: Sendable {
    /// The requests of one user; removed when none is running.
    private struct Load {
        var atWork = 1
        var waiting = Waiters<Void, any Error>()
    }

    private struct State {
        var loads: [UserID: Load] = [:]
        var waiting = 0

        /// Takes a place of the user; returns false if there is none.
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
    ///   - limit: the maximum number of running requests per user.
    ///   - pause: how long a place stays empty before the user's next request gets it.
    ///   - patience: the maximum waiting time, plus or minus a random quarter, so that requests that arrived together
    ///     are not repeated together.
    ///   - maxWaiting: the maximum number of waiting requests of all users; further ones are refused at once.
    init(
        _ limit: Int = 8, pause: Duration = .milliseconds(100), patience: Duration = .seconds(10),
        maxWaiting: Int = 10_000
    ) {
        self.limit = limit
        self.pause = pause
        self.patience = patience
        self.maxWaiting = maxWaiting
    }

    /// Waits for a place of the user, and runs `body`.
    ///
    /// - Throws: ``Problem`` `too_many_at_once` if there is no place in time, `CancellationError`, and the errors of
    ///   `body`.
    func run<Answer>(for user: UserID, _ body: () async throws -> Answer) async throws -> Answer {
        try await enter(user)
        defer { leave(user) }
        return try await GatewayCaller.$current.withValue(.user(user.rawValue)) { try await body() }
    }

    /// The numbers of a user's running and waiting requests.
    func load(of user: UserID) -> (atWork: Int, waiting: Int) {
        state.withLock { state in state.loads[user].map { ($0.atWork, $0.waiting.count) } ?? (0, 0) }
    }

    private func enter(_ user: UserID) async throws {
        if state.withLock({ $0.takePlace(of: user, limit) }) { return }
        let ticket = WaiterTicket()
        let patience = patience * Double.random(in: 0.75...1.25)
        let timer = Task {
            guard (try? await Time.current.sleep(for: patience)) != nil else { return }
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
            // Meanwhile, a place can have become free, or the task can be cancelled.
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

    /// Frees the place; a waiting request of the user gets it after the pause.
    private func leave(_ user: UserID) {
        guard state.withLock({ $0.loads[user]?.waiting.isEmpty == false }) else { return handOver(user) }
        // Not a child task, because the finished request must not wait for the pause.
        Task {
            try? await Time.current.sleep(for: pause)
            handOver(user)
        }
    }

    private func handOver(_ user: UserID) {
        let next = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            guard var load = state.loads[user] else { preconditionFailure("leave without enter") }
            let next = load.waiting.popFirst()
            if next == nil { load.atWork -= 1 } else { state.waiting -= 1 }
            state.loads[user] = load.atWork > 0 ? load : nil
            return next
        }
        next?.resume()
    }
}
