extension Report {
    /// What gateways paid out of payments in foreign currencies, with what the rate gained or lost.
    package static let foreignSettlements = Report(
        "foreign-settlements", .period,
        Words(
            "Foreign settlements", "외화 정산",
            about: "what was paid out of payments in foreign currencies, with gains and losses", "외화 결제의 정산 내역과 외환차손익"),
        korean: ["gross": "원화 거래 금액(지급 환율)"]
    ) { $0.foreignSettlements }

    /// What was open in foreign currencies at the ends of months, at the last rates of their last seven days.
    package static let revaluations = Report(
        "revaluations", .period,
        Words(
            "Revaluations", "외화 환산", about: "what was open in foreign currencies at the ends of months, and its worth",
            "월말 외화 미수금 환산 내역"),
        korean: ["amount": "외화환산손익"]
    ) { $0.revaluations }
}

extension ExportRequest {
    /// The lines of ``settlements`` whose payments are in foreign currencies.
    ///
    /// The sum of `carried` is what their entries took off the carrying amount, and that of `gain` what they posted to gains, less
    /// losses.
    var foreignSettlements: FixedRows {
        let won = Column.Unit.currency(.won)
        let columns = [
            Column("entry", .id, "line.journal_entry_id"),
            Column("settled_at", .time, "entry.effective_at"),
            Column("file", .text, "file.name"),
            Column("line", .integer, "line.line"),
            Column("purchase", .id, "line.purchase_id"),
            Column("payment", .text, "line.payment"),
            Column("foreign_gross", .integer, "line.foreign_gross", total: .column("foreign_currency")),
            Column("foreign_currency", .text, "line.foreign_currency"),
            Column("carried", .integer, "line.carried", total: won),
            Column("gross", .integer, "line.gross", total: won),
            Column("gain", .integer, "line.gross - line.carried", total: won),
        ]
        let statement = """
            SELECT \(columns.selection)
            FROM \(Self.settlementLines)
            WHERE \(isSettledInPeriod) AND line.foreign_currency IS NOT NULL
            ORDER BY line.id
            """
        return FixedRows(columns: columns, settings: FixedRows.alongTheKey, [statement])
    }

    /// The revaluations whose months end in the period.
    ///
    /// `amount` is posted at the end of the month, and taken back on the first of the next one.
    var revaluations: FixedRows {
        let won = Column.Unit.currency(.won)
        let columns = [
            Column("revaluation", .id, "revaluation.id"),
            Column("month", .text, "revaluation.month"),
            Column("open", .integer, "basis.open"),
            Column("foreign_currency", .text, "revaluation.currency"),
            Column("rate", .text, Self.rateInSQL),
            Column("per", .integer, "rate.per"),
            Column("rate_day", .text, "to_char(rate.day, 'YYYY-MM-DD')"),
            Column("rate_version", .integer, "rate.version"),
            Column("rate_source", .text, "rate.source"),
            Column("carried", .integer, "basis.carried"),
            Column("worth", .integer, "basis.worth"),
            Column("amount", .integer, "revaluation.amount", total: won),
            Column("entry", .id, "revaluation.journal_entry_id"),
            Column("reversal", .id, "revaluation.reversal_entry_id"),
            Column("recorded_at", .time, "revaluation.recorded_at"),
        ]
        let statement = """
            SELECT \(columns.selection)
            FROM revaluation
            JOIN revaluation_basis AS basis ON basis.id = revaluation.basis_id
            JOIN rate ON rate.id = basis.rate_id
            WHERE \(condition("basis.ends_at - interval '1 microsecond'", recorded: "revaluation.recorded_at"))
            ORDER BY revaluation.id
            """
        return FixedRows(columns: columns, [statement])
    }
}
