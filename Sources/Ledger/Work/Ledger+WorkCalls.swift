import Postgres

extension Ledger {
    /// Reports new work from any process, until the task is cancelled.
    ///
    /// It uses its own connection. It may miss work, so work lists must still be polled. The same session shows other
    /// processes that this one is running (``Presence``).
    ///
    /// - Parameter onWork: called with the ``WorkList/name`` of the list that has work; nil: any list may have work,
    ///   because it could have come before the connection was made.
    /// - Throws: ``LedgerError`` when the connection can't be made or is lost.
    package func listenForWork(_ onWork: @Sendable (String?) -> Void) async throws(LedgerError) {
        try await reading {
            try await PostgresConnection.with(database.forListening) { connection in
                try await connection.listen(Self.workChannel)
                try await presence.begin(on: connection)
                defer { presence.end() }
                onWork(nil)
                while !Task.isCancelled {
                    if let call = try await connection.nextNotification(within: .seconds(5)) {
                        onWork(call.payload)
                    } else {
                        // A query shows whether the connection is still alive.
                        try await connection.execute("SELECT")
                    }
                }
            }
        }
    }

    /// Makes due what processes had leased that no longer run.
    ///
    /// - Returns: the number of leases.
    package func endLeasesOfEndedProcesses() async throws(LedgerError) -> Int {
        try await reading {
            try await pools.work.withConnection { connection in
                try await connection.pipeline([
                    ReceiptRetries.endLeases(), WebhookRecords.endLeases(), Refunds.endLeases(),
                    ReconciliationRun.endLeases(), PendingTopUps.endLeases(), CampaignRuns.endLeases(),
                    PendingForgettings.endLeases(), StoreDeliveries.endLeases(), RefundQuestions.endLeases(),
                ])
                .reduce(0, +)
            }
        }
    }

    /// The channel of `tell_of_work` (schema/judges/journal.sql).
    private static let workChannel = "ledgerd_work"
}
