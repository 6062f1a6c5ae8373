extension PostgresConnection {
    /// Refuses a server that is reached through a pooler that lends its sessions for one transaction or statement.
    ///
    /// Behind one, a session's settings, `synchronous_commit` among them, are another client's from the next
    /// transaction on; so are advisory locks, prepared statements and `LISTEN` (decision 0224).
    ///
    /// Two open connections compare which process of the server carries out their statements, while one of them has a
    /// transaction: what is refused is proved, on a slow server too. A pooler that happens to give both what a server
    /// would is not noticed; four rounds make that unlikely. Nothing is set or kept in a session.
    ///
    /// - Parameter patience: how long the second connection waits for a reply: a pooler without another server connection says
    ///   nothing.
    /// - Throws: `sharedSession`; as ``connect(_:)``.
    package static func requireOwnSessions(
        _ configuration: PostgresConfiguration, patience: Duration = .seconds(8)
    ) async throws(PostgresError) {
        var configuration = configuration
        // A migrator has an hour's patience, and here a server that says nothing for so long hangs.
        configuration.replyTimeout = min(configuration.replyTimeout, .seconds(8))
        let first = try await connectPlainly(configuration)
        do throws(PostgresError) {
            configuration.replyTimeout = min(configuration.replyTimeout, patience)
            let second = try await connectPlainly(configuration)
            do throws(PostgresError) {
                try await compare(first, second)
            } catch {
                await second.close()
                throw error
            }
            await second.close()
        } catch {
            await first.close()
            throw error
        }
        await first.close()
    }

    private static func compare(
        _ first: PostgresConnection, _ second: PostgresConnection
    ) async throws(PostgresError) {
        var sessions = ObservedSessions()
        try await sessions.saw(first.serverProcess(), in: .first)
        for _ in 0..<4 {
            try await second.beginComparing()
            try await sessions.saw(second.serverProcess(), in: .second)
            try await sessions.saw(first.serverProcess(), in: .first)
            try await second.execute("COMMIT")
            try await sessions.saw(second.serverProcess(), in: .second)
        }
    }

    private func beginComparing() throws(PostgresError) {
        do {
            try execute("BEGIN READ ONLY")
        } catch {
            // pgbouncer's pool_mode = statement.
            if error.sqlState == .protocolViolation { throw .sharedSession }
            guard error.code == .timeout else { throw error }
            throw PostgresError(
                .connectionFailed,
                "no reply to a second connection while a first one is open: a pooler in between has too few server "
                    + "connections for ledgerd, or the server hangs")
        }
    }

    private func serverProcess() throws(PostgresError) -> ServerProcess? { try run(ServerProcess.present) }
}

extension PostgresError {
    static let sharedSession = PostgresError(
        .sharedSession,
        "a pooler in front of the database gives a session to one client after the other, and ledgerd needs sessions "
            + "of its own")
}

/// The process of a server that serves a session; each session has its own, until it ends.
struct ServerProcess: Sendable, Equatable {
    let id: Int64
    /// When it began, in microseconds: ids come again.
    let began: Int64

    /// The process that answers; nil: it does not say when it began.
    static let present = PostgresQuery<ServerProcess?>.first(
        """
        SELECT pid::int8, (extract(epoch FROM backend_start) * 1000000)::int8 FROM pg_catalog.pg_stat_activity
        WHERE pid = pg_catalog.pg_backend_pid() AND backend_start IS NOT NULL
        """
    ) { row in ServerProcess(id: try row[0], began: try row[1]) }
}

/// What two open connections have seen of their sessions.
struct ObservedSessions {
    enum Connection { case first, second }

    private var processes: [Connection: ServerProcess] = [:]

    /// Notes which process carried out a statement of a connection.
    ///
    /// - Throws: `sharedSession` if it is not the connection's own: the other has had it, or this one has had another.
    mutating func saw(_ process: ServerProcess?, in connection: Connection) throws(PostgresError) {
        guard let process else { return }
        let isOthers = processes.contains { $0.key != connection && $0.value == process }
        let before = processes.updateValue(process, forKey: connection)
        if isOthers || before != nil && before != process { throw .sharedSession }
    }
}
