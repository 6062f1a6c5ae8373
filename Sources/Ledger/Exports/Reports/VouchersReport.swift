import Postgres

extension Report {
    /// The won of the journal, day by day, in the accounts of an ERP.
    package static let vouchers = Report(
        "vouchers", .days,
        Words(
            "Vouchers for the ERP", "ERP 전표", about: "the won of each day in your ERP's accounts",
            "일별 원화 분개(ERP 계정)"),
        rows: { $0.vouchers },
        prepare: { request, connection, _ in
            guard request.accounts != nil else { return .failure(.noAccounts) }
            let missing = try await connection.run(PostgresQuery<[String]>(request.unmappedAccounts))
            return missing.isEmpty ? .success(request) : .failure(.unmappedAccounts(missing))
        })
}

extension ExportRequest {
    /// The won of the journal as vouchers of an ERP: one a day and kind of act, with a line for each account and side.
    ///
    /// Each entry balances, so each voucher does.
    var vouchers: FixedRows {
        let columns = [
            Column("year", .text, "substr(day.name, 1, 4)"),
            Column("month", .text, "substr(day.name, 6, 2)"),
            Column("day", .text, "substr(day.name, 9, 2)"),
            Column("voucher", .integer, "dense_rank() OVER (PARTITION BY day.place ORDER BY line.act)"),
            // 차변 3, 대변 4.
            Column("side", .integer, "CASE line.side WHEN 'D' THEN 3 ELSE 4 END::bigint"),
            Column("account_code", .text, "mapped.code"),
            Column("account_name", .text, "mapped.name"),
            Column("partner_code", .text, "mapped.partner_code"),
            Column("partner", .text, "mapped.partner"),
            Column("text", .text, "line.act"),
            Column("debit", .integer, "CASE line.side WHEN 'D' THEN line.amount ELSE 0 END", total: .currency(.won)),
            Column("credit", .integer, "CASE line.side WHEN 'C' THEN line.amount ELSE 0 END", total: .currency(.won)),
        ]
        let names = days.map { "'\($0.date)'" }.joined(separator: ", ")
        let statement = """
            SELECT \(columns.selection)
            FROM (\(voucherLines)) AS line
            JOIN unnest(ARRAY[\(names)]) WITH ORDINALITY AS day (name, place) ON day.place = line.place
            JOIN (\(mapping)) AS mapped ON mapped.account = line.account
            ORDER BY day.place, line.act, line.side DESC, mapped.code, line.account
            """
        return FixedRows(columns: columns, [statement])
    }

    /// Selects our accounts that vouchers need and the ERP's accounts lack.
    var unmappedAccounts: String {
        """
        SELECT DISTINCT line.account FROM (\(voucherLines)) AS line
        LEFT JOIN (\(mapping)) AS mapped ON mapped.account = line.account
        WHERE mapped.account IS NULL ORDER BY 1
        """
    }

    private var mapping: String { accounts?.sql ?? "SELECT NULL::text AS account WHERE false" }

    private var voucherLines: String {
        """
        SELECT width_bucket(entry.effective_at, \(startsOfDays)) AS place, entry.kind AS act,
            \(AccountSQL.classification) AS account, posting.side, sum(posting.amount)::bigint AS amount
        FROM \(JournalSQL.postings) JOIN account ON account.id = posting.account_id
        WHERE \(isInPeriod) AND posting.currency = '\(Currency.won.code)'
        GROUP BY 1, 2, 3, 4
        """
    }
}
