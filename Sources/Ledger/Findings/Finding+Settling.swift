import Postgres

/// The statements of ``Findings/settle(pagesOf:)``.
extension Finding {
    /// Some of the findings that are not resolved, as one statement saw them.
    struct SweptPage {
        /// Those of which the books have ended every kind.
        let ended: [Int64]
        /// The last one that was looked at; nil: none comes after this page.
        let last: Int64?
    }

    /// Looks at the next findings that are not resolved, in the order of their ids.
    static func sweep(after id: Int64, limit: Int64) -> PostgresQuery<SweptPage> {
        .one(
            """
            SELECT coalesce(array_agg(finding.id ORDER BY finding.id) FILTER (WHERE matter.kind IS NULL), '{}'),
                CASE count(*) WHEN $2 THEN max(finding.id) END
            FROM (SELECT * FROM finding WHERE resolved_at IS NULL AND id > $1 ORDER BY id LIMIT $2) AS finding
            \(standing)
            """, [id, limit]
        ) { row in SweptPage(ended: try row.decode(0, as: [Int64].self), last: try row[1]) }
    }

    /// Locks those of the findings that nobody else has locked.
    ///
    /// So the sweep waits for nobody, and the writers that it meets are not in a deadlock with it.
    static func lockUnlessLocked(_ ids: [Int64]) -> PostgresQuery<[Int64]> {
        PostgresQuery("SELECT id FROM finding WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED", [ids])
    }

    /// Resolves those of the findings of which the books have ended every kind, and marks them as ended by the books.
    ///
    /// The caller has locked them in an earlier statement of the transaction, so that this one sees them as they stay: one
    /// whose kinds, amount or time of payment changed since the sweep saw it is judged anew.
    static func settle(_ locked: [Int64]) -> PostgresQuery<Int> {
        .affected(
            """
            UPDATE finding SET resolved_at = now(), ended_by_books = true
            FROM (
                SELECT finding.id FROM finding
                \(standing)
                WHERE finding.id = ANY($1) AND finding.resolved_at IS NULL AND matter.kind IS NULL
            ) AS ended
            WHERE finding.id = ended.id
            """, [locked])
    }
}
