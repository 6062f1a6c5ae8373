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
    static func insert(_ movements: [LotMovement]) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO lot_movement (
                lot_id, seq, stripe, journal_entry_id, remaining, held, deferred, expired, breakage, returned_at,
                recorded_at, taxed, taxed_breakage)
            SELECT * FROM unnest(
                $1::int8[], $2::int8[], $3::int8[], $4::int8[], $5::int8[], $6::int8[], $7::int8[], $8::int8[],
                $9::int8[], $10::timestamptz[], $11::timestamptz[], $12::int8[], $13::int8[])
            """,
            [
                movements.map(\.lot.id), movements.map(\.lot.seq), movements.map(\.lot.stripe.number),
                movements.map(\.journalEntryID), movements.map(\.lot.remaining), movements.map(\.lot.held),
                movements.map(\.lot.deferred), movements.map(\.lot.expired), movements.map(\.lot.breakage),
                movements.map(\.lot.returnedAt), movements.map(\.recordedAt), movements.map(\.lot.taxed),
                movements.map(\.lot.suppliedBreakage),
            ])
    }
}
