import Batching

/// A bounded number of connections, lent by closure.
///
/// Connections are made when first needed, the one used last is lent first, and whoever waits is served in the order of
/// arrival. A session keeps what is set on it (`SET`, `LISTEN`, advisory locks): what is to hold for one borrower only
/// has to be undone, or be local to a transaction.
public actor PostgresPool {
    /// How many connections there may be.
    public nonisolated let size: Int
    /// How many may wait for one; who comes then is refused at once.
    public nonisolated let maximumWaiting: Int
    private let configuration: PostgresConfiguration
    private var idle: [PostgresConnection] = []
    private var lent = 0
    private var waiters = Waiters<Void, any Error>()
    private var isClosed = false

    /// Makes a pool without connections.
    ///
    /// - Parameters:
    ///   - configuration: Where to connect to.
    ///   - size: How many connections there may be, 1 at least.
    ///   - maximumWaiting: How many may wait for one.
    public init(_ configuration: PostgresConfiguration, size: Int, maximumWaiting: Int = 4_096) {
        precondition(size > 0, "a pool of no connections serves nobody")
        self.configuration = configuration
        self.size = size
        self.maximumWaiting = maximumWaiting
    }

    /// Lends a connection to a closure.
    ///
    /// The connection is the closure's alone until it returns. A transaction left open is rolled back, a connection
    /// that broke is replaced when the next one is needed. The connection must not be kept.
    ///
    /// - Parameter timeout: How long to wait for a connection to become free. Making a new one has the connect timeout.
    /// - Throws: `poolExhausted` when none became free in time, `connectionFailed` when none could be made, `closed`
    ///   after ``close()``, `CancellationError` when the task is cancelled while it waits; what the closure throws.
    public nonisolated(nonsending) func withConnection<Output>(
        within timeout: Duration = .seconds(5),
        _ body: nonisolated(nonsending) (PostgresConnection) async throws -> Output
    ) async throws -> Output {
        let connection = try await borrow(within: timeout)
        do {
            let output = try await body(connection)
            await giveBack(connection)
            return output
        } catch {
            await giveBack(connection)
            throw error
        }
    }

    /// Runs one statement on a connection of the pool.
    ///
    /// It is never repeated: after `connectionLost` the caller knows whether repeating it is right.
    ///
    /// - Throws: as ``withConnection(within:_:)`` and ``PostgresConnection/run(_:)``.
    public nonisolated(nonsending) func run<Output>(
        _ query: PostgresQuery<Output>, within timeout: Duration = .seconds(5)
    ) async throws -> Output {
        try await withConnection(within: timeout) { connection in try await connection.run(query) }
    }

    /// Closes every connection: idle ones now, lent ones when they come back.
    ///
    /// Whoever waits gets `closed`.
    public func close() async {
        isClosed = true
        for waiter in waiters.removeAll() { waiter.resume(throwing: PostgresError(.closed, "the pool is closed")) }
        let closing = idle
        idle = []
        for connection in closing {
            await connection.close()
        }
    }

    /// How the pool stands now.
    public var statistics: Statistics {
        Statistics(size: size, idle: idle.count, lent: lent, waiting: waiters.count)
    }

    /// How a pool stands, for metrics.
    public struct Statistics: Hashable, Sendable {
        /// How many connections there may be.
        public let size: Int
        /// How many are there and not in use.
        public let idle: Int
        /// How many are in use, or being made.
        public let lent: Int
        /// How many callers wait for one.
        public let waiting: Int
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
            // Who waits next tries for himself: it may be that only this attempt failed.
            returnPermit()
            throw error
        }
    }

    private static func isAlive(_ connection: PostgresConnection) async -> Bool {
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

    /// A permit stands for one connection, be it idle, lent or still to be made; there are ``size`` of them.
    private func takePermit(within timeout: Duration) async throws {
        if isClosed { throw PostgresError(.closed, "the pool is closed") }
        try Task.checkCancellation()
        if lent < size {
            lent += 1
            return
        }
        guard waiters.count < maximumWaiting else {
            throw PostgresError(.poolExhausted, "\(maximumWaiting) callers wait for a connection already")
        }
        try await wait(within: timeout)
    }

    /// Waits in line.
    ///
    /// Whoever resumes the caller has passed a permit on, so nothing is to be counted here.
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
