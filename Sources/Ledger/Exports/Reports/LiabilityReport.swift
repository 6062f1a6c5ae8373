extension Report {
    /// The unused coins at a moment, and the won deferred for them.
    package static let liability = Report(
        "liability", .moment,
        Words(
            "Liability", "미사용 코인 부채", about: "what is owed for unused coins, by month of purchase",
            "구매 월별 미사용 코인 부채"),
        korean: ["kind": "코인 종류"]
    ) { $0.liability }
}

extension ExportRequest {
    /// The unused coins and the won deferred for them, by kind, product and time to expiry, at the end of the period
    /// or, without one, at `as_of`.
    var liability: FixedRows {
        let moment = (period.to ?? asOf)?.sqlLiteral ?? "now()"
        let unused = "(state.remaining + state.held)"
        let columns = [
            Column("kind", .text, "lot.kind"),
            Column("product", .text, "purchase.product"),
            Column("expires", .text, Self.bucket(of: lotExpiry, at: moment)),
            Column("lots", .integer, "count(*)"),
            Column("users", .integer, "count(DISTINCT \(user(of: "lot")))"),
            Column("remaining", .integer, "sum(state.remaining)::bigint", total: .currency(.coin)),
            Column("held", .integer, "sum(state.held)::bigint", total: .currency(.coin)),
            Column("unused", .integer, "sum\(unused)::bigint", total: .currency(.coin)),
            Column("deferred", .integer, "sum(state.deferred)::bigint", total: .column("currency")),
            Column("currency", .text, "lot.currency"),
        ]
        // Lots that are used up now may have had coins then.
        let wasThere = horizon("entry.effective_at", recorded: "lot.acquired_at") ?? "lot.remaining + lot.held > 0"
        let statement = """
            SELECT \(columns.selection) FROM lot
            \(lotState)
            \(period.to == nil ? "" : JournalSQL.entry(of: "lot"))
            LEFT JOIN purchase ON purchase.id = coalesce(lot.purchase_id, lot.origin_purchase_id)
            WHERE \(wasThere) AND \(unused) > 0
            GROUP BY 1, 2, 3, lot.currency
            ORDER BY 1 DESC, 2 NULLS LAST, 3, lot.currency
            """
        return FixedRows(columns: columns, [statement])
    }

    /// The time from the moment to a lot's expiry.
    ///
    /// Coins that expire within a year are a current liability.
    private static func bucket(of expiry: String, at moment: String) -> String {
        """
        CASE
            WHEN \(expiry) IS NULL THEN 'never'
            WHEN \(expiry) <= \(moment) THEN '0 overdue'
            WHEN \(expiry) <= \(moment) + interval '30 days' THEN '1 within 30 days'
            WHEN \(expiry) <= \(moment) + interval '90 days' THEN '2 within 90 days'
            WHEN \(expiry) <= \(moment) + interval '1 year' THEN '3 within a year'
            ELSE '4 later'
        END
        """
    }
}
