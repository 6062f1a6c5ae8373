import Postgres

extension Report {
    /// The adjustments of months' ends, by month of sale.
    package static let adjustments = Report(
        "adjustments", .period,
        Words("Month-end adjustments", "월말 수정분개", about: "where each adjustment comes from", "수정분개의 산출 근거"),
        korean: [
            "target": "목표 잔액", "subject": "수정 대상", "month": "수정 월", "refunded": "환불", "used": "사용", "expired": "만료",
        ], rows: { $0.adjustments },
        prepare: { request, connection, _ in
            let hasPolicy = try await connection.run(
                PostgresQuery<Bool>.one("SELECT EXISTS (SELECT FROM accounting_policy)"))
            return hasPolicy ? .success(request) : .failure(.noPolicy)
        })
}

extension ExportRequest {
    /// The adjustments whose months end in the period, each month of sale in a row.
    ///
    /// The changes of an adjustment add up to its entry, and the targets to the balance of its account.
    var adjustments: FixedRows {
        let won = Column.Unit.currency(.won)
        let columns = [
            Column("adjustment", .id, "line.id"),
            Column("subject", .text, "line.subject"),
            Column("month", .text, "line.month"),
            Column("method", .text, "coalesce(policy.method, '')"),
            Column("sold_in", .text, "line.sold_in"),
            Column("purchases", .integer, "line.purchases"),
            Column("sold", .integer, "line.sold"),
            Column("refunded", .integer, "line.refunded"),
            Column("used", .integer, "line.used"),
            Column("expired", .integer, "line.expired"),
            Column("deferred", .integer, "line.deferred"),
            Column("allocated", .integer, "line.allocated"),
            Column("target", .integer, "line.part"),
            Column("change", .integer, "line.part - line.before", total: won),
            Column("currency", .text, "'\(Currency.won.code)'"),
            Column("entry", .id, "line.journal_entry_id"),
            Column("recorded_at", .time, "line.recorded_at"),
        ]
        // A month of sale is in every later adjustment of its subject.
        let statement = """
            SELECT \(columns.selection) FROM (
                SELECT adjustment.*, cohort.sold_in, cohort.purchases, cohort.sold, cohort.refunded, cohort.used,
                    cohort.expired, cohort.deferred, cohort.allocated, cohort.target AS part,
                    lag(cohort.target, 1, 0::bigint) OVER (
                        PARTITION BY adjustment.subject, cohort.sold_in ORDER BY adjustment.number) AS before
                FROM adjustment JOIN adjustment_cohort AS cohort ON cohort.adjustment_id = adjustment.id
            ) AS line
            LEFT JOIN accounting_policy AS policy ON policy.id = CASE line.subject
                WHEN 'breakage' THEN line.breakage_policy_id ELSE line.bonus_policy_id END
            WHERE \(condition("line.ends_at - interval '1 microsecond'", recorded: "line.recorded_at"))
            ORDER BY line.number, line.sold_in
            """
        return FixedRows(columns: columns, [statement])
    }
}
