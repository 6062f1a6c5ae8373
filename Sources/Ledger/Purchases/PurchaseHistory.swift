import Foundation
import Postgres

/// Where a user's purchase history goes on: after this purchase.
public struct PurchaseCursor: Sendable, Codable, Equatable {
    /// The last purchase's time of credit, in microseconds since 1970.
    public let creditedAt: Int64
    /// The last purchase's id.
    public let id: Int64

    init(after purchase: Purchase) {
        self.creditedAt = purchase.creditedAt.microsecondsSince1970
        self.id = purchase.id
    }
}

extension Purchase {
    /// A user's purchases, newest first: one more than `limit`, to see whether there are more.
    static func history(of user: UserID, after cursor: PurchaseCursor?, limit: Int) -> PostgresQuery<[Purchase]> {
        PostgresQuery(
            """
            SELECT \(columns)
            FROM purchase
            WHERE user_id = $1 AND (credited_at, id) < ($2, $3)
            ORDER BY credited_at DESC, id DESC
            LIMIT $4
            """,
            [
                user.rawValue,
                cursor.map { Date(microsecondsSince1970: $0.creditedAt) } ?? Date.endOfHistory,
                cursor?.id ?? Int64.max,
                Int64(limit + 1),
            ],
            row: decode)
    }

    /// The user's own purchase with this id; another's is not found.
    static func find(_ id: Int64, of user: UserID) -> PostgresQuery<[Purchase]> {
        PostgresQuery(
            "SELECT \(columns) FROM purchase WHERE id = $1 AND user_id = $2", [id, user.rawValue], row: decode)
    }
}

extension Date {
    /// Later than any record: the year 9999.
    static let endOfHistory = Date(timeIntervalSince1970: 253_370_764_800)

    /// PostgreSQL keeps times to the microsecond; so do cursors.
    var microsecondsSince1970: Int64 { Int64((timeIntervalSince1970 * 1_000_000).rounded()) }

    /// The next time that PostgreSQL can tell from this one.
    var nextMicrosecond: Date { Date(microsecondsSince1970: microsecondsSince1970 + 1) }

    init(microsecondsSince1970 microseconds: Int64) {
        self.init(timeIntervalSince1970: Double(microseconds) / 1_000_000)
    }
}
