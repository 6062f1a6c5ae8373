package import Foundation
import Postgres

extension ClosedPeriods {
    /// What is open before a moment until which the books are to be closed.
    ///
    /// It shows the present state: a finding of the period that was decided meanwhile is not open.
    ///
    /// - Parameters:
    ///   - until: the end of the period; it may be in the future, and may be closed already.
    ///   - unsettledDays: a payment that is outstanding since more days before `until` is open.
    ///   - timeZone: of the days that are compared with the gateway.
    package func checklist(
        until: Date, unsettledDays: Int64 = ClosingChecklist.unsettledDays, in timeZone: TimeZone
    ) async throws(LedgerError) -> ClosingChecklist {
        try await reading {
            try await pools.reads.withConnection { connection in
                let from = try await connection.run(ClosingChecklist.start(until: until))
                let (findings, receipts, refunds) = try await connection.pipeline(
                    Finding.open(before: until), OpenWork.receipts.rows(before: until),
                    OpenWork.refunds.rows(before: until))
                let (days, lines) = try await connection.pipeline(
                    ClosingChecklist.uncomparedDays(from: from, until: until, in: timeZone),
                    OpenWork.settlementLines.rows(before: until))
                let (payments, seals) = try await connection.pipeline(
                    OpenWork.unsettledPayments.rows(before: until - Double(unsettledDays) * 86_400),
                    ClosingChecklist.unsealedPeriods(until: until))
                let adjustments = try await connection.missingAdjustments(from: from, until: until, in: timeZone)
                let open = [findings, receipts, refunds, days, lines, payments, adjustments, seals]
                return ClosingChecklist(
                    from: from, until: until,
                    items: zip(ClosingChecklist.Question.allCases, open).map { .init(question: $0, open: $1) })
            }
        }
    }
}

extension Pools {
    /// Reads what is missing since the closing before a moment.
    func missing<Row: Sendable>(
        before until: Date, _ query: @Sendable (_ from: Date) -> PostgresQuery<[Row]>
    ) async throws -> [Row] {
        try await reads.withConnection { connection in
            let from = try await connection.run(ClosingChecklist.start(until: until))
            return try await connection.run(query(from))
        }
    }
}

extension PostgresConnection {
    /// Without measuring what is open in foreign currencies, if that takes too long: then months at whose ends nothing is open count, too.
    fileprivate func missingAdjustments(
        from: Date, until: Date, in timeZone: TimeZone
    ) throws(PostgresError) -> OpenRows {
        do {
            return try run(
                ClosingChecklist.missingAdjustments(from: from, until: until, in: timeZone, isMeasured: true))
        } catch {
            guard error.sqlState == .queryCanceled else { throw error }
            return try run(
                ClosingChecklist.missingAdjustments(from: from, until: until, in: timeZone, isMeasured: false))
        }
    }
}

extension ClosingChecklist {
    /// SQL: the starts of the months that end in the period from $1 to $2, in the time zone $3.
    static let months = """
        generate_series(
            date_trunc('month', $1::timestamptz AT TIME ZONE $3),
            $2::timestamptz AT TIME ZONE $3 - interval '1 month', interval '1 month')
        """

    /// The closing before the moment or, without one, the first entry or the earliest payment before it; the moment itself
    /// without any.
    ///
    /// Only payments come late into the books, at the time that the gateway tells.
    static func start(until: Date) -> PostgresQuery<Date> {
        .one(
            """
            SELECT coalesce(
                (SELECT max(until) FROM closed_period WHERE until < $1),
                least(
                    (SELECT effective_at FROM journal_entry ORDER BY id LIMIT 1),
                    (SELECT min(paid_at) FROM purchase), $1))
            """, [until])
    }

    /// The days that completed reconciliations do not cover; together, several may cover a day.
    ///
    /// A run covers nothing after its start, because it compared only what the gateway had by then.
    fileprivate static func uncomparedDays(
        from: Date, until: Date, in timeZone: TimeZone
    ) -> PostgresQuery<OpenRows> {
        .one(
            """
            SELECT \(OpenRows.columns) FROM (
                SELECT day::date::text AS name, greatest(day AT TIME ZONE $3, $1) AS since
                FROM generate_series(
                    date_trunc('day', $1::timestamptz AT TIME ZONE $3),
                    least($2::timestamptz, now()) AT TIME ZONE $3 - interval '1 microsecond', interval '1 day') AS day
                CROSS JOIN (
                    SELECT coalesce(range_agg(tstzrange(period_from, least(period_to, started_at))), '{}') AS compared
                    FROM reconciliation_run
                    WHERE status = 'completed' AND period_to > $1 AND period_from < $2 AND period_from < started_at
                ) AS runs
                WHERE $1 < $2 AND NOT compared @> tstzrange(
                    greatest(day AT TIME ZONE $3, $1),
                    least((day + interval '1 day') AT TIME ZONE $3, $2, now()))
            ) AS open
            """, [from, until, timeZone.identifier], row: OpenRows.init)
    }

    fileprivate static func missingAdjustments(
        from: Date, until: Date, in timeZone: TimeZone, isMeasured: Bool
    ) -> PostgresQuery<OpenRows> {
        .one(
            """
            SELECT \(OpenRows.columns) FROM (
                SELECT subject || ' of ' || month AS name, since FROM (\(MissingAdjustment.rows)) AS missing
                UNION ALL
                SELECT currency || ' of ' || month, since
                FROM (\(MissingRevaluation.rows(isMeasured: isMeasured))) AS missing
            ) AS open
            """, [from, until, timeZone.identifier], row: OpenRows.init)
    }

    /// Closings, up to the moment, after which the books were never sealed.
    fileprivate static func unsealedPeriods(until: Date) -> PostgresQuery<OpenRows> {
        .one(
            """
            SELECT \(OpenRows.columns) FROM (
                SELECT to_char(until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS name, closed_at AS since
                FROM closed_period
                WHERE until <= $1 AND closed_at > coalesce((SELECT max(sealed_at) FROM seal), '-infinity')
            ) AS open
            """, [until], row: OpenRows.init)
    }
}
