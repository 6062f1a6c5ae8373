import Foundation
package import Postgres

extension ClosedPeriod {
    private static let columns = "id, until, closed_by, closed_at"

    /// The earliest time at which entries may be effective; nil: no limit.
    ///
    /// A closing waits for the transactions that ran this query.
    static let openFrom = PostgresQuery<Date?>.one("SELECT closed_until()")

    /// Waits for all transactions that ran ``openFrom``.
    ///
    /// Transactions that run it later wait for this one.
    ///
    /// The key is "ledgopen" in ASCII. Inserting a closing takes the same lock.
    static let lock = PostgresQuery<Int>.affected("SELECT pg_advisory_xact_lock(7810759524158039406)")

    static let clock = PostgresQuery<Date>.one("SELECT clock_timestamp()")

    /// Closes, after waiting for all transactions that ran ``openFrom``.
    static func close(until: Date, by closer: String) -> PostgresQuery<ClosedPeriod> {
        .one(
            "INSERT INTO closed_period (until, closed_by) VALUES ($1, $2) RETURNING \(columns)", [until, closer])
    }

    /// The closing until exactly this moment.
    static func find(until: Date) -> PostgresQuery<ClosedPeriod?> {
        .first("SELECT \(columns) FROM closed_period WHERE until = $1", [until])
    }

    /// Closings of the period, newest first.
    ///
    /// Returns up to `limit` + 1 rows, to show whether there are more.
    static func history(in period: Period, before id: Int64?, limit: Int) -> PostgresQuery<[ClosedPeriod]> {
        PostgresQuery(
            """
            SELECT \(columns) FROM closed_period WHERE id < $1 AND closed_at >= $3 AND closed_at < $4
            ORDER BY id DESC LIMIT $2
            """,
            [id ?? Int64.max, Int64(limit + 1), period.from, period.to])
    }
}

extension ClosedPeriod: PostgresReadable {
    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> ClosedPeriod {
        try row.make(at: &column, ClosedPeriod.init)
    }
}

extension PostgresConnection {
    /// Waits until everything recorded up to now is committed.
    ///
    /// A batch reads its time while it has a shared lock, so later batches record later times. This lock is released at
    /// once, so others wait only as long as the running batches take.
    ///
    /// - Returns: the database's current time.
    func waitForBatches() throws -> Date {
        try transaction { connection in try connection.pipeline(ClosedPeriod.lock, ClosedPeriod.clock).1 }
    }
}
