extension Report {
    /// What providers were paid in a period, and the taxes that were withheld.
    package static let payouts = Report("payouts", .period) { $0.payouts }
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
            FROM payout_item AS item
            JOIN payout_decision AS decision ON decision.payout_id = item.payout_id AND decision.decision = 'paid'
            JOIN LATERAL (
                SELECT min(entry.effective_at) AS effective_at, min(entry.recorded_at) AS recorded_at
                FROM payout_entry
                JOIN journal_entry AS entry ON entry.id = payout_entry.journal_entry_id
                WHERE payout_entry.payout_id = item.payout_id
            ) AS paid ON paid.effective_at IS NOT NULL
            WHERE \(condition("paid.effective_at", recorded: "paid.recorded_at"))
            ORDER BY item.payout_id, item.provider
            """
        return FixedRows(columns: columns, [statement])
    }
}
