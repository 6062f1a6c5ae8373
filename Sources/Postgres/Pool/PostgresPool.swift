import Batching

/// A bounded number of connections, lent by closure.
///
/// Connections are created when first needed; the most recently used one is lent first; waiting callers are served in
/// order of arrival. A session keeps its settings (`SET`, `LISTEN`, advisory locks): undo settings for one caller, or
/// make them local to a transaction.
package actor PostgresPool {
    /// The maximum number of connections.
    package nonisolated let size: Int
    /// The maximum number of waiting callers; further ones are refused at once.
    package nonisolated let maximumWaiting: Int
    private let configuration: PostgresConfiguration
    private var idle: [PostgresConnection] = []
    private var lent = 0
    private var waiters = Waiters<Void, any Error>()
    private var isClosed = false

    /// Creates a pool without connections.
    ///
    /// - Parameters:
    ///   - configuration: Where to connect to.
    ///   - size: The maximum number of connections, at least 1.
    ///   - maximumWaiting: The maximum number of waiting callers.
    package init(_ configuration: PostgresConfiguration, size: Int, maximumWaiting: Int = 4_096) {
        precondition(size > 0, "a pool needs at least one connection")
        self.configuration = configuration
        self.size = size
        self.maximumWaiting = maximumWaiting
    }

    /// Lends a connection to a closure.
    ///
    /// Only the closure uses the connection until it returns. An open transaction is rolled back; a broken connection
    /// is replaced when the next one is needed. Do not keep the connection.
    ///
    /// - Parameter timeout: How long to wait for a free connection. A new connection has the connect timeout.
    /// - Throws: `poolExhausted` if none became free in time, `connectionFailed` if none could be created, `closed`
    ///   after ``close()``, `CancellationError` if the task is cancelled while it waits; `connectionLost` if the server
    ///   turned out to be a former primary; the closure's error.
    package nonisolated(nonsending) func withConnection<Output>(
        within timeout: Duration = .seconds(5),
        _ body: nonisolated(nonsending) (PostgresConnection) async throws -> Output
    ) async throws -> Output {
        let connection = try await borrow(within: timeout)
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
        _ query: PostgresQuery<Output>, within timeout: Duration = .seconds(5)
    ) async throws -> Output {
        try await withConnection(within: timeout) { connection in try await connection.run(query) }
    }

    /// Closes every connection: idle ones now, lent ones when they are returned.
    ///
    /// Waiting callers get `closed`.
    package func close() async {
        isClosed = true
        for waiter in waiters.removeAll() { waiter.resume(throwing: PostgresError(.closed, "the pool is closed")) }
        let closing = idle
        idle = []
        for connection in closing {
            await connection.close()
        }
    }

    /// The present state of the pool.
    package var statistics: Statistics {
        Statistics(size: size, idle: idle.count, lent: lent, waiting: waiters.count)
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
    private func borrow(within timeout: Duration) async throws -> PostgresConnection {
        try await takePermit(within: timeout)
        do {
            while let connection = idle.popLast() {
                if await Self.isAlive(connection) { return connection }
                await connection.close()
            }
            return try await PostgresConnection.connect(configuration)
        } catch {
            // The next caller makes its own attempt, because only this one may have failed.
            returnPermit()
            throw error
        }
    }

    private static func refuseFormerPrimary(_ connection: PostgresConnection) async throws(PostgresError) {
        guard connection.isOfFormerPrimary else { return }
        await connection.close()
        throw PostgresError(.connectionLost, "the server is a former primary: what it answered may be out of date")
    }

    private static func isAlive(_ connection: PostgresConnection) async -> Bool {
        if connection.isOfFormerPrimary { return false }
        if !connection.standing.isQuiet { await connection.absorb() }
        return connection.isUsable
    }

    private nonisolated func giveBack(_ connection: PostgresConnection) async {
        if connection.isInTransaction { try? await connection.rollBack() }
        await takeBack(connection)
    }

    private func takeBack(_ connection: PostgresConnection) async {
        if isClosed {
            await connection.close()
        } else if connection.isUsable {
            idle.append(connection)
        }
        returnPermit()
    }

    /// A permit is for one connection: idle, lent, or not created yet.
    ///
    /// There are ``size`` permits.
    private func takePermit(within timeout: Duration) async throws {
        if isClosed { throw PostgresError(.closed, "the pool is closed") }
        try Task.checkCancellation()
        if lent < size {
            lent += 1
            return
        }
        guard waiters.count < maximumWaiting else {
            throw PostgresError(.poolExhausted, "\(maximumWaiting) callers are already waiting for a connection")
        }
        try await wait(within: timeout)
    }

    /// Waits in line.
    ///
    /// The resumed caller gets the other's permit, so nothing is counted here.
    private func wait(within timeout: Duration) async throws {
        let ticket = WaiterTicket()
        let alarm = Task {
            try await Task.sleep(for: timeout)
            expire(ticket, after: timeout)
        }
        defer { alarm.cancel() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                if Task.isCancelled {
                    continuation.resume(throwing: CancellationError())
                } else {
                    waiters.append(continuation, as: ticket)
                }
            }
        } onCancel: {
            Task { await cancel(ticket) }
        }
    }

    private func expire(_ ticket: WaiterTicket, after timeout: Duration) {
        let message = "no connection became free within \(timeout)"
        waiters.remove(ticket)?.resume(throwing: PostgresError(.poolExhausted, message))
    }

    private func cancel(_ ticket: WaiterTicket) {
        waiters.remove(ticket)?.resume(throwing: CancellationError())
    }

    private func returnPermit() {
        if let next = waiters.popFirst() {
            next.resume()
        } else {
            lent -= 1
        }
    }
}
