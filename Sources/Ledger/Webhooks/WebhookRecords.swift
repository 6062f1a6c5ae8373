import Postgres

/// The work list of gateways' events.
package typealias WebhookRecords = WorkList<WebhookRecord>

extension WebhookRecords {
    /// The most waiting unsigned events from one network about payments that ledgerd does not wait for.
    package static var mostPerSource: Int64 { 1000 }
    /// The most waiting unsigned events about payments that ledgerd does not wait for.
    package static var mostInAll: Int64 { 10_000 }
    /// The most unsigned events of one order that are processed before others.
    static var mostPerOrder: Int64 { 4 }

    /// The result of storing an event.
    package enum Intake: Sendable {
        /// The event is stored, and waits to be processed.
        case stored
        /// The event was stored before, or an event of the same payment waits. That one is processed at once.
        case known
        /// The event is not stored, because too many events wait.
        case noRoom
    }

    /// Stores an event, to be processed at once.
    ///
    /// An event without an id is unsigned.
    package func store(_ draft: WebhookRecordDraft) async throws(LedgerError) -> Intake {
        try await reading {
            guard draft.eventID == nil else {
                if try await pools.work.run(WebhookRecord.insertSigned(draft)) == 1 { return .stored }
                // The gateway does not repeat an accepted event, so the known one must outlive a failover.
                _ = try await pools.work.run(Replication.mark)
                return .known
            }
            let repeats = try await pools.work.run(WebhookRecord.insertUnsigned(draft))
            return repeats.map { $0 == 0 ? .stored : .known } ?? .noRoom
        }
    }

    /// Deletes events that were decided longer than `age` and longer than a day ago.
    ///
    /// - Returns: how many were deleted; `limit` when there may be more.
    package func purge(olderThan age: Duration, limit: Int) async throws(LedgerError) -> Int {
        try await reading { try await pools.work.run(WebhookRecord.purge(olderThan: age, limit: limit)) }
    }
}
