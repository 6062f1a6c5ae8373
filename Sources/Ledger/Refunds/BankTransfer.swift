import Postgres

/// A refund by bank transfer.
package struct BankTransfer: Sendable, Equatable {
    package let refund: Refund
    /// The kinds of the open findings of the purchase's payment, such as `refunded_twice`.
    package let findings: [String]
}

extension Refunds {
    /// The refunds by bank transfer of all users with this status: approved ones oldest first, others newest first.
    package func listTransfers(
        _ status: Refund.Status = .approved, after cursor: After<Int64>? = nil, limit: Int
    ) async throws(LedgerError) -> Page<BankTransfer, After<Int64>> {
        try await reading {
            let found = try await pools.reads.run(BankTransfer.list(status, after: cursor, limit: limit))
            return Page(found, limit: limit) { shown in shown.last.map { After(id: $0.refund.id) } }
        }
    }
}

extension BankTransfer {
    /// Returns up to `limit` + 1 rows, to show whether there are more.
    fileprivate static func list(
        _ status: Refund.Status, after cursor: After<Int64>?, limit: Int
    ) -> PostgresQuery<[BankTransfer]> {
        let isOldestFirst = status == .approved
        return PostgresQuery(
            """
            SELECT \(Refund.columns), (
                    SELECT coalesce(jsonb_agg(DISTINCT kind ORDER BY kind), '[]')
                    FROM purchase
                    JOIN finding USING (gateway, imp_uid)
                    CROSS JOIN LATERAL unnest(finding.kinds) AS kind
                    WHERE purchase.id = refund.purchase_id AND finding.resolved_at IS NULL
                        AND \(Finding.stands("kind", credited: "purchase")))
            FROM refund
            WHERE method = 'bank_transfer' AND status = '\(status.rawValue)' AND id \(isOldestFirst ? ">" : "<") $1
            ORDER BY id \(isOldestFirst ? "" : "DESC") LIMIT $2
            """,
            [cursor?.id ?? (isOldestFirst ? 0 : .max), Int64(limit + 1)]
        ) { row in
            BankTransfer(
                refund: try Refund.decode(row), findings: try row.decodeJSON(Refund.columnCount, as: [String].self))
        }
    }
}
