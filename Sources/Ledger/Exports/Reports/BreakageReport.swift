extension Report {
    /// What became of the coins that were sold in each month, up to a moment.
    package static let breakage = Report(
        "breakage", .moment,
        Words(
            "Unused coins by month of sale", "판매 월별 미사용 코인", about: "what became of each month's sales",
            "판매 월별 사용·만료·잔여"),
        korean: ["refunded": "환불", "used": "사용", "expired": "만료"]
    ) { $0.breakage }
}

extension ExportRequest {
    /// What became, up to the moment, of the won that were paid in each month.
    ///
    /// The history of months whose coins are all used or expired shows how many coins stay unused.
    var breakage: FixedRows {
        let won = Column.Unit.currency(.won)
        let columns = [
            Column("sold_in", .text, "cohort.sold_in"),
            Column("purchases", .integer, "cohort.purchases"),
            Column("sold", .integer, "cohort.sold", total: won),
            Column("refunded", .integer, "cohort.refunded", total: won),
            Column("used", .integer, "cohort.used", total: won),
            Column("expired", .integer, "cohort.expired", total: won),
            Column("deferred", .integer, "cohort.deferred", total: won),
            Column("currency", .text, "'\(Currency.won.code)'"),
            // Of 1,000 won that were not given back; empty while coins are left.
            Column(
                "expired_per_mille", .integer,
                """
                CASE cohort.deferred WHEN 0 THEN
                    div(cohort.expired::numeric * 1000, nullif(cohort.sold - cohort.refunded, 0))::bigint END
                """),
        ]
        let cohorts = CohortSQL.cohorts(
            where: { horizon("\($0).effective_at", recorded: "\($0).recorded_at") ?? "true" },
            in: "'\(zone.zone.identifier)'", bonusPrice: nil, scaled: false)
        return FixedRows(
            columns: columns, ["SELECT \(columns.selection) FROM (\(cohorts)) AS cohort ORDER BY cohort.sold_in"])
    }
}
