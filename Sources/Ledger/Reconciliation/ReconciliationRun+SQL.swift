import Foundation
import Postgres

extension ReconciliationRun {
    private static let columns = """
        id, period_from, period_to, heals, gateways, day::text, status, stage, place, failures, failure, counts,
        started_at, ended_at
        """

    /// Inserts a run.
    ///
    /// Returns nil when there is one for the same day or idempotency key.
    static func insert(_ draft: ReconciliationDraft, stage: String) -> PostgresQuery<ReconciliationRun?> {
        .first(
            """
            INSERT INTO reconciliation_run (
                period_from, period_to, heals, gateways, day, idempotency_key, requested_by, status, stage)
            VALUES ($1, $2, $3, $4, $5::date, $6, $7, 'running', $8)
            ON CONFLICT DO NOTHING
            RETURNING \(columns)
            """,
            [
                draft.period.lowerBound, draft.period.upperBound, draft.heals, draft.gateways, draft.day,
                draft.key?.text, draft.key?.caller.rawValue, stage,
            ], row: decode)
    }

    /// The run with this idempotency key.
    static func find(_ key: CallerKey) -> PostgresQuery<ReconciliationRun?> {
        .first(
            "SELECT \(columns) FROM reconciliation_run WHERE idempotency_key = $1 AND requested_by = $2",
            [key.text, key.caller.rawValue], row: decode)
    }

    static func find(_ id: Int64) -> PostgresQuery<ReconciliationRun?> {
        .first("SELECT \(columns) FROM reconciliation_run WHERE id = $1", [id], row: decode)
    }

    /// The latest completed run.
    static var lastCompleted: PostgresQuery<ReconciliationRun?> {
        .first(
            "SELECT \(columns) FROM reconciliation_run WHERE status = 'completed' ORDER BY id DESC LIMIT 1",
            row: decode)
    }

    /// The latest unfinished run with the same period, gateways and mode.
    static func unfinished(_ draft: ReconciliationDraft) -> PostgresQuery<ReconciliationRun?> {
        .first(
            """
            SELECT \(columns) FROM reconciliation_run
            WHERE status = 'running' AND period_from = $1 AND period_to = $2 AND heals = $3 AND gateways = $4
            ORDER BY id DESC LIMIT 1
            """,
            [draft.period.lowerBound, draft.period.upperBound, draft.heals, draft.gateways], row: decode)
    }

    /// Runs that were started in the period, newest first.
    ///
    /// Returns up to `limit` + 1 rows, to show whether there are more.
    static func list(
        in period: Period, _ status: Status?, before id: Int64?, limit: Int
    ) -> PostgresQuery<[ReconciliationRun]> {
        PostgresQuery(
            """
            SELECT \(columns) FROM reconciliation_run
            WHERE id < $1 AND started_at >= $3 AND started_at < $4 AND ($5 IS NULL OR status = $5)
            ORDER BY id DESC LIMIT $2
            """,
            [id ?? Int64.max, Int64(limit + 1), period.from, period.to, status?.rawValue], row: decode)
    }

    /// The latest day that has a run.
    static let latestDay = PostgresQuery<String?>.first(
        "SELECT day::text FROM reconciliation_run WHERE day IS NOT NULL ORDER BY day DESC LIMIT 1")

    /// Takes the lease of a free run: of this one, or of the one that has waited longest.
    static func take(
        _ id: Int64?, ofGateways gateways: [String], token: String, for lease: Duration, by holder: Int64?
    ) -> PostgresQuery<ReconciliationRun?> {
        .first(
            """
            UPDATE reconciliation_run
            SET lease = $3, leased_until = clock_timestamp() + $4 * interval '1 millisecond', lease_holder = $5
            WHERE id = (
                SELECT id FROM reconciliation_run
                WHERE status = 'running' AND leased_until <= now() AND gateways <@ $2 AND ($1 IS NULL OR id = $1)
                ORDER BY leased_until
                LIMIT 1
                FOR UPDATE SKIP LOCKED)
            RETURNING \(columns)
            """,
            [id, gateways, token, lease.milliseconds, holder], row: decode)
    }

    /// Frees runs that ended processes had taken, and counts them.
    static func endLeases() -> PostgresQuery<Int> {
        .affected(
            """
            UPDATE reconciliation_run
            SET lease = NULL, lease_holder = NULL, leased_until = least(leased_until, now())
            WHERE id IN (
                SELECT id FROM reconciliation_run WHERE status = 'running' AND \(Presence.isGone)
                FOR UPDATE SKIP LOCKED)
            """)
    }

    /// Moves a run to its next place and renews the lease.
    ///
    /// Changes nothing when another process has the lease.
    static func advance(
        _ lease: ReconciliationLease, to stage: String, place: String?, for duration: Duration
    ) -> PostgresQuery<Int> {
        .affected(
            """
            UPDATE reconciliation_run
            SET stage = $3, place = $4, failures = 0, failure = NULL,
                leased_until = clock_timestamp() + $5 * interval '1 millisecond'
            WHERE id = $1 AND lease = $2 AND status = 'running'
            """,
            [lease.run.id, lease.token, stage, place, duration.milliseconds])
    }

    /// Gives the lease back for a while, or ends the run as failed.
    static func release(
        _ lease: ReconciliationLease, because failure: String?, after delay: Duration, mostFailures: Int64
    ) -> PostgresQuery<Int> {
        .affected(
            """
            UPDATE reconciliation_run
            SET lease = NULL, lease_holder = NULL, leased_until = clock_timestamp() + $4 * interval '1 millisecond',
                failures = failures + CASE WHEN $3 IS NULL THEN 0 ELSE 1 END, failure = coalesce($3, failure),
                status = CASE WHEN $3 IS NOT NULL AND failures + 1 >= $5 THEN 'failed' ELSE status END,
                ended_at = CASE WHEN $3 IS NOT NULL AND failures + 1 >= $5 THEN clock_timestamp() END
            WHERE id = $1 AND lease = $2 AND status = 'running'
            """,
            [lease.run.id, lease.token, failure, delay.milliseconds, mostFailures])
    }

    /// Ends a run with its counts.
    static func complete(_ lease: ReconciliationLease, _ counts: ReconciliationCounts) -> PostgresQuery<Int> {
        .affected(
            """
            UPDATE reconciliation_run
            SET status = 'completed', counts = $3, lease = NULL, ended_at = clock_timestamp()
            WHERE id = $1 AND lease = $2 AND status = 'running'
            """,
            [lease.run.id, lease.token, counts])
    }

    private static func decode(_ row: borrowing PostgresRow) throws -> ReconciliationRun {
        let (from, to): (Date, Date) = (try row[1], try row[2])
        guard from <= to else { throw UnreadableColumn(column: 2, type: "Range<Date>") }
        return ReconciliationRun(
            id: try row[0], period: from..<to, heals: try row[3], gateways: try row[4], day: try row[5],
            status: try row[6], stage: try row[7], place: try row[8], failures: try row[9],
            failure: try row[10], counts: try row[11], startedAt: try row[12], endedAt: try row[13])
    }
}

extension ReconciliationCounts {
    /// Counts the items of a run.
    static func groups(of run: Int64) -> PostgresQuery<[Group]> {
        PostgresQuery(
            "SELECT kind, outcome, count(*) FROM reconciliation_item WHERE run_id = $1 GROUP BY kind, outcome", [run]
        ) { row in
            Group(
                kind: try row.decode(0, as: String?.self).flatMap(ReconciliationKind.init(rawValue:)),
                outcome: try row.decode(1, as: String?.self).flatMap(ReconciliationOutcome.init(rawValue:)),
                count: try row[2])
        }
    }
}

extension ReconciliationRun.Status: PostgresRawRepresentable {}
