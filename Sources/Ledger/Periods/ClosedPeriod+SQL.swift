import Foundation
import Postgres

extension ClosedPeriod {
    private static let columns = "id, until, closed_by, closed_at"

    /// From when on entries may be effective; nil: from ever.
    ///
    /// Whoever closes waits for the transaction that has asked.
    static let openFrom = PostgresQuery<Date?>.one("SELECT closed_until()") { row in try row[0] }

    /// Waits for all transactions that have asked what is open; who asks from now on waits for this one.
    ///
    /// (The key spells ledgopen; closing takes it by itself.)
    static let lock = PostgresQuery<Int>.affected("SELECT pg_advisory_xact_lock(7810759524158039406)")

    static let clock = PostgresQuery<Date>.one("SELECT clock_timestamp()") { row in try row[0] }

    /// Closes, after all transactions that have asked what is open.
    static func close(until: Date, by closer: String) -> PostgresQuery<ClosedPeriod> {
        .one(
            "INSERT INTO closed_period (until, closed_by) VALUES ($1, $2) RETURNING \(columns)", [until, closer],
            row: decode)
    }

    /// The closing until that very moment.
    static func find(until: Date) -> PostgresQuery<ClosedPeriod?> {
        .first("SELECT \(columns) FROM closed_period WHERE until = $1", [until], row: decode)
    }

    /// Closings of the period, the last first: one more than `limit`, to see whether there are more.
    static func history(in period: Period, before id: Int64?, limit: Int) -> PostgresQuery<[ClosedPeriod]> {
        PostgresQuery(
            """
            SELECT \(columns) FROM closed_period WHERE id < $1 AND closed_at >= $3 AND closed_at < $4
            ORDER BY id DESC LIMIT $2
            """,
            [id ?? Int64.max, Int64(limit + 1), period.from, period.to], row: decode)
    }

    private static func decode(_ row: borrowing PostgresRow) throws -> ClosedPeriod {
        ClosedPeriod(id: try row[0], until: try row[1], closedBy: try row[2], closedAt: try row[3])
    }
}

extension PostgresConnection {
    /// Waits until all that was recorded until now is committed.
    ///
    /// A batch reads its time while it shares the lock, so those that come after record what is later. The lock is let go
    /// at once: it keeps nobody waiting for longer than the batches that were under way take.
    ///
    /// - Returns: now, by the database's clock.
    func waitForBatches() throws -> Date {
        try transaction { connection in try connection.pipeline(ClosedPeriod.lock, ClosedPeriod.clock).1 }
    }
}
