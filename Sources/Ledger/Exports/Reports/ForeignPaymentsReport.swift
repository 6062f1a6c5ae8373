extension Report {
    /// The purchases of a period that were paid in foreign currencies, with their rates.
    package static let foreignPayments = Report(
        "foreign-payments", .period,
        Words(
            "Foreign payments", "외화 결제", about: "what was paid in foreign currencies, at which rates",
            "외화로 결제한 구매와 적용 환율"),
        korean: ["amount": "원화 금액", "refunded_amount": "원화 환불 금액"]
    ) { $0.foreignPayments }
}

extension ExportRequest {
    /// The purchases of the period, as in ``purchases``, that were paid in foreign currencies, by id: what was paid, and what it
    /// is worth at the rate of the payment.
    ///
    /// What the gateways gave back counts until the end of the period. The rest is
    /// what they owe, in the currency and in won, or paid out (``foreignSettlements``).
    var foreignPayments: FixedRows {
        let columns = [
            Column("purchase", .id, "purchase.id"),
            Column("gateway", .text, "gateway"),
            Column("imp_uid", .text, "imp_uid"),
            Column("product", .text, "product"),
            Column("foreign_amount", .integer, "purchase.foreign_amount", total: .column("foreign_currency")),
            Column("foreign_refunded", .integer, "back.foreign_amount", total: .column("foreign_currency")),
            Column("foreign_currency", .text, "purchase.foreign_currency"),
            Column("rate", .text, Self.rateInSQL),
            Column("per", .integer, "rate.per"),
            Column("rate_day", .text, "to_char(rate.day, 'YYYY-MM-DD')"),
            Column("rate_version", .integer, "rate.version"),
            Column("rate_source", .text, "rate.source"),
            Column("amount", .integer, "purchase.amount", total: .column("currency")),
            Column("refunded_amount", .integer, "back.amount", total: .column("currency")),
            Column("currency", .text, "purchase.currency"),
            Column("paid_at", .time, "paid_at"),
            Column("entry", .id, "journal_entry_id"),
        ]
        let isKnown = horizon("reversal.effective_at", recorded: "reversal.recorded_at").map { "AND \($0)" } ?? ""
        let statement = """
            SELECT \(columns.selection)
            FROM (SELECT * FROM purchase WHERE foreign_currency IS NOT NULL ORDER BY id) AS purchase
            \(JournalSQL.entry(of: "purchase"))
            JOIN rate ON rate.id = purchase.rate_id
            CROSS JOIN LATERAL (
                SELECT coalesce(sum(taken.foreign_amount), 0)::bigint AS foreign_amount,
                    coalesce(sum(taken.amount), 0)::bigint AS amount
                FROM (
                    SELECT id, effective_at, recorded_at FROM journal_entry
                    WHERE reverses = purchase.journal_entry_id AND kind IN ('refund', 'claw_back')
                    UNION ALL
                    SELECT moved.id, moved.effective_at, moved.recorded_at
                    FROM claw_back_reversal AS undone JOIN journal_entry AS moved ON moved.id = undone.journal_entry_id
                    WHERE undone.purchase_id = purchase.id
                ) AS reversal
                JOIN purchase_reversal AS taken ON taken.journal_entry_id = reversal.id
                WHERE true \(isKnown)
            ) AS back
            WHERE \(condition("entry.effective_at", recorded: "credited_at"))
            ORDER BY purchase.id
            """
        return FixedRows(columns: columns, [statement])
    }

    /// The rate with its decimals, as it was quoted.
    static let rateInSQL = "round(rate.value / 10::numeric ^ rate.scale, rate.scale::int)::text"
}
