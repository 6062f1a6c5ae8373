import Postgres

/// The gateways' events that wait to be worked off.
package typealias WebhookRecords = WorkList<WebhookRecord>

extension WebhookRecords {
    /// The most unsigned events from one network that may wait, of payments that we don't wait for.
    package static var mostPerSource: Int64 { 1000 }
    /// The most unsigned events in all that may wait, of payments that we don't wait for.
    package static var mostInAll: Int64 { 10_000 }
    /// The most unsigned events of one order that are worked off before others.
    static var mostPerOrder: Int64 { 4 }

    /// What became of an event that came.
    package enum Intake: Sendable {
        /// It waits to be worked on.
        case stored
        /// The gateway had sent it before, or one of the same payment waits: that is worked on at once.
        case known
        /// It is not stored: too many of its kind wait.
        case noRoom
    }

    /// Stores an event, to be worked on at once.
    ///
    /// An event without an id of its own is unsigned.
    package func store(_ draft: WebhookRecordDraft) async throws(LedgerError) -> Intake {
        try await reading {
            guard draft.eventID == nil else {
                return try await pools.work.run(WebhookRecord.insertSigned(draft)) == 1 ? .stored : .known
            }
            let repeats = try await pools.work.run(WebhookRecord.insertUnsigned(draft))
            return repeats.map { $0 == 0 ? .stored : .known } ?? .noRoom
        }
    }

    /// Deletes events that were decided before that, and more than a day ago.
    ///
    /// - Returns: how many; `limit` when there may be more.
    package func purge(olderThan age: Duration, limit: Int) async throws(LedgerError) -> Int {
        try await reading { try await pools.work.run(WebhookRecord.purge(olderThan: age, limit: limit)) }
    }
}
