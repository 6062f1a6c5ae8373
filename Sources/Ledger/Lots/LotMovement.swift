import Foundation
import Postgres

/// What is left of a lot after one change.
///
/// Never changed: what was left at any past moment is one of them.
struct LotMovement: Sendable, Equatable {
    /// The lot as the change left it; its `seq` is the movement's place.
    let lot: Lot
    let journalEntryID: Int64
    let recordedAt: Date
}

extension LotMovement {
    /// Inserts movements, each lot's together: the database judges every statement as a whole, and then says of the lots
    /// what the last ones do.
    static func insert(_ movements: [LotMovement]) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO lot_movement (
                lot_id, seq, stripe, journal_entry_id, remaining, held, deferred, expired, breakage, returned_at,
                recorded_at)
            SELECT * FROM unnest(
                $1::int8[], $2::int8[], $3::int8[], $4::int8[], $5::int8[], $6::int8[], $7::int8[], $8::int8[],
                $9::int8[], $10::timestamptz[], $11::timestamptz[])
            """,
            [
                movements.map(\.lot.id), movements.map(\.lot.seq), movements.map(\.lot.stripe.number),
                movements.map(\.journalEntryID), movements.map(\.lot.remaining), movements.map(\.lot.held),
                movements.map(\.lot.deferred), movements.map(\.lot.expired), movements.map(\.lot.breakage),
                movements.map(\.lot.returnedAt), movements.map(\.recordedAt),
            ])
    }
}
