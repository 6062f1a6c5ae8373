extension Report {
    /// What was done in the console in a period, by whom and why.
    package static let audit = Report(
        "audit", .period,
        Words("Audit", "감사 기록", about: "what people did in the console", "콘솔에서 한 일")
    ) { $0.audit }
}

extension ExportRequest {
    /// The acts of the console that were begun in the period, by id, each with its outcome as recorded by `as_of`.
    var audit: FixedRows {
        let columns = [
            Column("id", .id, "audit.id"),
            Column("acted_at", .time, "audit.acted_at"),
            Column("subject", .text, "audit.subject"),
            Column("name", .text, "audit.name"),
            Column("role", .text, "audit.role"),
            Column("act", .text, "audit.act"),
            Column("target", .text, "audit.target"),
            Column("user", .text, "audit.user_id"),
            Column("reason", .text, "audit.reason"),
            Column("seen", .text, "audit.seen::text"),
            Column("approval", .id, "audit.approval_id"),
            Column("outcome", .text, "audit_outcome.outcome"),
            Column("ended_at", .time, "audit_outcome.ended_at"),
            Column("detail", .text, "audit_outcome.detail::text"),
        ]
        let isKnown = asOf.map { "AND audit_outcome.ended_at <= \($0.sqlLiteral)" } ?? ""
        let statement = """
            SELECT \(columns.selection) FROM audit
            LEFT JOIN audit_outcome ON audit_outcome.audit_id = audit.id \(isKnown)
            WHERE \(condition("audit.acted_at", recorded: "audit.acted_at"))
            ORDER BY audit.id
            """
        return FixedRows(columns: columns, settings: FixedRows.alongTheKey, [statement])
    }
}
