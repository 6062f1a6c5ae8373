extension PostgresConnection {
    /// Runs a closure on the connection's thread, without other statements in between.
    ///
    /// ```swift
    /// try await connection.perform { connection in
    ///     let snapshot = try connection.pipeline(.begin, loadAccounts, loadLots)
    ///     …
    ///     _ = try connection.pipeline(insertPostings, .commit)
    /// }
    /// ```
    package func perform<Output: Sendable, Failure: Error>(
        _ body: @Sendable (isolated PostgresConnection) throws(Failure) -> Output
    ) throws(Failure) -> Output {
        try body(self)
    }

    /// Runs a closure between `BEGIN` and `COMMIT`, on the connection's thread, without other statements in between;
    /// rolls back if it throws.
    ///
    /// - Parameter mode: what follows `BEGIN`, e.g. `ISOLATION LEVEL REPEATABLE READ READ ONLY`.
    /// - Throws: the closure's error; `server` with ``SQLState/inFailedTransaction`` when the closure has swallowed an
    ///   error of the server and the transaction can't be committed; `connectionLost` and `timeout` when it is unknown
    ///   whether the transaction was committed.
    package func transaction<Output: Sendable>(
        mode: String = "", _ body: @Sendable (isolated PostgresConnection) throws -> Output
    ) throws -> Output {
        try execute("BEGIN \(mode)")
        let output: Output
        do {
            output = try body(self)
        } catch {
            // The closure's error is more informative than a failed rollback, which closes the connection anyway.
            try? rollBack()
            throw error
        }
        try execute("COMMIT")
        return output
    }

    /// Rolls back an open transaction, or closes the connection.
    func rollBack() throws(PostgresError) {
        guard isUsable else { return }
        do {
            try execute("ROLLBACK")
        } catch {
            close()
            throw error
        }
    }
}
