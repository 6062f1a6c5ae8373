package import Foundation
import Postgres

/// The open findings that have waited for about as long, counted up to ``OpenItems/most`` in all.
package struct FindingAge: Sendable, Equatable {
    /// The whole days since it was found, from this one on.
    package let fromDays: Int64
    /// Up to this day; nil: without an end.
    package let toDays: Int64?
    package let findings: Int64
}

extension Figures {
    /// The open findings by age: 0, 1–2, 3–6 and more days.
    package func findingAges(at now: Date) async throws(LedgerError) -> [FindingAge] {
        try await reading { try await pools.reads.run(FindingAge.list(at: now)) }
    }
}

extension FindingAge {
    fileprivate static func list(at now: Date) -> PostgresQuery<[FindingAge]> {
        PostgresQuery(
            """
            SELECT age.first, age.last, coalesce(found.findings, 0)
            FROM (VALUES (0, 0::bigint, 0::bigint), (1, 1, 2), (2, 3, 6), (3, 7, NULL)) AS age (place, first, last)
            LEFT JOIN (
                SELECT width_bucket(
                        greatest(floor(extract(epoch FROM $1::timestamptz - since) / 86400), 0)::bigint,
                        ARRAY[1, 3, 7]::bigint[]) AS place,
                    count(*) AS findings
                FROM (
                    SELECT coalesce(reopened_at, found_at) AS since FROM \(Finding.openRows()) LIMIT $2
                ) AS open
                GROUP BY 1
            ) AS found USING (place)
            ORDER BY age.first
            """, [now, OpenItems.most]
        ) { row in try row.make(FindingAge.init) }
    }
}
