import Postgres

extension Report {
    /// The won of the journal, day by day, in the accounts of an ERP.
    package static let vouchers = Report(
        "vouchers", .days,
        Words(
            "Vouchers for the ERP", "ERP 전표", about: "the won of each day in your ERP's accounts",
            "일별 원화 분개(ERP 계정)"),
        korean: ["foreign_amount": "외화금액", "foreign_currency": "외화종류", "foreign_rate": "환율"],
        rows: { $0.vouchers },
        prepare: { request, connection, _ in
            guard request.accounts != nil else { return .failure(.noAccounts) }
            let missing = try await connection.run(PostgresQuery<[String]>(request.unmappedAccounts))
            guard missing.isEmpty else { return .failure(.unmappedAccounts(missing)) }
            var request = request
            request.hasForeignVouchers = try await connection.run(.one(request.hasForeignPostings))
            return .success(request)
        })
}

extension ExportRequest {
    /// The won of the journal as vouchers of an ERP: one a day and kind of act, with a line for each account and side.
    ///
    /// Each entry balances, so each voucher does. If a foreign currency moved, the lines of its carrying amount say how much of it.
    var vouchers: FixedRows {
        let columns = Self.wonVoucherColumns + (hasForeignVouchers ? Self.foreignVoucherColumns : [])
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

    private static var wonVoucherColumns: [Column] {
        [
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
    }

    /// They come last, so a template of the other columns reads both kinds of files.
    ///
    /// A line adds up payments at several rates. Its rate is its won divided by its foreign amount.
    private static var foreignVoucherColumns: [Column] {
        [
            Column("foreign_currency", .text, foreignCode),
            Column(
                "foreign_amount", .text,
                "round(line.foreign_amount / 10::numeric ^ \(foreignDecimals), \(foreignDecimals)::int)::text"),
            Column(
                "foreign_rate", .text,
                "round(line.amount * 10::numeric ^ \(foreignDecimals) / line.foreign_amount, 4)::text"),
        ]
    }

    private static let foreignCode = "CASE WHEN line.foreign_amount > 0 THEN split_part(line.account, ':', 3) END"
    private static let foreignDecimals = "currency_decimals(\(foreignCode))"

    /// Selects whether entries of the period moved a foreign currency.
    fileprivate var hasForeignPostings: String {
        """
        SELECT EXISTS (SELECT FROM foreign_currency) AND EXISTS (
            SELECT FROM account JOIN posting ON posting.account_id = account.id
            JOIN journal_entry AS entry ON entry.id = posting.journal_entry_id
            WHERE account.owner IS NULL AND \(ForeignAccount.isClearing("\(AccountSQL.name)")) AND \(isInPeriod))
        """
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

    private var voucherLines: String { hasForeignVouchers ? foreignVoucherLines : wonVoucherLines }

    private var wonVoucherLines: String {
        """
        SELECT width_bucket(entry.effective_at, \(startsOfDays)) AS place, entry.kind AS act,
            \(AccountSQL.classification) AS account, posting.side, sum(posting.amount)::bigint AS amount
        FROM \(JournalSQL.postings) JOIN account ON account.id = posting.account_id
        WHERE \(isInPeriod) AND posting.currency = '\(Currency.won.code)'
        GROUP BY 1, 2, 3, 4
        """
    }

    /// As ``wonVoucherLines``, with what moved of a currency beside its carrying amount.
    ///
    /// `fx:clearing:USD` has it on the opposite side. What moved without won has no line.
    private var foreignVoucherLines: String {
        """
        SELECT place, act, account, side, coalesce(sum(amount), 0)::bigint AS amount,
            sum(foreign_amount)::bigint AS foreign_amount
        FROM (
            SELECT width_bucket(entry.effective_at, \(startsOfDays)) AS place, entry.kind AS act,
                CASE WHEN moved.is_won THEN moved.account ELSE moved.account || ':\(Currency.won.code)' END AS account,
                CASE WHEN moved.is_won THEN posting.side WHEN posting.side = 'D' THEN 'C' ELSE 'D' END AS side,
                CASE WHEN moved.is_won THEN posting.amount END AS amount,
                CASE WHEN NOT moved.is_won THEN posting.amount END AS foreign_amount
            FROM \(JournalSQL.postings) JOIN account ON account.id = posting.account_id
            CROSS JOIN LATERAL (
                SELECT \(AccountSQL.classification) AS account, posting.currency = '\(Currency.won.code)' AS is_won
            ) AS moved
            WHERE \(isInPeriod) AND (moved.is_won OR \(ForeignAccount.isClearing("moved.account")))
        ) AS moved
        GROUP BY 1, 2, 3, 4
        HAVING sum(amount) > 0
        """
    }
}
