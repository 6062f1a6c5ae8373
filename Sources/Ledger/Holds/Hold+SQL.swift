import Foundation
package import Postgres

extension Hold {
    private static let columns = """
        id, user_id, status, coins, captured, released, reference, placed_at, expires_at, closed_at, journal_entry_id
        """

    /// The holds with these ids.
    static func find(_ ids: [Int64]) -> PostgresQuery<[Hold]> {
        PostgresQuery("SELECT \(columns) FROM hold WHERE id = ANY($1)", [ids])
    }

    /// A user's holds that were placed in the period, newest first.
    ///
    /// Returns up to `limit` + 1 rows, to show whether there are more.
    static func history(
        of user: UserID, in period: Period, _ status: Status?, before id: Int64?, limit: Int
    ) -> PostgresQuery<[Hold]> {
        PostgresQuery(
            """
            SELECT \(columns) FROM hold
            WHERE user_id = $1 AND id < $2 AND placed_at >= $4 AND placed_at < $5 AND ($6 IS NULL OR status = $6)
            ORDER BY id DESC LIMIT $3
            """,
            [
                user.rawValue, id ?? Int64.max, Int64(limit + 1), period.from, period.to, status?.rawValue,
            ])
    }

    /// Open holds that have expired, earliest expiry first.
    static func due(limit: Int) -> PostgresQuery<[Readable<Hold>]> {
        PostgresQuery(
            """
            SELECT \(columns) FROM hold WHERE status = 'open' AND expires_at <= now() ORDER BY expires_at, id LIMIT $1
            """,
            [Int64(limit)], row: Readable.init)
    }

    /// Inserts holds in their first state: open, with all of their coins held.
    ///
    /// The database then applies their events.
    static func insert(_ holds: [Hold], stripes: [Stripe]) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO hold (
                id, stripe, user_id, status, coins, captured, released, reference, placed_at, expires_at,
                journal_entry_id)
            SELECT id, stripe, user_id, 'open', coins, 0, 0, reference, placed_at, expires_at, journal_entry_id
            FROM unnest(
                $1::int8[], $2::int8[], $3::text[], $4::int8[], $5::text[], $6::timestamptz[], $7::timestamptz[],
                $8::int8[])
                AS new (id, stripe, user_id, coins, reference, placed_at, expires_at, journal_entry_id)
            """,
            [
                holds.map(\.id), stripes.map(\.number), holds.map(\.user.rawValue), holds.map(\.coins),
                holds.map(\.reference), holds.map(\.placedAt), holds.map(\.expiresAt),
                holds.map(\.journalEntryID),
            ])
    }
}

extension Hold: PostgresReadable {
    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> Hold {
        try row.make(of: "hold", at: &column, Hold.init)
    }
}

extension HoldLot {
    /// The lots of the holds with these ids, in the order in which they are captured.
    static func of(_ holds: [Int64]) -> PostgresQuery<[HoldLot]> {
        PostgresQuery(
            """
            SELECT hold_id, place, lot_id, coins, held
            FROM unnest($1::int8[]) AS asked (hold_id)
            JOIN hold_lot USING (hold_id)
            ORDER BY hold_id, place
            """,
            [holds]
        ) { row in try row.make(HoldLot.init) }
    }

    /// Inserts the lots of new holds, with all of their coins held.
    static func insert(_ lots: [HoldLot]) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO hold_lot (hold_id, place, lot_id, coins, held)
            SELECT hold_id, place, lot_id, coins, coins
            FROM unnest($1::int8[], $2::int8[], $3::int8[], $4::int8[]) AS new (hold_id, place, lot_id, coins)
            """,
            [lots.map(\.holdID), lots.map(\.place), lots.map(\.lotID), lots.map(\.coins)])
    }
}

extension Hold.Status: PostgresRawRepresentable {}
