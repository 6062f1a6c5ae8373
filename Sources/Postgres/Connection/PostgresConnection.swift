import Synchronization

/// One session with PostgreSQL, on its own thread.
///
/// Calls run one after another. The error of a call that breaks the connection says whether its outcome is known; then
/// ``isUsable`` is false and every later call throws `closed`. The thread ends with the last reference.
package actor PostgresConnection {
    nonisolated let thread: ConnectionThread
    nonisolated let standing = ConnectionStanding()
    let configuration: PostgresConfiguration
    var wire: Wire?
    var statements = PreparedStatementCache()
    var encoded = EncodedParameters()
    var isCopying = false

    /// The connection's thread.
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        thread.asUnownedSerialExecutor()
    }

    private init(_ configuration: PostgresConfiguration, thread: ConnectionThread) {
        self.configuration = configuration
        self.thread = thread
    }

    deinit {
        thread.stop()
    }

    /// Connects to the first host that responds and accepts writes.
    ///
    /// - Throws: `connectionFailed`, at the latest after the connect timeout for each host.
    package static func connect(
        _ configuration: PostgresConfiguration
    ) async throws(PostgresError) -> PostgresConnection {
        let connection = PostgresConnection(configuration, thread: try ConnectionThread.start())
        try await connection.open()
        try await connection.begin()
        return connection
    }

    /// Connects as ``connect(_:)`` does, but sets and prepares nothing in the session.
    ///
    /// So the next client to whom a pooler lends the session finds it unchanged.
    static func connectPlainly(
        _ configuration: PostgresConfiguration
    ) async throws(PostgresError) -> PostgresConnection {
        let connection = PostgresConnection(configuration, thread: try ConnectionThread.start())
        try await connection.open()
        await connection.prepareNothing()
        return connection
    }

    private func prepareNothing() { statements = PreparedStatementCache(limit: 0) }

    private func open() throws(PostgresError) {
        let wire = try Wire(configuration)
        self.wire = wire
        standing.opened(wire)
    }

    /// Makes the session ours.
    private func begin() throws(PostgresError) {
        do {
            try applySettings(configuration.sessionSettings())
            _ = try run(Self.durability)
        } catch {
            close()
            // The session is new to us: only another client that shares it can have prepared a statement of this name.
            if error.sqlState == .duplicatePreparedStatement { throw .sharedSession }
            var failure = PostgresError(.connectionFailed, "the session's settings were refused: \(error.message)")
            failure.sqlState = error.sqlState
            throw failure
        }
        try noteReign()
    }

    private func noteReign() throws(PostgresError) {
        guard let succession = configuration.succession else { return }
        do {
            guard let reign = try run(Succession.Reign.present) else { return }
            try succession.note(reign)
            standing.began(under: reign)
        } catch {
            // Some providers keep these functions for themselves: then nothing is known of the succession.
            if error.isFunctionWithheld { return }
            close()
            throw PostgresError(.connectionFailed, error.message)
        }
    }

    /// Raises `synchronous_commit` to `on`, regardless of the server, the role, the URL and the settings: an
    /// acknowledged commit is on disk, and on a synchronous standby's disk if there is one.
    ///
    /// `remote_apply` guarantees more and is kept (PostgreSQL manual, "Write Ahead Log").
    private static let durability = PostgresQuery<Int>.affected(
        """
        SELECT set_config('synchronous_commit', 'on', false)
        WHERE current_setting('synchronous_commit') <> 'remote_apply'
        """)

    func applySettings(_ settings: [(name: String, value: String)]) throws(PostgresError) {
        let calls = settings.indices.map { "set_config($\($0 * 2 + 1), $\($0 * 2 + 2), false)" }
        let parameters: PostgresParameters = settings.flatMap { [$0.name, $0.value] }
        _ = try run(PostgresQuery.affected("SELECT " + calls.joined(separator: ", "), parameters))
    }

    /// Whether statements can still be sent, as far as known without a round trip.
    package nonisolated var isUsable: Bool {
        standing.isUsable
    }

    /// Whether a transaction is open, including a failed one.
    package nonisolated var isInTransaction: Bool {
        standing.isInTransaction
    }

    /// Whether the session is with a former primary, as far as the process knows by now.
    nonisolated var isOfFormerPrimary: Bool {
        guard let succession = configuration.succession, let reign = standing.reign else { return false }
        return !succession.isCurrent(reign)
    }

    /// Asks the server to cancel the running statement, which then fails with 57014.
    ///
    /// It can be called from any thread and returns at once. A late request can cancel the next statement.
    package nonisolated func cancel() {
        standing.cancel()
    }

    /// Ends the session; has no effect if it has ended.
    package func close() {
        standing.closed()
        wire = nil
    }

    /// The wire, for a call that sends.
    ///
    /// - Throws: `closed`, and `busy` during a COPY.
    func ready() throws(PostgresError) -> Wire {
        guard let wire else { throw PostgresError(.closed, "the connection is closed") }
        if isCopying { throw PostgresError(.busy, "the connection is running a COPY") }
        return wire
    }

    /// Checks whether an idle session is alive, without a round trip.
    func absorb() {
        guard !isCopying else { return }
        wire?.absorb()
        updateStanding()
    }

    /// Records the state after a call, and closes an unusable connection.
    func updateStanding() {
        guard let wire else { return }
        if wire.isBroken {
            close()
        } else {
            standing.update(wire)
        }
    }
}

extension PostgresConnection {
    /// Connects, runs a closure, and closes the connection in every case.
    ///
    /// - Throws: as ``connect(_:)``; the closure's error.
    package nonisolated(nonsending) static func with<Output>(
        _ configuration: PostgresConfiguration,
        _ work: nonisolated(nonsending) (PostgresConnection) async throws -> Output
    ) async throws -> Output {
        let connection = try await connect(configuration)
        do {
            let output = try await work(connection)
            await connection.close()
            return output
        } catch {
            await connection.close()
            throw error
        }
    }
}
