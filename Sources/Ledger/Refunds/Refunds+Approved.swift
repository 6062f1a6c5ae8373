import Postgres

extension Refunds {
    /// The approved refunds of all users, which finance has to pay or to reverse, oldest first.
    package func listApproved(
        after cursor: WaitingRefundCursor? = nil, limit: Int
    ) async throws(LedgerError) -> Page<Refund, WaitingRefundCursor> {
        try await reading {
            let found = try await pools.reads.run(Refund.approved(after: cursor, limit: limit))
            return Page(found, limit: limit) { shown in shown.last.map { WaitingRefundCursor(id: $0.id) } }
        }
    }
}

extension Refund {
    /// Returns up to `limit` + 1 rows, to show whether there are more.
    fileprivate static func approved(after cursor: WaitingRefundCursor?, limit: Int) -> PostgresQuery<[Refund]> {
        PostgresQuery(
            "SELECT \(columns) FROM refund WHERE status = 'approved' AND id > $1 ORDER BY id LIMIT $2",
            [cursor?.id ?? 0, Int64(limit + 1)], row: decode)
    }
}
