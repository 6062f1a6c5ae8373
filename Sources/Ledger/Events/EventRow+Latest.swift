import Postgres

/// Where the next page of events begins, newest first: before this one.
package struct EventCursor: Sendable, Codable, Equatable {
    let seq: Int64
}

extension EventRow {
    /// The numbers of the latest events before one, newest first, and before which number the next page begins.
    ///
    /// Types are looked for among ``EventFilter/mostExamined`` events, so that a page of a rare type can be short.
    static func before(
        _ seq: Int64, _ filter: EventFilter, limit: Int
    ) -> PostgresQuery<(seqs: [Int64], next: Int64?)> {
        let examined = filter.types.isEmpty ? limit : max(limit, EventFilter.mostExamined)
        var parameters: PostgresParameters = [seq, filter.types.map(\.rawValue), Int64(limit), Int64(examined)]
        if let user = filter.user { parameters.append(user.rawValue) }
        return .one(
            """
            WITH examined AS MATERIALIZED (
                SELECT seq, type FROM event
                WHERE seq < $1 \(filter.user == nil ? "" : "AND user_id = $5 AND user_id IS NOT NULL")
                ORDER BY seq DESC
                LIMIT $4
            ), shown AS MATERIALIZED (
                SELECT seq FROM examined WHERE cardinality($2::text[]) = 0 OR type = ANY($2) ORDER BY seq DESC LIMIT $3
            )
            SELECT ARRAY(SELECT seq FROM shown), CASE
                WHEN (SELECT count(*) FROM shown) = $3 THEN (SELECT min(seq) FROM shown)
                WHEN (SELECT count(*) FROM examined) = $4 THEN (SELECT min(seq) FROM examined) END
            """,
            parameters
        ) { row in (seqs: try row.decode(0, as: [Int64].self), next: try row[1]) }
    }
}
