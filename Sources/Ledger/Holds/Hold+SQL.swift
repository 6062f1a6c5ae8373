import Foundation
package import Postgres

extension Hold {
    private static let columns = """
        id, user_id, status, coins, captured, released, reference, placed_at, expires_at, closed_at, journal_entry_id
        """

    /// The holds with these ids.
    ///
    /// Only the primary key has this order, so no plan looks for ids in the index of a user's holds (decision 0002).
    static func find(_ ids: [Int64]) -> PostgresQuery<[Hold]> {
        PostgresQuery("SELECT \(columns) FROM hold WHERE id = ANY($1) ORDER BY id", [ids])
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
    static let insert = BulkInsert<(hold: Hold, stripe: Stripe)>(
        into: "hold",
        [
            .init("id", \.hold.id), .init("stripe", \.stripe), .init("user_id", \.hold.user),
            .init("coins", \.hold.coins), .init("reference", \.hold.reference), .init("placed_at", \.hold.placedAt),
            .init("expires_at", \.hold.expiresAt), .init("journal_entry_id", \.hold.journalEntryID),
        ],
        and: [
            "status": "'open'", "captured": "0", "released": "0",
        ])
}

extension Hold: PostgresReadable {
    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> Hold {
        try row.make(of: "hold", at: &column, Hold.init)
    }
}

extension HoldLot {
    /// The lots of the holds with these ids, in the order in which they are captured: that of the primary key.
    static func of(_ holds: [Int64]) -> PostgresQuery<[HoldLot]> {
        PostgresQuery(
            """
            SELECT hold_id, place, lot_id, coins, held FROM hold_lot WHERE hold_id = ANY($1) ORDER BY hold_id, place
            """,
            [holds]
        ) { row in try row.make(HoldLot.init) }
    }

    /// Inserts the lots of new holds, with all of their coins held.
    static let insert = BulkInsert<HoldLot>(
        into: "hold_lot",
        [
            .init("hold_id", \.holdID), .init("place", \.place), .init("lot_id", \.lotID), .init("coins", \.coins),
        ],
        and: ["held": "coins"])
}

extension Hold.Status: PostgresRawRepresentable {}
