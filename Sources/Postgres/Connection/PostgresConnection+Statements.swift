import CLibPQ

extension PostgresConnection {
    /// Runs statements without parameters or results, several in one text (the simple query protocol).
    ///
    /// Without a `BEGIN` among them they are one transaction.
    ///
    /// - Throws: `server` for the first statement that failed, and whatever ends the session.
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

    /// Reads to the end of the replies, so that the connection can go on; throws the first error among them.
    static func readAll(_ wire: Wire, statement: String) throws(PostgresError) {
        var failure: PostgresError?
        do throws(PostgresError) {
            while let result = try wire.nextResult() {
                switch result.status {
                case PGRES_FATAL_ERROR: failure = failure ?? result.error(statement: statement)
                case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH: throw wire.lost("COPY can't be executed like this")
                default:
                    if result.isRefusedCommit(of: statement) { failure = failure ?? .refusedCommit }
                }
            }
        } catch {
            // What the server has said before it fell silent is more than that it has.
            throw failure ?? error
        }
        if let failure { throw failure }
    }

    /// libpq takes text that ends with its first NUL: a statement must not be cut short unseen.
    static func check(_ sql: String) throws(PostgresError) {
        if sql.utf8.contains(0) { throw PostgresError(.configuration, "the statement holds a NUL character") }
    }

    /// What a call throws: the error with its statement; the server is asked to stop what we no longer wait for.
    func failed(_ error: PostgresError, statement: String? = nil) -> PostgresError {
        if error.code == .timeout { standing.cancel() }
        var error = error
        error.statement = error.statement ?? statement
        return error
    }
}

extension PostgresError {
    /// A COMMIT that the server answered with `ROLLBACK`.
    static var refusedCommit: PostgresError {
        var error = PostgresError(.server, "the transaction had failed before and was rolled back", statement: "COMMIT")
        error.sqlState = .inFailedTransaction
        return error
    }
}
