import Postgres

extension Report {
    /// The supplies of a period and their VAT, and the input VAT of the gateway's fees.
    package static let vat = Report(
        "vat", .period,
        Words("VAT", "부가세", about: "supplies, output and input VAT", "공급가액과 매출·매입 부가세"),
        korean: ["act": "분개 유형"], rows: { $0.vat },
        prepare: { request, connection, booksVAT in
            let (hasVAT, hasSales) = try await connection.run(request.vatSeen)
            return hasVAT || (booksVAT && !hasSales) ? .success(request) : .failure(.vatIsOff)
        })
}

extension ExportRequest {
    /// The supplies of a period and their VAT, by rule and kind of act, and the input VAT of the gateway's fees.
    ///
    /// The sum of `output_vat` is what entries of the period posted to `tax:vat-payable`, that of `input_vat` what they
    /// posted to `tax:vat-input`.
    var vat: FixedRows {
        let columns = [
            Column("rule", .text, "rule"),
            Column("act", .text, "act"),
            Column(
                "taxable_supply", .integer,
                Self.sum("gross - vat", of: "rule IN ('at_sale', 'at_use', 'debt', 'refund_fees')")),
            Column("exempt_supply", .integer, Self.sum("gross", of: "rule = 'exempt'")),
            Column("output_vat", .integer, Self.sum("vat", of: "rule <> 'gateway_fees'")),
            Column("taxable_purchases", .integer, Self.sum("gross - vat", of: "rule = 'gateway_fees'")),
            Column("input_vat", .integer, Self.sum("vat", of: "rule = 'gateway_fees'")),
        ]
        .map { column in
            column.kind == .text ? column : Column(column.name, column.kind, column.sql, total: .currency(.won))
        }
        let statement = """
            SELECT \(columns.selection)
            FROM (\(supplies)) AS supply
            JOIN journal_entry AS entry ON entry.id = supply.journal_entry_id
            CROSS JOIN LATERAL (SELECT entry.kind AS act) AS acts
            WHERE \(condition("entry.effective_at", recorded: "entry.recorded_at"))
            GROUP BY rule, act
            HAVING sum(abs(gross)) > 0
            ORDER BY rule, act
            """
        return FixedRows(columns: columns, [statement])
    }

    /// Whether anything in the period was booked with VAT, a sale of which nothing is used too, and whether coins were
    /// sold in it.
    ///
    /// What was booked with VAT before the period says nothing of it: VAT can be off since.
    var vatSeen: PostgresQuery<(hasVAT: Bool, hasSales: Bool)> {
        let isInPeriod = condition("entry.effective_at", recorded: "entry.recorded_at")
        func exists(_ table: String, _ condition: String = "true") -> String {
            """
            EXISTS (SELECT FROM \(table) AS seen JOIN journal_entry AS entry ON entry.id = seen.journal_entry_id
                WHERE \(condition) AND \(isInPeriod))
            """
        }
        return .one(
            """
            SELECT \(exists("lot", "seen.vat IS NOT NULL")) OR \(exists("(\(supplies))", "seen.gross <> 0")),
                \(exists("purchase"))
            """
        ) { row in (try row[0], try row[1]) }
    }

    private static func sum(_ amount: String, of condition: String) -> String {
        "coalesce(sum(\(amount)) FILTER (WHERE \(condition)), 0)::bigint"
    }

    /// Selects what each entry supplied of each lot, the fees of refunds, what was paid for debts, and the gateway's fees.
    ///
    /// A lot whose VAT arises at the sale is supplied with it: what goes back, or expires untaxed, is no longer supplied.
    private var supplies: String {
        """
        SELECT moved.journal_entry_id, lot.vat AS rule,
            greatest(moved.taxed + moved.taxed_breakage + CASE lot.vat WHEN 'at_sale' THEN moved.deferred ELSE 0 END, 0)
                - greatest(
                    before.taxed + before.taxed_breakage + CASE lot.vat WHEN 'at_sale' THEN before.deferred ELSE 0 END, 0)
                AS gross,
            lot_vat_payable(lot.vat, moved.taxed, moved.deferred, moved.taxed_breakage)
                - lot_vat_payable(lot.vat, before.taxed, before.deferred, before.taxed_breakage) AS vat
        \(VATRule.movements)
        UNION ALL
        SELECT journal_entry_id, vat, amount, lot_vat_payable(vat, began_taxed, amount, 0) FROM lot WHERE vat = 'at_sale'
        UNION ALL
        SELECT kept.journal_entry_id, CASE lot.vat WHEN 'exempt' THEN lot.vat ELSE 'refund_fees' END,
            kept.sign * refund.fee, kept.sign * refund.fee_vat
        FROM refund
        JOIN lot ON lot.purchase_id = refund.purchase_id AND lot.kind = 'paid'
        JOIN (
            SELECT id, reversal_entry_id AS journal_entry_id, 1 AS sign FROM refund WHERE reversal_entry_id IS NOT NULL
            UNION ALL
            SELECT refund_id, journal_entry_id, -1 FROM refund_decision WHERE status = 'reversed'
        ) AS kept ON kept.id = refund.id
        WHERE refund.fee_vat IS NOT NULL
        UNION ALL
        SELECT journal_entry_id, 'debt', amount, vat FROM debt_bank_payment WHERE vat <> 0
        UNION ALL
        SELECT journal_entry_id, 'gateway_fees', fee + tax, input_vat FROM settlement_row
        WHERE status = 'settled' AND input_vat <> 0
        """
    }
}
