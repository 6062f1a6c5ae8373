extension Report {
    /// What was withheld from each provider in each year.
    package static let withholding = Report(
        "withholding", .period,
        Words(
            "Withheld taxes by year", "연간 원천징수 명세", about: "what each provider was paid in a year, and taxes withheld",
            "연도별·파트너별 지급액과 원천징수(지급명세서용)"),
        korean: ["year": "지급 연도", "payments": "지급 횟수", "amount": "세전 지급액", "net": "실지급액"]
    ) { $0.withholding }
}

extension ExportRequest {
    /// What each provider was paid in each calendar year, and the taxes that were withheld, by when the bank paid.
    ///
    /// It is what payment statements (지급명세서, Income Tax Act art. 164) list. A provider from whom nothing was withheld is
    /// there too, with zeros: what was paid counts, also if its tax was below ten won.
    ///
    /// A payout of a closed period is of the year in which the bank paid, although its entry is effective later: the statement is
    /// by the day of the payment. So the sum of `income_tax` and `local_tax` is what the payouts that were paid in the period
    /// posted to `tax:withholding-payable`, whenever that is effective.
    var withholding: FixedRows {
        let won = Column.Unit.currency(.won)
        let columns = [
            Column("year", .text, "paid.year"),
            Column("provider", .text, "item.provider"),
            Column("payments", .integer, "count(*)"),
            Column("amount", .integer, "sum(item.amount)::bigint", total: won),
            Column("income_tax", .integer, "sum(item.income_tax)::bigint", total: won),
            Column("local_tax", .integer, "sum(item.local_tax)::bigint", total: won),
            Column("net", .integer, "sum(item.amount - item.income_tax - item.local_tax)::bigint", total: won),
        ]
        let statement = """
            SELECT \(columns.selection)
            FROM (
                SELECT payout_id, to_char(paid_at AT TIME ZONE '\(zone.zone.identifier)', 'YYYY') AS year
                FROM (\(paidPayouts)) AS booked
                WHERE \(condition("paid_at", recorded: "recorded_at"))
            ) AS paid
            JOIN payout_item AS item ON item.payout_id = paid.payout_id
            GROUP BY paid.year, item.provider
            ORDER BY paid.year, item.provider
            """
        return FixedRows(columns: columns, settings: ["enable_seqscan = off"], [statement])
    }

    /// Selects the payouts that are booked as paid, with the times of their entries, and when the bank paid.
    var paidPayouts: String {
        """
        SELECT payout_entry.payout_id, min(entry.effective_at) AS effective_at, min(entry.recorded_at) AS recorded_at,
            min(coalesce(entry.late_for, entry.effective_at)) AS paid_at
        FROM payout_entry
        JOIN LATERAL (
            SELECT effective_at, recorded_at, late_for FROM journal_entry WHERE id = payout_entry.journal_entry_id OFFSET 0
        ) AS entry ON true
        GROUP BY payout_entry.payout_id
        """
    }
}
