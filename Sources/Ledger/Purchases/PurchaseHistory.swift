import Foundation
import Postgres

/// Where a user's purchase history goes on: after this purchase.
public struct PurchaseCursor: Sendable, Codable, Equatable {
    /// The last purchase's time of credit.
    public let creditedAt: CursorMoment
    /// The last purchase's id.
    public let id: Int64

    init(after purchase: Purchase) {
        self.creditedAt = CursorMoment(purchase.creditedAt)
        self.id = purchase.id
    }
}

extension Purchase {
    /// A user's purchases that were credited in the period, of a status if one is given, newest first: one more than
    /// `limit`, to see whether there are more.
    static func history(
        of user: UserID, in period: Period, _ status: Status?, after cursor: PurchaseCursor?, limit: Int
    ) -> PostgresQuery<[Purchase]> {
        PostgresQuery(
            """
            SELECT \(columns)
            FROM purchase
            WHERE user_id = $1 AND (credited_at, id) < ($2, $3) AND credited_at >= $5 AND credited_at < $6
                AND ($7 IS NULL OR status = $7)
            ORDER BY credited_at DESC, id DESC
            LIMIT $4
            """,
            [
                user.rawValue,
                cursor?.creditedAt.date ?? Date.endOfHistory, cursor?.id ?? Int64.max, Int64(limit + 1), period.from,
                period.to, status?.rawValue,
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
    /// Earlier than any record: the year 1.
    static let beginningOfHistory = Date(timeIntervalSince1970: -62_135_596_800)

    /// Later than any record: the year 9999.
    static let endOfHistory = Date(timeIntervalSince1970: 253_370_764_800)

    /// PostgreSQL keeps times to the microsecond; so do cursors.
    ///
    /// What 64 bits can't hold becomes their end, far beyond what PostgreSQL keeps.
    var microsecondsSince1970: Int64 {
        let microseconds = (timeIntervalSince1970 * 1_000_000).rounded()
        return Int64(exactly: microseconds) ?? (microseconds < 0 ? .min : .max)
    }

    /// The next time that PostgreSQL can tell from this one.
    var nextMicrosecond: Date {
        let next = microsecondsSince1970.addingReportingOverflow(1)
        return Date(microsecondsSince1970: next.overflow ? .max : next.partialValue)
    }

    init(microsecondsSince1970 microseconds: Int64) {
        self.init(timeIntervalSince1970: Double(microseconds) / 1_000_000)
    }
}
