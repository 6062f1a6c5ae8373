extension Report {
    /// What providers were paid in a period, and the taxes that were withheld.
    package static let payouts = Report(
        "payouts", .period,
        Words("Payouts to providers", "파트너 정산", about: "what providers were paid, and taxes withheld", "파트너 지급액과 원천징수"),
        korean: ["amount": "세전 지급액", "net": "실지급액", "paid_at": "지급 시각"]
    ) { $0.payouts }
}

extension ExportRequest {
    /// What each payout paid to each provider, of the payouts whose entries are effective in the period.
    ///
    /// The sum of `income_tax` and `local_tax` is what these entries posted to `tax:withholding-payable`.
    var payouts: FixedRows {
        let columns = [
            Column("payout", .id, "item.payout_id"),
            Column("paid_at", .time, "paid.effective_at"),
            Column("provider", .text, "item.provider"),
            Column("amount", .integer, "item.amount", total: .currency(.won)),
            Column("income_tax", .integer, "item.income_tax", total: .currency(.won)),
            Column("local_tax", .integer, "item.local_tax", total: .currency(.won)),
            Column(
                "net", .integer, "item.amount - item.income_tax - item.local_tax", total: .currency(.won)),
            Column("bank_reference", .text, "decision.bank_reference"),
        ]
        let statement = """
            SELECT \(columns.selection)
            FROM (\(paidPayouts)) AS paid
            JOIN payout_decision AS decision ON decision.payout_id = paid.payout_id AND decision.decision = 'paid'
            JOIN payout_item AS item ON item.payout_id = paid.payout_id
            WHERE \(condition("paid.effective_at", recorded: "paid.recorded_at"))
            ORDER BY item.payout_id, item.provider
            """
        return FixedRows(columns: columns, settings: ["enable_seqscan = off"], [statement])
    }
}
