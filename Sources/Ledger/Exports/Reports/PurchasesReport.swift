extension Report {
    /// The purchases that were paid in a period.
    package static let purchases = Report(
        "purchases", .period,
        Words("Purchases", "구매 내역", about: "each payment, with what was refunded", "결제별 구매와 환불"),
        korean: ["amount": "결제 금액", "coins": "유료 코인"]
    ) { $0.purchases }
}

extension ExportRequest {
    /// The purchases whose entries are effective in the period, by id.
    ///
    /// An entry is effective when the purchase was paid, unless that period was already closed. So a period's purchases
    /// add up to its `purchase` entries. Refunds count until the end of the period.
    var purchases: FixedRows {
        let columns = [
            Column("purchase", .id, "id"),
            Column("user", .text, user(of: "purchase")),
            Column("status", .text, PurchaseSQL.status(refunded: "refunded.amount", coins: "refunded.coins")),
            Column("gateway", .text, "gateway"),
            Column("imp_uid", .text, "imp_uid"),
            Column("merchant_uid", .text, "merchant_uid"),
            Column("payment_id", .text, "payment_id"),
            Column("product", .text, "product"),
            Column("amount", .integer, "purchase.amount", total: .column("currency")),
            Column("refunded_amount", .integer, "refunded.amount", total: .column("currency")),
            Column("currency", .text, "currency"),
            Column("coins", .integer, "purchase.coins", total: .currency(.coin)),
            Column("bonus_coins", .integer, "bonus_coins", total: .currency(.coin)),
            Column("paid_at", .time, "paid_at"),
            Column("credited_at", .time, "credited_at"),
            Column("entry", .id, "journal_entry_id"),
        ]
        let statement = """
            SELECT \(columns.selection) FROM purchase
            \(JournalSQL.entry(of: "purchase"))
            \(PurchaseSQL.refunded(by: horizon("reversal.effective_at", recorded: "reversal.recorded_at")))
            WHERE \(condition("entry.effective_at", recorded: "credited_at"))
            ORDER BY purchase.id
            """
        return FixedRows(columns: columns, settings: FixedRows.alongTheKey, [statement])
    }
}

extension FixedRows {
    /// Settings to read along the primary key.
    ///
    /// With a sort, the first row would come after the last one was read.
    static let alongTheKey = ["enable_sort = off", "enable_seqscan = off"]
}
