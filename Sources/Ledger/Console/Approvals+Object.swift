import Postgres

/// The proposals that stand on the page of what they are about.
extension Approvals {
    /// How many proposals that have ended a page shows beside the open ones.
    private static let endedShown: Int64 = 5
    /// How many open ones, the newest: whoever proposes another one has to have seen the newest (``ApprovalDraft/beside``).
    private static let openShown: Int64 = 50

    /// The proposals about this target, such as `purchase:17`, or about the same user by another id: the last open ones, oldest first, then the last ones that ended.
    ///
    /// It reads the primary: whoever proposes another one has to see the newest. The index is `approval_by_target`.
    package func list(about target: String) async throws(LedgerError) -> [Approval] {
        try await list(where: "target = ANY (targets_alike($1))", target, from: pools.writes)
    }

    /// The proposals for this customer, in the same order.
    ///
    /// The index is `approval_by_user`.
    package func list(of user: UserID) async throws(LedgerError) -> [Approval] {
        let names = UserAliases.names(of: "user_behind($1::text)")
        return try await list(where: "user_id = ANY \(names)", user.rawValue, from: pools.reads)
    }

    private func list(
        where condition: String, _ value: String, from pool: PostgresPool
    ) async throws(LedgerError) -> [Approval] {
        try await reading {
            try await pool.run(
                PostgresQuery(
                    """
                    (SELECT * FROM (
                        SELECT \(Self.columns) FROM approval WHERE \(condition) AND \(OpenWork.approvals.condition)
                        ORDER BY id DESC LIMIT $2) AS open ORDER BY id)
                    UNION ALL
                    (SELECT \(Self.columns) FROM approval WHERE \(condition) AND NOT (\(OpenWork.approvals.condition))
                        ORDER BY id DESC LIMIT $3)
                    """, [value, Self.openShown, Self.endedShown], row: Self.decode))
        }
    }
}
