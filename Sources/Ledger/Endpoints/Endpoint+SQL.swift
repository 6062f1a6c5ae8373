import Foundation
package import Postgres

extension Endpoint {
    static let columns = """
        endpoint.id, url, description, types, users, status, status_reason, secret_key_id, secret_salt,
            former_key_id, former_salt, former_until, failures, failing_since, paused_until, version, created_by,
            created_at
        """
    /// The number of ``columns``.
    static let columnCount = 18

    static func decode(_ row: borrowing PostgresRow) throws -> Endpoint {
        let formerUntil: Date? = try row[11]
        return Endpoint(
            id: try row[0], url: try row[1], description: try row[2],
            filter: EndpointFilter(types: try row[3], users: try row[4]),
            status: try row[5],
            statusReason: try row.decode(6, as: String?.self).flatMap(StatusReason.init(rawValue:)),
            secret: SecretSeed(keyID: try row[7], salt: try row.decode(8, as: PostgresBytes.self).bytes),
            formerSecret: try formerUntil.map { until in
                (
                    seed: SecretSeed(keyID: try row[9], salt: try row.decode(10, as: PostgresBytes.self).bytes),
                    until: until
                )
            },
            failures: try row[12], failingSince: try row[13], pausedUntil: try row[14], version: try row[15],
            createdBy: try row[16], createdAt: try row[17])
    }

    /// Inserts the endpoint and its reader; no row if one with its key exists.
    static func insert(_ draft: EndpointDraft) -> PostgresQuery<Endpoint?> {
        .first(
            """
            WITH created AS (
                INSERT INTO endpoint (
                    url, description, types, users, secret_key_id, secret_salt, created_by, idempotency_key, fingerprint)
                SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9
                WHERE (SELECT count(*) FROM endpoint WHERE status <> 'deleted') < $11
                ON CONFLICT (idempotency_key, created_by) DO NOTHING
                RETURNING *
            ), reader AS (
                INSERT INTO endpoint_reader (endpoint_id, position)
                SELECT id, coalesce($10, (SELECT max(seq) FROM event), 0) FROM created
            )
            SELECT \(columns) FROM created AS endpoint
            """,
            [
                draft.url, draft.description, draft.filter.types, draft.filter.users, draft.secret.keyID,
                PostgresBytes(draft.secret.salt), draft.key.caller.rawValue, draft.key.text, draft.fingerprint.text,
                draft.after, Endpoints.most,
            ], row: decode)
    }

    /// The endpoint that was created under the key, and whether by the same request.
    static func created(
        under key: CallerKey, _ fingerprint: Fingerprint
    ) -> PostgresQuery<(endpoint: Endpoint, isSame: Bool)?> {
        .first(
            "SELECT \(columns), fingerprint = $3 FROM endpoint WHERE idempotency_key = $1 AND created_by = $2",
            [key.text, key.caller.rawValue, fingerprint.text]
        ) { row in (endpoint: try decode(row), isSame: try row[columnCount]) }
    }

    static func list(after cursor: After<Int64>?, limit: Int) -> PostgresQuery<[Endpoint]> {
        PostgresQuery(
            "SELECT \(columns) FROM endpoint WHERE status <> 'deleted' AND id > $1 ORDER BY id LIMIT $2",
            [cursor?.id ?? 0, Int64(limit + 1)], row: decode)
    }

    static func find(_ id: Int64) -> PostgresQuery<Endpoint?> {
        .first("SELECT \(columns) FROM endpoint WHERE id = $1 AND status <> 'deleted'", [id], row: decode)
    }

    /// An endpoint that is enabled again begins without a history of failures.
    static func change(_ id: Int64, _ change: EndpointChange) -> PostgresQuery<Endpoint?> {
        .first(
            """
            UPDATE endpoint
            SET url = coalesce($2, url), description = coalesce($3, description), types = coalesce($4, types),
                users = coalesce($5, users), version = version + 1,
                status = CASE $6 WHEN true THEN 'enabled' WHEN false THEN 'disabled' ELSE status END,
                status_reason = CASE $6 WHEN true THEN NULL WHEN false THEN coalesce(status_reason, 'requested')
                    ELSE status_reason END,
                failures = CASE WHEN $6 AND status <> 'enabled' THEN 0 ELSE failures END,
                failing_since = CASE WHEN $6 AND status <> 'enabled' THEN NULL ELSE failing_since END,
                paused_until = CASE WHEN $6 THEN NULL ELSE paused_until END
            WHERE id = $1 AND status <> 'deleted' AND ($7::int8 IS NULL OR version = $7)
            RETURNING \(columns)
            """,
            [id, change.url, change.description, change.types, change.users, change.isEnabled, change.version],
            row: decode)
    }

    static func delete(_ id: Int64) -> PostgresQuery<Int> {
        .affected(
            """
            WITH gone AS (
                UPDATE endpoint SET status = 'deleted', status_reason = 'requested', version = version + 1
                WHERE id = $1 AND status <> 'deleted' RETURNING id
            ), lanes AS (
                DELETE FROM endpoint_lane USING endpoint_reader, gone
                WHERE endpoint_reader.endpoint_id = gone.id AND endpoint_lane.reader_id = endpoint_reader.id
            )
            SELECT FROM gone
            """,
            [id])
    }

    /// Replaces the secret, once for each key.
    static func rotate(
        _ id: Int64, to seed: SecretSeed, formerFor grace: Duration, under key: CallerKey
    ) -> PostgresQuery<Endpoint?> {
        .first(
            """
            UPDATE endpoint
            SET former_key_id = secret_key_id, former_salt = secret_salt,
                former_until = now() + $5 * interval '1 millisecond', secret_key_id = $2, secret_salt = $3,
                rotation_key = $4, version = version + 1
            WHERE id = $1 AND status <> 'deleted' AND rotation_key IS DISTINCT FROM $4
            RETURNING \(columns)
            """,
            [
                id, seed.keyID, PostgresBytes(seed.salt), "\(key.caller.rawValue) \(key.text)", grace.milliseconds,
            ], row: decode)
    }
}

extension Replay: PostgresReadable {
    private static let columns =
        "id, endpoint_id, position, until, only_failed, requested_by, requested_at, finished_at"

    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> Replay {
        try row.make(at: &column, Replay.init)
    }

    /// Inserts a replay; no row if one with its key exists.
    static func insert(
        of endpoint: Int64, after: Int64, until: Int64?, onlyFailed: Bool, under key: CallerKey,
        _ fingerprint: Fingerprint
    ) -> PostgresQuery<Replay?> {
        .first(
            """
            INSERT INTO endpoint_reader (
                endpoint_id, position, until, only_failed, requested_by, idempotency_key, fingerprint)
            SELECT $1, $2, least($3, coalesce((SELECT max(seq) FROM event), 0)), $4, $5, $6, $7
            WHERE (
                SELECT count(*) FROM endpoint_reader
                WHERE endpoint_id = $1 AND until IS NOT NULL AND finished_at IS NULL) < $8
            ON CONFLICT (endpoint_id, idempotency_key, requested_by) DO NOTHING
            RETURNING \(columns)
            """,
            [
                endpoint, after, until ?? .max, onlyFailed, key.caller.rawValue, key.text, fingerprint.text,
                Endpoints.mostReplays,
            ])
    }

    /// The replay that was requested under the key, and whether by the same request.
    static func requested(
        of endpoint: Int64, under key: CallerKey, _ fingerprint: Fingerprint
    ) -> PostgresQuery<(replay: Replay, isSame: Bool)?> {
        .first(
            """
            SELECT \(columns), fingerprint = $4 FROM endpoint_reader
            WHERE endpoint_id = $1 AND idempotency_key = $2 AND requested_by = $3
            """,
            [endpoint, key.text, key.caller.rawValue, fingerprint.text]
        ) { row in try row.make { (replay: Replay, isSame: Bool) in (replay: replay, isSame: isSame) } }
    }

    static func list(of endpoint: Int64, after cursor: After<Int64>?, limit: Int) -> PostgresQuery<[Replay]> {
        PostgresQuery(
            """
            SELECT \(columns) FROM endpoint_reader
            WHERE endpoint_id = $1 AND until IS NOT NULL AND id < $2 ORDER BY id DESC LIMIT $3
            """,
            [endpoint, cursor?.id ?? .max, Int64(limit + 1)])
    }
}

extension DeliveryAttempt {
    static func list(
        of endpoint: Int64, onlyFailed: Bool, after cursor: AttemptCursor?, limit: Int
    ) -> PostgresQuery<[(attempt: DeliveryAttempt, cursor: AttemptCursor)]> {
        PostgresQuery(
            """
            SELECT one.seq, recorded_at, outcome, nullif(one.status, 0), one.latency, answer, id, one.place
            FROM endpoint_attempt
            CROSS JOIN LATERAL unnest(seqs, statuses, latencies) WITH ORDINALITY AS one (seq, status, latency, place)
            WHERE endpoint_id = $1 AND id <= $2 AND (id < $2 OR one.place < $3)
                AND ($4 IS FALSE OR outcome <> 'delivered')
            ORDER BY id DESC, one.place DESC
            LIMIT $5
            """,
            [endpoint, cursor?.id ?? .max, cursor?.place ?? .max, onlyFailed, Int64(limit + 1)]
        ) { row in
            try row.make { (attempt: DeliveryAttempt, cursor: AttemptCursor) in (attempt: attempt, cursor: cursor) }
        }
    }
}

extension EndpointFilter: PostgresReadable {
    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> EndpointFilter {
        try row.make(at: &column, EndpointFilter.init)
    }
}

extension DeliveryAttempt: PostgresReadable {
    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> DeliveryAttempt {
        try row.make(at: &column, DeliveryAttempt.init)
    }
}

extension AttemptCursor: PostgresReadable {
    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> AttemptCursor {
        try row.make(at: &column, AttemptCursor.init)
    }
}

extension Endpoint.Status: PostgresRawRepresentable {}
