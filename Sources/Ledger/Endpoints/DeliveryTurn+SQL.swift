import Foundation
package import Postgres

extension DeliveryTurn {
    /// Begins a turn; no row unless the endpoint is enabled.
    static func begin(_ endpoint: Int64) -> PostgresQuery<(endpoint: Endpoint, number: Int64)?> {
        .first(
            """
            UPDATE endpoint SET turn = turn + 1 WHERE id = $1 AND status = 'enabled'
            RETURNING \(Endpoint.columns), turn
            """,
            [endpoint]
        ) { row in (endpoint: try Endpoint.decode(row), number: try row[Endpoint.columnCount]) }
    }

    /// Locks the endpoint if the turn is still the latest; returns the endpoint's version and status.
    var hold: PostgresQuery<(version: Int64, status: String)?> {
        .first(
            "SELECT version, status FROM endpoint WHERE id = $1 AND turn = $2 FOR UPDATE", [endpoint.id, number]
        ) { row in (version: try row[0], status: try row[1]) }
    }
}

extension DeliveryReader: PostgresReadable {
    private static let columns = "reader.id, reader.endpoint_id, reader.position, reader.until, reader.only_failed"

    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> DeliveryReader {
        try row.make(at: &column, DeliveryReader.init)
    }

    static func running(of endpoint: Int64) -> PostgresQuery<[DeliveryReader]> {
        PostgresQuery(
            """
            SELECT \(columns) FROM endpoint_reader AS reader
            WHERE endpoint_id = $1 AND finished_at IS NULL ORDER BY id
            """,
            [endpoint])
    }

    /// All readers of enabled endpoints.
    static let overview = PostgresQuery<[ReaderOverview]>(
        """
        SELECT \(columns), types, users, paused_until,
            (
                SELECT next_attempt_at FROM endpoint_lane
                WHERE reader_id = reader.id ORDER BY reader_id, next_attempt_at LIMIT 1),
            (
                SELECT waiting_since FROM endpoint_lane
                WHERE reader_id = reader.id ORDER BY reader_id, waiting_since LIMIT 1)
        FROM endpoint JOIN endpoint_reader AS reader ON reader.endpoint_id = endpoint.id
        WHERE status = 'enabled' AND finished_at IS NULL
        ORDER BY reader.id
        """
    ) { row in try row.make(ReaderOverview.init) }

    /// The wanted events after a position whose lanes do not wait.
    func window(
        after position: Int64, through last: Int64, _ filter: EndpointFilter, limit: Int
    ) -> PostgresQuery<[OwedEvent]> {
        PostgresQuery(
            """
            SELECT event.seq, coalesce(event.user_id, '') FROM event
            WHERE event.seq > $2 AND event.seq <= $3 AND \(Self.isWanted)
                AND NOT EXISTS (
                    SELECT FROM endpoint_lane
                    WHERE reader_id = $1 AND lane = coalesce(event.user_id, ''))
            ORDER BY event.seq LIMIT $7
            """,
            [id, position, last, filter.types, filter.users, onlyFailed ? endpointID : nil, Int64(limit)]
        ) { row in try row.make(OwedEvent.init) }
    }

    /// The wanted events of a lane from one on.
    func owed(
        in lane: String, from seq: Int64, through last: Int64, _ filter: EndpointFilter, limit: Int
    ) -> PostgresQuery<[OwedEvent]> {
        PostgresQuery(
            """
            SELECT event.seq, $1 FROM event
            WHERE \(lane.isEmpty ? "event.user_id IS NULL AND $1 = ''" : "event.user_id = $1")
                AND event.seq >= $2 AND event.seq <= $3 AND \(Self.isWanted)
            ORDER BY event.seq LIMIT $7
            """,
            [lane, seq, last, filter.types, filter.users, onlyFailed ? endpointID : nil, Int64(limit)]
        ) { row in try row.make(OwedEvent.init) }
    }

    /// Whether an event is wanted: `$4` the types, `$5` the users, `$6` the endpoint for events that were given up.
    private static let isWanted = """
        (cardinality($4::text[]) = 0 OR event.type = ANY($4)) AND (cardinality($5::text[]) = 0 OR event.user_id = ANY($5))
            AND ($6::bigint IS NULL OR EXISTS (
                SELECT FROM endpoint_failure AS failure WHERE failure.endpoint_id = $6 AND failure.seq = event.seq))
        """

    /// The due lanes, those that wait longest first.
    func dueLanes(besides busy: [String], limit: Int) -> PostgresQuery<[WaitingLane]> {
        PostgresQuery(
            """
            SELECT reader_id, lane, seq, attempts, next_attempt_at FROM endpoint_lane
            WHERE reader_id = $1 AND next_attempt_at <= now() AND lane <> ALL($2)
            ORDER BY reader_id, next_attempt_at LIMIT $3
            """,
            [id, busy, Int64(limit)]
        ) { row in try row.make(WaitingLane.init) }
    }

    /// Ends a replay that is through.
    static func finish(_ endpoint: Int64) -> PostgresQuery<Int> {
        .affected(
            """
            UPDATE endpoint_reader SET finished_at = now()
            WHERE endpoint_id = $1 AND finished_at IS NULL AND position >= until
                AND NOT EXISTS (SELECT FROM endpoint_lane WHERE reader_id = endpoint_reader.id)
            """,
            [endpoint])
    }
}

extension DeliveryProgress {
    func movePositions() -> PostgresQuery<Int> {
        .affected(
            """
            UPDATE endpoint_reader SET position = moved.position
            FROM unnest($1::bigint[], $2::bigint[]) AS moved (id, position)
            WHERE endpoint_reader.id = moved.id AND endpoint_reader.position < moved.position
            """,
            [Array(positions.keys), Array(positions.values)])
    }

    static let store = BulkInsert<WaitingLane>(
        into: "endpoint_lane AS known",
        [
            .init("reader_id", \.readerID), .init("lane", \.lane), .init("seq", \.seq), .init("attempts", \.attempts),
            .init("next_attempt_at", \.nextAttemptAt),
        ],
        ending: """
            ON CONFLICT (reader_id, lane) DO UPDATE
            SET seq = excluded.seq, attempts = excluded.attempts, next_attempt_at = excluded.next_attempt_at,
                waiting_since = CASE WHEN known.seq = excluded.seq THEN known.waiting_since ELSE now() END
            """)

    /// Deletes lanes of which nothing is left that the reader looked at.
    func endLanes(of filter: EndpointFilter, _ endpoint: Int64) -> PostgresQuery<Int> {
        let isLeft = """
            event.seq >= endpoint_lane.seq AND event.seq <= done.looked
                AND (cardinality($4::text[]) = 0 OR event.type = ANY($4))
                AND (NOT reader.only_failed OR EXISTS (
                    SELECT FROM endpoint_failure AS failure
                    WHERE failure.endpoint_id = $5 AND failure.seq = event.seq))
            """
        return .affected(
            """
            DELETE FROM endpoint_lane USING
                unnest($1::bigint[], $2::text[], $3::bigint[]) AS done (reader_id, lane, looked), endpoint_reader AS reader
            WHERE endpoint_lane.reader_id = done.reader_id AND endpoint_lane.lane = done.lane
                AND reader.id = done.reader_id
                AND NOT EXISTS (
                    SELECT FROM event WHERE done.lane <> '' AND event.user_id = done.lane AND \(isLeft))
                AND NOT EXISTS (
                    SELECT FROM event WHERE done.lane = '' AND event.user_id IS NULL AND \(isLeft))
            """,
            [
                caughtUp.map(\.readerID), caughtUp.map(\.lane), caughtUp.map { looked[$0.readerID] ?? 0 }, filter.types,
                endpoint,
            ])
    }

    /// Stores the successes in one row, and each failure in its own.
    func storeAttempts(at endpoint: Int64) -> PostgresQuery<Int> {
        let successes = attempts.filter { $0.outcome == DeliveryAttempt.delivered }
        let failures = attempts.filter { $0.outcome != DeliveryAttempt.delivered }
        return .affected(
            """
            INSERT INTO endpoint_attempt (endpoint_id, outcome, seqs, statuses, latencies, answer)
            SELECT $1, '\(DeliveryAttempt.delivered)', $2, $3, $4, NULL WHERE cardinality($2) > 0
            UNION ALL
            SELECT $1, outcome, ARRAY[seq], ARRAY[status], ARRAY[latency], answer
            FROM unnest($5::text[], $6::bigint[], $7::bigint[], $8::bigint[], $9::text[])
                AS failed (outcome, seq, status, latency, answer)
            """,
            [
                endpoint, successes.map(\.seq), successes.map { $0.status ?? 0 }, successes.map(\.latency),
                failures.map(\.outcome), failures.map(\.seq), failures.map { $0.status ?? 0 },
                failures.map(\.latency), failures.map(\.answer),
            ])
    }

    /// Notes events that were given up, and forgets those that were delivered after all.
    func storeGivenUp(at endpoint: Int64) -> PostgresQuery<Int> {
        .affected(
            """
            WITH delivered AS (
                DELETE FROM endpoint_failure WHERE endpoint_id = $1 AND seq = ANY($2)
            )
            INSERT INTO endpoint_failure (endpoint_id, seq) SELECT $1, unnest($3::bigint[])
            ON CONFLICT (endpoint_id, seq) DO NOTHING
            """,
            [endpoint, attempts.filter { $0.outcome == DeliveryAttempt.delivered }.map(\.seq), givenUp])
    }

    func storeHealth(of endpoint: Int64) -> PostgresQuery<Int> {
        .affected(
            """
            UPDATE endpoint
            SET failures = $2, failing_since = $3, paused_until = $4,
                status = CASE WHEN $5::text IS NULL THEN status ELSE 'disabled' END,
                status_reason = coalesce($5, status_reason)
            WHERE id = $1
            """,
            [endpoint, health?.failures ?? 0, health?.failingSince, health?.pausedUntil, disable?.rawValue])
    }

    /// Lets the lanes of an endpoint that works again try at once.
    static func hurry(_ endpoint: Int64) -> PostgresQuery<Int> {
        .affected(
            """
            UPDATE endpoint_lane SET next_attempt_at = now()
            FROM endpoint_reader AS reader
            WHERE reader.endpoint_id = $1 AND endpoint_lane.reader_id = reader.id AND next_attempt_at > now()
            """,
            [endpoint])
    }
}

extension DeliveryAttempt {
    /// The outcome of a success.
    package static let delivered = "delivered"
}
