import Postgres

/// The gateways' events that wait to be worked off.
public typealias WebhookRecords = WorkList<WebhookRecord>

extension WebhookRecords {
    /// Stores an event, to be worked on at once.
    ///
    /// - Returns: false when the gateway had sent it before, as its own id says; it is not stored again.
    public func store(_ draft: WebhookRecordDraft) async throws(LedgerError) -> Bool {
        try await reading { try await pool.run(WebhookRecord.insert(draft)) == 1 }
    }
}
