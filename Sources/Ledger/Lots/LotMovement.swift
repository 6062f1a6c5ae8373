import Foundation
import Postgres

/// The state of a lot after one change.
///
/// A movement never changes: movements are the history of a lot.
struct LotMovement: Sendable, Equatable {
    /// The lot after the change; its `seq` is the movement's number.
    let lot: Lot
    let journalEntryID: Int64
    let recordedAt: Date
}

extension LotMovement {
    /// Inserts movements.
    ///
    /// All movements of a lot are in one statement, because the database checks each statement as a whole and then
    /// applies each lot's last movement.
    static let insert = BulkInsert<LotMovement>(
        into: "lot_movement",
        [
            .init("lot_id", \.lot.id), .init("seq", \.lot.seq), .init("stripe", \.lot.stripe),
            .init("journal_entry_id", \.journalEntryID), .init("remaining", \.lot.remaining), .init("held", \.lot.held),
            .init("deferred", \.lot.deferred), .init("expired", \.lot.expired), .init("breakage", \.lot.breakage),
            .init("returned_at", \.lot.returnedAt), .init("recorded_at", \.recordedAt), .init("taxed", \.lot.taxed),
            .init("taxed_breakage", \.lot.suppliedBreakage),
        ])
}
