extension Report {
    /// The lots acquired in a period, with their state at a moment.
    package static let lots = Report(
        "lots", .period,
        Words("Coin lots", "코인 적립 건", about: "coins by purchase or grant, with what is left", "구매·지급별 코인과 잔여"),
        korean: ["kind": "코인 종류", "coins": "적립 코인", "amount": "구매 금액"]
    ) { $0.lots }
}

extension ExportRequest {
    /// The lots whose entries are effective in the period, by id, each with its state at the end of the period as
    /// recorded by `as_of`.
    var lots: FixedRows {
        let columns = [
            Column("lot", .id, "lot.id"),
            Column("user", .text, user(of: "lot")),
            Column("kind", .text, "lot.kind"),
            Column("product", .text, "purchase.product"),
            Column("purchase", .id, "coalesce(lot.purchase_id, lot.origin_purchase_id)"),
            Column("origin", .id, "lot.origin_id"),
            Column("issuer", .text, "lot.issuer"),
            Column("coins", .integer, "lot.coins", total: .currency(.coin)),
            Column("remaining", .integer, "state.remaining", total: .currency(.coin)),
            Column("held", .integer, "state.held", total: .currency(.coin)),
            Column("amount", .integer, "lot.amount", total: .column("currency")),
            Column("deferred", .integer, "state.deferred", total: .column("currency")),
            Column("currency", .text, "lot.currency"),
            Column("acquired_at", .time, "lot.acquired_at"),
            Column("expires_at", .time, lotExpiry),
            Column("entry", .id, "lot.journal_entry_id"),
        ]
        // `acquired_at` is when the entry was recorded. The lot, like its purchase, belongs to the period in which the
        // entry is effective.
        let statement = """
            SELECT \(columns.selection) FROM lot
            \(lotState)
            \(JournalSQL.entry(of: "lot"))
            LEFT JOIN LATERAL (
                SELECT product FROM purchase WHERE id = coalesce(lot.purchase_id, lot.origin_purchase_id) OFFSET 0
            ) AS purchase ON true
            WHERE \(condition("entry.effective_at", recorded: "lot.acquired_at"))
            ORDER BY lot.id
            """
        return FixedRows(columns: columns, settings: FixedRows.alongTheKey, [statement])
    }

    /// When each lot expires, as it stood at the end of the period and as recorded by `as_of`.
    var lotExpiry: String { LotSQL.expiry(by: horizon("mover.effective_at", recorded: "mover.recorded_at")) }

    /// Joins each lot's state at the end of the period, as recorded by `as_of`, as `state`.
    var lotState: String {
        guard period.to != nil, let horizon = horizon("mover.effective_at", recorded: "mover.recorded_at") else {
            return LotSQL.state(at: asOf)
        }
        return LotSQL.state(by: horizon)
    }
}
