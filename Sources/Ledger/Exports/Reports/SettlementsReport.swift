extension Report {
    /// What the gateways paid out, line by line, as booked in a period.
    package static let settlements = Report(
        "settlements", .period,
        Words("Settlements", "PG사 정산", about: "what the gateways paid out, line by line", "PG사가 지급한 정산 내역")
    ) { $0.settlements }
}

extension ExportRequest {
    /// The lines of settlement files whose entries are effective in the period.
    ///
    /// The sum of `net` is what these entries posted to `bank`, that of `gross` what they posted to the accounts of what
    /// gateways owe; of payments in foreign currencies, that is less gains: see ``foreignSettlements``.
    var settlements: FixedRows {
        let columns = [
            Column("entry", .id, "line.journal_entry_id"),
            Column("settled_at", .time, "entry.effective_at"),
            Column("file", .text, "file.name"),
            Column("line", .integer, "line.line"),
            Column("gateway", .text, "purchase.gateway"),
            Column("payment", .text, "line.payment"),
            Column("purchase", .id, "line.purchase_id"),
            Column("paid_out_on", .text, "line.paid_out_on::text"),
            Column("gross", .integer, "line.gross", total: .currency(.won)),
            Column("fee", .integer, "line.fee", total: .currency(.won)),
            Column("tax", .integer, "line.tax", total: .currency(.won)),
            Column("input_vat", .integer, "line.input_vat", total: .currency(.won)),
            Column("net", .integer, "line.net", total: .currency(.won)),
        ]
        let statement = """
            SELECT \(columns.selection)
            FROM \(Self.settlementLines)
            JOIN LATERAL (SELECT gateway FROM purchase WHERE id = line.purchase_id OFFSET 0) AS purchase ON true
            WHERE \(isSettledInPeriod)
            ORDER BY line.id
            """
        return FixedRows(columns: columns, settings: FixedRows.alongTheKey, [statement])
    }
    /// SQL: lines of settlement files, each with its file and its entry.
    static let settlementLines = """
        settlement_row AS line
        JOIN settlement_file AS file ON file.id = line.file_id
        JOIN LATERAL (
            SELECT effective_at, recorded_at FROM journal_entry WHERE id = line.journal_entry_id OFFSET 0
        ) AS entry ON true
        """

    /// SQL: whether such a line is booked, and its entry effective in the period.
    var isSettledInPeriod: String {
        "line.status = 'settled' AND \(condition("entry.effective_at", recorded: "entry.recorded_at"))"
    }
}
