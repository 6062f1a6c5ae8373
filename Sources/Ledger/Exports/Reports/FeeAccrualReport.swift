extension Report {
    /// The gateways' fees to expect on what is outstanding at a moment.
    package static let feeAccrual = Report(
        "fee-accrual", .moment,
        Words("Fees to accrue", "PG사 수수료 미지급 예상", about: "fees of what the gateways owe", "미정산 결제의 예상 수수료"),
        korean: ["payments": "결제 수", "settled": "최근 90일 정산액", "outstanding": "미정산액"]
    ) { $0.feeAccrual }
}

extension ExportRequest {
    /// The fees that gateways will keep of what is outstanding at a moment, with the entry to book for them at the end of a
    /// month and to reverse in the next one.
    ///
    /// They are estimated by what each gateway kept of its payouts in the 90 days before. A gateway without payouts has no
    /// estimate.
    var feeAccrual: FixedRows {
        let columns = [
            Column("gateway", .text, "owed.gateway"),
            Column("payments", .integer, "owed.payments"),
            Column("outstanding", .integer, "owed.amount", total: .column("currency")),
            Column("currency", .text, "'\(Currency.won.code)'"),
            Column("settled", .integer, "coalesce(kept.gross, 0)", total: .column("currency")),
            Column("fees", .integer, "coalesce(kept.fees, 0)", total: .column("currency")),
            Column("percent", .text, "round(kept.fees * 100.0 / nullif(kept.gross, 0), 4)::text"),
            Column(
                "accrual", .integer, "round(owed.amount::numeric * kept.fees / nullif(kept.gross, 0))::bigint",
                total: .column("currency")),
            Column("debit_account", .text, "'\(SystemAccount.gatewayFees.rawValue)'"),
            Column("credit_account", .text, "'accrued-expenses'"),
        ]
        let statement = """
            SELECT \(columns.selection) FROM (
                SELECT gateway, count(*) AS payments, sum(amount)::bigint AS amount
                FROM (\(outstandingPayments)) AS payment WHERE amount <> 0 GROUP BY gateway
            ) AS owed
            LEFT JOIN (\(keptFees)) AS kept ON kept.gateway = owed.gateway
            ORDER BY owed.gateway
            """
        return FixedRows(columns: columns, [statement])
    }

    /// What is outstanding of each payment: the present state, less what was posted to the receivable after the moment.
    private var outstandingPayments: String {
        let present = """
            purchase.amount - purchase.refunded_amount + purchase.transferred_amount - purchase.settled_amount
            """
        guard let horizon = horizon("entry.effective_at", recorded: "entry.recorded_at"),
            let firstLater = horizonOfEntries
        else { return "SELECT gateway, \(present) AS amount FROM purchase WHERE \(present) <> 0" }
        // The reference is 'purchase:17', of the entry or of the entry that it reverses.
        return """
            SELECT purchase.gateway, \(present) - coalesce(later.amount, 0) AS amount
            FROM purchase LEFT JOIN (
                SELECT substr(coalesce(reversed.reference, entry.reference), 10)::bigint AS id,
                    sum(CASE posting.side WHEN 'D' THEN posting.amount ELSE -posting.amount END) AS amount
                FROM \(JournalSQL.postings) JOIN account ON account.id = posting.account_id
                LEFT JOIN journal_entry AS reversed ON reversed.id = entry.reverses
                WHERE NOT (\(horizon)) AND entry.kind <> 'adjustment' AND posting.journal_entry_id >= (\(firstLater))
                    AND account.owner IS NULL AND \(SystemAccount.isReceivable("account.code"))
                GROUP BY 1
            ) AS later ON later.id = purchase.id
            WHERE \(present) <> 0 OR later.amount <> 0
            """
    }

    /// Selects the first entry after the moment; nil: there is no moment.
    private var horizonOfEntries: String? {
        horizon("effective_at", recorded: "recorded_at").map { JournalSQL.firstEntry(where: "NOT (\($0))") }
    }

    /// What each gateway kept of what it paid out.
    ///
    /// A line belongs to the period of its entry, so that of a closed period stays.
    private var keptFees: String {
        let moment = (period.to ?? asOf)?.sqlLiteral ?? "now()"
        let isKnown = horizon("entry.effective_at", recorded: "entry.recorded_at").map { "AND \($0)" } ?? ""
        return """
            SELECT purchase.gateway, sum(line.gross)::bigint AS gross,
                sum(line.fee + line.tax - line.input_vat)::bigint AS fees
            FROM settlement_row AS line
            JOIN journal_entry AS entry ON entry.id = line.journal_entry_id
            JOIN purchase ON purchase.id = line.purchase_id
            WHERE line.status = 'settled' AND entry.effective_at >= \(moment) - interval '90 days'
                AND entry.effective_at < \(moment) \(isKnown)
            GROUP BY purchase.gateway
            """
    }
}
