import Batching
import Synchronization

/// A bounded number of connections, lent by closure.
///
/// Connections are created when first needed; the most recently used one is lent first; waiting callers are served in
/// order of arrival. A session keeps its settings (`SET`, `LISTEN`, advisory locks): undo settings for one caller, or
/// make them local to a transaction.
///
/// Not an actor: a caller takes an idle connection without waiting for the actor's turn.
package final class PostgresPool: Sendable {
    /// The maximum number of connections.
    package let size: Int
    /// The maximum number of waiting callers; further ones are refused at once.
    package let maximumWaiting: Int
    private let patience: Duration
    private let configuration: PostgresConfiguration
    private let state = Mutex(State())

    /// A permit is for one connection: idle, lent, or not created yet.
    ///
    /// There are ``size`` permits.
    private struct State {
        var idle: [PostgresConnection] = []
        var lent = 0
        var waiters = Waiters<Void, any Error>()
        var isClosed = false

        /// Gives the permit back, or on to the next waiting caller, whom the caller of this resumes.
        mutating func returnPermit() -> CheckedContinuation<Void, any Error>? {
            let next = waiters.popFirst()
            if next == nil { lent -= 1 }
            return next
        }
    }

    /// Creates a pool without connections.
    ///
    /// - Parameters:
    ///   - configuration: Where to connect to.
    ///   - size: The maximum number of connections, at least 1.
    ///   - maximumWaiting: The maximum number of waiting callers.
    ///   - patience: How long a caller waits for a free connection.
    package init(
        _ configuration: PostgresConfiguration, size: Int, maximumWaiting: Int = 4_096, patience: Duration = .seconds(5)
    ) {
        precondition(size > 0, "a pool needs at least one connection")
        self.patience = patience
        self.configuration = configuration
        self.size = size
        self.maximumWaiting = maximumWaiting
    }

    /// Lends a connection to a closure.
    ///
    /// Only the closure uses the connection until it returns. An open transaction is rolled back; a broken connection
    /// is replaced when the next one is needed. Do not keep the connection.
    ///
    /// - Parameter timeout: How long to wait for a free connection, if not as long as the pool's callers do. A new
    ///   connection has the connect timeout.
    /// - Throws: `poolExhausted` if none became free in time, `connectionFailed` if none could be created, `closed`
    ///   after ``close()``, `CancellationError` if the task is cancelled while it waits; `connectionLost` if the server
    ///   turned out to be a former primary; the closure's error.
    package nonisolated(nonsending) func withConnection<Output>(
        within timeout: Duration? = nil,
        _ body: nonisolated(nonsending) (PostgresConnection) async throws -> Output
    ) async throws -> Output {
        let connection = try await borrow(within: timeout ?? patience)
        do {
            let output = try await body(connection)
            try await Self.refuseFormerPrimary(connection)
            await giveBack(connection)
            return output
        } catch {
            await giveBack(connection)
            throw error
        }
    }

    /// Runs one statement on a connection of the pool.
    ///
    /// It is never repeated: after `connectionLost`, only the caller knows whether a repetition is safe.
    ///
    /// - Throws: as ``withConnection(within:_:)`` and ``PostgresConnection/run(_:)``.
    package nonisolated(nonsending) func run<Output>(
        _ query: PostgresQuery<Output>, within timeout: Duration? = nil
    ) async throws -> Output {
        try await withConnection(within: timeout) { connection in try await connection.run(query) }
    }

    /// Closes every connection: idle ones now, lent ones when they are returned.
    ///
    /// Waiting callers get `closed`.
    package func close() async {
        let (waiting, idle) = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return (state.waiters.removeAll(), state.idle)
        }
        for waiter in waiting { waiter.resume(throwing: PostgresError(.closed, "the pool is closed")) }
        for connection in idle { await connection.close() }
    }

    /// The present state of the pool.
    package var statistics: Statistics {
        state.withLock { state in
            Statistics(size: size, idle: state.idle.count, lent: state.lent, waiting: state.waiters.count)
        }
    }

    /// The state of a pool, for metrics.
    package struct Statistics: Hashable, Sendable {
        /// The maximum number of connections.
        package let size: Int
        /// The number of idle connections.
        package let idle: Int
        /// The number of connections that are in use or being created.
        package let lent: Int
        /// The number of waiting callers.
        package let waiting: Int
    }
}

extension PostgresPool {
    private nonisolated(nonsending) func borrow(within timeout: Duration) async throws -> PostgresConnection {
        if try !takeFreePermit() { try await waitForPermit(within: timeout) }
        do {
            while let connection = state.withLock({ $0.idle.popLast() }) {
                if await Self.isAlive(connection) { return connection }
                await connection.close()
            }
            return try await PostgresConnection.connect(configuration)
        } catch {
            // The next caller makes its own attempt, because only this one may have failed.
            state.withLock { $0.returnPermit() }?.resume()
            throw error
        }
    }

    private nonisolated(nonsending) static func refuseFormerPrimary(
        _ connection: PostgresConnection
    ) async throws(PostgresError) {
        guard connection.isOfFormerPrimary else { return }
        await connection.close()
        throw PostgresError(.connectionLost, "the server is a former primary: what it answered may be out of date")
    }

    private nonisolated(nonsending) static func isAlive(_ connection: PostgresConnection) async -> Bool {
        if connection.isOfFormerPrimary { return false }
        if !connection.standing.isQuiet { await connection.absorb() }
        return connection.isUsable
    }

    private nonisolated(nonsending) func giveBack(_ connection: PostgresConnection) async {
        if connection.isInTransaction { try? await connection.rollBack() }
        let isUsable = connection.isUsable
        let (isClosed, next) = state.withLock { state in
            if isUsable, !state.isClosed { state.idle.append(connection) }
            return (state.isClosed, state.returnPermit())
        }
        next?.resume()
        if isClosed { await connection.close() }
    }

    /// Whether a permit was free, and is taken.
    private func takeFreePermit() throws -> Bool {
        try state.withLock { state in try takeFreePermit(&state) }
    }

    private func takeFreePermit(_ state: inout State) throws -> Bool {
        if state.isClosed { throw PostgresError(.closed, "the pool is closed") }
        try Task.checkCancellation()
        guard state.lent < size else { return false }
        state.lent += 1
        return true
    }

    /// Waits in line.
    ///
    /// The resumed caller has the other's permit. Nobody is resumed under the lock, because `onCancel` takes it, and a
    /// cancellation may hold what resuming needs.
    private nonisolated(nonsending) func waitForPermit(within timeout: Duration) async throws {
        let ticket = WaiterTicket()
        var alarm: Task<Void, any Error>?
        defer { alarm?.cancel() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                if let answer = state.withLock({ line(up: continuation, as: ticket, in: &$0) }) {
                    continuation.resume(with: answer)
                } else {
                    // Not before: an alarm that finds nobody in line would not ring again.
                    alarm = Task {
                        try await Task.sleep(for: timeout)
                        expire(ticket, after: timeout)
                    }
                }
            }
        } onCancel: {
            state.withLock { $0.waiters.remove(ticket) }?.resume(throwing: CancellationError())
        }
    }

    /// Adds a caller at the end of the line; nil: it waits.
    private func line(
        up caller: CheckedContinuation<Void, any Error>, as ticket: WaiterTicket, in state: inout State
    ) -> Result<Void, any Error>? {
        do {
            // One may have become free meanwhile.
            if try takeFreePermit(&state) { return .success(()) }
            guard state.waiters.count < maximumWaiting else {
                throw PostgresError(.poolExhausted, "\(maximumWaiting) callers are already waiting for a connection")
            }
        } catch {
            return .failure(error)
        }
        state.waiters.append(caller, as: ticket)
        return nil
    }

    private func expire(_ ticket: WaiterTicket, after timeout: Duration) {
        let late = PostgresError(.poolExhausted, "no connection became free within \(timeout)")
        state.withLock { $0.waiters.remove(ticket) }?.resume(throwing: late)
    }
}
