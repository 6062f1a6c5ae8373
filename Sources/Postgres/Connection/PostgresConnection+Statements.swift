import CLibPQ

extension PostgresConnection {
    /// Runs statements without parameters or results, several per text (the simple query protocol).
    ///
    /// Without a `BEGIN`, they are one transaction.
    ///
    /// - Throws: `server` for the first failed statement, and errors that end the session.
    package func execute(_ sql: String) throws(PostgresError) {
        let wire = try ready()
        try Self.check(sql)
        defer { updateStanding() }
        do {
            try wire.send(sql)
            try Self.readAll(wire, statement: sql)
        } catch {
            throw failed(error, statement: sql)
        }
    }

    /// Reads all replies, so that the connection stays usable; throws the first error.
    static func readAll(_ wire: Wire, statement: String) throws(PostgresError) {
        var failure: PostgresError?
        do throws(PostgresError) {
            while let result = try wire.nextResult() {
                switch result.status {
                case PGRES_FATAL_ERROR: failure = failure ?? result.error(statement: statement)
                case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH: throw wire.lost("use copyOut for COPY")
                default:
                    if result.isRefusedCommit(of: statement) { failure = failure ?? .refusedCommit }
                }
            }
        } catch {
            // The server's earlier error is more informative than its silence.
            throw failure ?? error
        }
        if let failure { throw failure }
        if wire.notices.takeUnconfirmedCommit() { throw .unconfirmedCommit }
    }

    /// libpq's texts end at the first NUL, so a statement with a NUL would be cut silently.
    static func check(_ sql: String) throws(PostgresError) {
        if sql.utf8.contains(0) { throw PostgresError(.configuration, "the statement contains a NUL character") }
    }

    /// The error with its statement.
    ///
    /// Also asks the server to cancel a statement that we no longer wait for.
    func failed(_ error: PostgresError, statement: String? = nil) -> PostgresError {
        if error.code == .timeout { standing.cancel() }
        var error = error
        error.statement = error.statement ?? statement
        return error
    }
}

extension PostgresError {
    /// A commit whose wait for the standby was cancelled.
    static var unconfirmedCommit: PostgresError {
        PostgresError(.unconfirmed, "the primary committed and stopped waiting for its standby")
    }

    /// A COMMIT that the server answered with `ROLLBACK`.
    static var refusedCommit: PostgresError {
        var error = PostgresError(.server, "the transaction had failed before and was rolled back", statement: "COMMIT")
        error.sqlState = .inFailedTransaction
        return error
    }
}

extension PostgresConnection {
    /// What the server stores instead of a password (SCRAM-SHA-256, RFC 5803), for `CREATE ROLE … PASSWORD`: the password
    /// itself then stands in no statement, and in no log of statements.
    ///
    /// - Throws: `configuration` for a password that can't be used.
    package func verifier(ofPassword password: String, for role: String) throws(PostgresError) -> String {
        let wire = try ready()
        guard let verifier = PQencryptPasswordConn(wire.pointer, password, role, "scram-sha-256") else {
            throw PostgresError(.configuration, "the password can't be used")
        }
        defer { PQfreemem(verifier) }
        return String(cString: verifier)
    }
}
