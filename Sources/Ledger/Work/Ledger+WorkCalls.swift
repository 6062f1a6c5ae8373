import Postgres

extension Ledger {
    /// Tells of work as soon as it is there, from whichever process it comes, until the task is cancelled.
    ///
    /// On a connection of its own. What it misses is found by looking, which it does not replace.
    ///
    /// - Parameter onWork: told the ``WorkList/name`` of the list that has work; nil: any may have some, for something may
    ///   have come while nobody listened.
    /// - Throws: ``LedgerError`` when the connection can't be made or is lost.
    package func listenForWork(_ onWork: @Sendable (String?) -> Void) async throws(LedgerError) {
        try await reading {
            try await PostgresConnection.with(database) { connection in
                try await connection.listen(Self.workChannel)
                onWork(nil)
                while !Task.isCancelled {
                    if let call = try await connection.nextNotification(within: .seconds(30)) {
                        onWork(call.payload)
                    } else {
                        // A peer that is gone without a word is noticed by asking it.
                        try await connection.execute("SELECT")
                    }
                }
            }
        }
    }

    /// The channel of migrations/0026.
    private static let workChannel = "ledgerd_work"
}
