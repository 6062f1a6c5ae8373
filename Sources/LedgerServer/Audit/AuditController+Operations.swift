import LedgerWire

extension AuditController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .list(
                "listAudit", "/v1/audit", .financeRead, .finance,
                "List what was done in the console, newest first",
                parameters: [
                    .from,
                    .to,
                    .query("act", .named("AuditAct"), "only this act"),
                    .query("subject", .text, "only acts of this person"),
                    .query("user", .text, "only acts that concern this user"),
                ],
                page: ListBody<AuditBody>.self)
        ) { $0.list }
    ]

    static func make(with deps: Deps) throws -> Self? {
        AuditController(records: deps.ledger.audit, timeZone: deps.timeZone)
    }
}
