package import CivilTime
import Foundation
import Postgres

/// An adjustment that is not booked, although its month is over.
package struct MissingAdjustment: Sendable, Equatable {
    package let subject: AccountingPolicy.Subject
    package let month: CivilMonth
}

extension MissingAdjustment {
    /// SQL for the months that end in the period from $1 to $2, in the time zone $3, of which a policy asks for an
    /// adjustment, or the last adjustment must be taken back, and of which or later none is booked.
    ///
    /// Its columns are `subject`, `month` and, for the end of the month, `since`.
    static let rows = """
        SELECT subject, to_char(start, 'YYYY-MM') AS month, (start + interval '1 month') AT TIME ZONE $3 AS since
        FROM (SELECT DISTINCT subject FROM accounting_policy) AS asked
        CROSS JOIN \(ClosingChecklist.months) AS start
        CROSS JOIN LATERAL (
            SELECT method FROM accounting_policy
            WHERE accounting_policy.subject = asked.subject AND month <= to_char(start, 'YYYY-MM')
            ORDER BY month DESC, id DESC LIMIT 1
        ) AS policy
        LEFT JOIN LATERAL (
            SELECT month, target FROM adjustment
            WHERE adjustment.subject = asked.subject ORDER BY number DESC LIMIT 1
        ) AS last ON true
        WHERE (policy.method NOT IN ('at_expiry', 'none') OR last.target <> 0)
            AND coalesce(last.month, '') < to_char(start, 'YYYY-MM')
        """

    /// What is missing of the months that end in a period, oldest month first.
    static func list(
        from: Date, until: Date, in zone: TimeZone, limit: Int
    ) -> PostgresQuery<[MissingAdjustment]> {
        PostgresQuery(
            "SELECT subject, month FROM (\(rows)) AS missing ORDER BY month, subject LIMIT $4",
            [from, until, zone.identifier, Int64(limit)]
        ) { row in try row.make(MissingAdjustment.init) }
    }
}
