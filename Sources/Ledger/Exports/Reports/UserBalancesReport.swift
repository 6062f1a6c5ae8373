extension Report {
    /// What each user has at a moment.
    package static let userBalances = Report(
        "user-balances", .moment,
        Words("Balances of customers", "고객별 잔액", about: "coins of each customer", "고객별 코인")
    ) { $0.userBalances }
}

extension ExportRequest {
    /// What each user has: coins in the wallet and on hold, and the won that were paid for them, at the end of the period
    /// or, without one, at `as_of`.
    var userBalances: FixedRows {
        let unused = "(state.remaining + state.held)"
        func coins(_ kind: String) -> String { "coalesce(sum\(unused) FILTER (WHERE lot.kind = '\(kind)'), 0)::bigint" }
        let columns = [
            Column("user", .text, user(of: "lot")),
            Column("paid", .integer, coins("paid"), total: .currency(.coin)),
            Column("deferred", .integer, "sum(state.deferred)::bigint", total: .column("currency")),
            Column("currency", .text, "lot.currency"),
            Column("bonus", .integer, coins("bonus"), total: .currency(.coin)),
        ]
        // Lots that are used up now may have had coins then.
        let wasThere = horizon("entry.effective_at", recorded: "lot.acquired_at") ?? "lot.remaining + lot.held > 0"
        let statement = """
            SELECT \(columns.selection) FROM lot
            \(lotState)
            \(period.to == nil ? "" : JournalSQL.entry(of: "lot"))
            WHERE \(wasThere) AND \(unused) > 0
            GROUP BY 1, lot.currency
            ORDER BY 1, lot.currency
            """
        return FixedRows(columns: columns, [statement])
    }
}
