import Postgres

/// The events that one transaction numbered.
struct EventBatch: Sendable {
    /// The number of events.
    let count: Int64
    /// Whether nothing was left without a number.
    let isWhole: Bool
    /// Entries of different transactions that have the same time, if they keep the batch from being numbered.
    ///
    /// Their order has to be given.
    let ties: [Int64]
}

// MARK: - SQL

extension EventBatch {
    /// Lets others that publish wait until the transaction ends.
    static let lock = PostgresQuery<Int>.affected("SELECT pg_advisory_xact_lock(\(EventPublisher.lockKey))")

    /// Numbers what is visible and has no number, in order of time and id.
    ///
    /// Along an account time never falls, so this order is the account's. Only among entries of the same time of
    /// different transactions the ids do not tell it: these must have been put in `order`, or nothing is numbered.
    ///
    /// A batch at the limit has all entries of each of its times. Its last event has no snapshot, and the rest is found
    /// because it has no event.
    static func publish(upTo limit: Int, inOrder order: [Int64]) -> PostgresQuery<EventBatch> {
        PostgresQuery.one(
            """
            WITH \(last), first AS MATERIALIZED (
                SELECT news.*, tie.rank
                FROM (
                    SELECT id, transaction_id, recorded_at, kind, reference, NULL AS type, NULL AS user_id
                    FROM journal_entry AS entry, last
                    WHERE \(isNew("entry"))
                    UNION ALL
                    SELECT id, transaction_id, recorded_at, NULL, NULL, type, user_id
                    FROM occurrence, last
                    WHERE \(isNew("occurrence"))
                ) AS news
                LEFT JOIN unnest($2::int8[]) WITH ORDINALITY AS tie (id, rank) USING (id)
                ORDER BY recorded_at, rank, id
                LIMIT $1 + 1
            ), whole AS MATERIALIZED (
                SELECT count(*) <= $1 AS is_whole, min(recorded_at) = max(recorded_at) AS is_one_time,
                    max(recorded_at) AS last_time
                FROM first
            ), line AS MATERIALIZED (
                SELECT first.*, row_number() OVER win AS place,
                    lag(recorded_at) OVER win = recorded_at AND lag(transaction_id) OVER win <> transaction_id AS is_tied
                FROM first, whole
                WHERE is_whole OR is_one_time OR recorded_at < last_time
                WINDOW win AS (ORDER BY recorded_at, rank, id)
            ), tied AS MATERIALIZED (
                SELECT id, rank FROM line WHERE recorded_at IN (SELECT recorded_at FROM line WHERE is_tied)
            ), told AS (
                INSERT INTO event (seq, id, type, user_id, snapshot)
                SELECT last.seq + place, line.id, coalesce(line.type, \(EntryKind.eventTypeSQL(of: "line"))),
                    coalesce(line.user_id, \(EventUser.sql(of: "line"))),
                    CASE WHEN is_whole AND place = (SELECT max(place) FROM line) THEN pg_current_snapshot() END
                FROM line, last, whole
                WHERE NOT EXISTS (SELECT FROM tied WHERE rank IS NULL)
                RETURNING seq
            )
            SELECT (SELECT count(*) FROM told), (SELECT is_whole FROM whole),
                CASE WHEN EXISTS (SELECT FROM tied WHERE rank IS NULL) THEN ARRAY(SELECT id FROM tied) ELSE '{}' END
            """,
            [Int64(limit), order]
        ) { row in EventBatch(count: try row[0], isWhole: try row[1], ties: try row.decode(2, as: [Int64].self)) }
    }

    /// Wakes the readers of all processes.
    ///
    /// It is a transaction of its own, because transactions that notify commit one at a time, and it writes nothing, so
    /// it waits for no standby.
    static let notify = PostgresQuery<Int>.affected("SELECT pg_notify('ledgerd_work', 'event')")

    /// How many milliseconds ago the first entry without a number was recorded; nil: each has one.
    static let waiting = PostgresQuery<Int64?>.first(
        """
        WITH \(last)
        SELECT greatest(0, extract(epoch FROM clock_timestamp() - recorded_at) * 1000)::bigint
        FROM journal_entry AS entry, last
        WHERE \(isNew("entry"))
        ORDER BY entry.transaction_id, id
        LIMIT 1
        """
    ) { row in try row[0] }

    /// The number of the last event, and the last snapshot with its event's number.
    private static let last = """
        last AS MATERIALIZED (
            SELECT coalesce((SELECT max(seq) FROM event), 0) AS seq, coalesce(seen.seq, 0) AS seen_seq, seen.snapshot
            FROM (SELECT) AS one
            LEFT JOIN LATERAL (
                SELECT seq, snapshot FROM event WHERE snapshot IS NOT NULL ORDER BY seq DESC LIMIT 1
            ) AS seen ON true
        )
        """

    /// Whether a row has no event.
    ///
    /// After a whole batch the snapshot alone tells. The subquery is scalar, so that PostgreSQL always looks up by id.
    private static func isNew(_ row: StaticString) -> String {
        """
        transaction_id >= coalesce((SELECT pg_snapshot_xmin(snapshot) FROM last), '0'::xid8)
            AND (last.snapshot IS NULL OR NOT pg_visible_in_snapshot(transaction_id, last.snapshot))
            AND (last.seq = last.seen_seq
                OR (SELECT event.seq FROM event WHERE event.id = \(row).id) IS NULL)
        """
    }
}
