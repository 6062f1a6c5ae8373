package import Foundation
import Postgres

/// The events that an endpoint wants and did not get.
package struct EndpointBacklog: Sendable, Equatable {
    /// The new events that are wanted, among the first ``mostExamined`` after the endpoint's position.
    package let events: Int64
    /// Whether there are events after those that were looked at.
    package let hasMore: Bool
    /// When the first of the events was recorded; nil: there is none.
    package let since: Date?
    /// The users whose events wait because an attempt failed, at most ``mostExamined``.
    package let waitingUsers: Int64
    /// Since when the first of them waits; nil: none does.
    package let waitingSince: Date?
    /// The events that were given up, at most ``mostExamined``.
    package let givenUp: Int64

    /// The most events and users that are counted.
    package static let mostExamined: Int64 = 1000
}

// MARK: - SQL

extension EndpointBacklog {
    static func find(of endpoint: Int64) -> PostgresQuery<EndpointBacklog?> {
        .first(
            """
            SELECT news.wanted, news.examined = $2, (
                    SELECT coalesce(
                        (SELECT recorded_at FROM journal_entry WHERE journal_entry.id = event.id),
                        (SELECT recorded_at FROM occurrence WHERE occurrence.id = event.id))
                    FROM event WHERE event.seq = news.first),
                (SELECT count(*) FROM (SELECT FROM endpoint_lane WHERE reader_id = reader.id LIMIT $2) AS lane),
                (
                    SELECT waiting_since FROM endpoint_lane
                    WHERE reader_id = reader.id ORDER BY reader_id, waiting_since LIMIT 1),
                (SELECT count(*) FROM (SELECT FROM endpoint_failure WHERE endpoint_id = $1 LIMIT $2) AS failure)
            FROM endpoint
            JOIN endpoint_reader AS reader ON reader.endpoint_id = endpoint.id AND reader.until IS NULL
            CROSS JOIN LATERAL (
                SELECT count(*) AS examined, count(*) FILTER (WHERE is_wanted) AS wanted,
                    min(seq) FILTER (WHERE is_wanted) AS first
                FROM (
                    SELECT event.seq, (cardinality(types) = 0 OR event.type = ANY(types))
                        AND (cardinality(users) = 0 OR coalesce(event.user_id = ANY(users), false))
                        AND NOT EXISTS (
                            SELECT FROM endpoint_lane
                            WHERE reader_id = reader.id AND lane = coalesce(event.user_id, '')) AS is_wanted
                    FROM event WHERE event.seq > reader.position ORDER BY event.seq LIMIT $2
                ) AS examined
            ) AS news
            WHERE endpoint.id = $1
            """,
            [endpoint, mostExamined]
        ) { row in try row.make(EndpointBacklog.init) }
    }
}
