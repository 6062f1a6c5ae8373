import Ledger
import LedgerWire

extension ReconciliationsController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .keyed(
                "startReconciliation", "/v1/reconciliations", .financeWrite, .finance,
                "Start a reconciliation",
                requiresKey: false,
                body: .json(
                    ReconciliationRequestBody.self,
                    .init("day", ["from": "2026-11-19", "to": "2026-11-20", "heal": true])),
                answers: [
                    .accepted(
                        ReconciliationBody.self, "The reconciliation runs in the background.", headers: [.location],
                        links: [
                            .init("reconciliation", "getReconciliation", id: "/id"),
                            .init("items", "listReconciliationItems", id: "/id"),
                        ])
                ])
        ) { $0.start },
        Route(
            .list(
                "listReconciliations", "/v1/reconciliations", .financeRead, .finance,
                "List reconciliations, newest first",
                parameters: [
                    .from,
                    .to,
                    .query("status", .choice(ReconciliationRun.Status.self), "only items with this status"),
                ],
                page: ListBody<ReconciliationBody>.self)
        ) { $0.list },
        Route(
            .read(
                "getReconciliation", "/v1/reconciliations/{id}", .financeRead, .finance,
                "Get a reconciliation, with its progress while it runs",
                parameters: [.reconciliation],
                answers: [.ok(ReconciliationBody.self, "The reconciliation.")],
                refusals: [.notFound])
        ) { $0.show },
        Route(
            .list(
                "listReconciliationItems", "/v1/reconciliations/{id}/items", .financeRead, .finance,
                "List the payments of a reconciliation",
                parameters: [
                    .reconciliation,
                    .query(
                        "kind",
                        .choices(ReconciliationKind.self), "only items of these kinds"),
                ],
                page: ListBody<ReconciliationItemBody>.self,
                refusals: [.notFound])
        ) { $0.items },
        Route(
            .read(
                "getReconciliationItem", "/v1/reconciliations/{id}/items/{item}", .financeRead, .finance,
                "Get a payment of a reconciliation, with what people did about it",
                parameters: [.reconciliation, item],
                answers: [.ok(ReconciliationItemBody.self, "The payment.")],
                refusals: [.notFound])
        ) { $0.item },
        Route(
            .write(
                "assignReconciliationItem", .post, "/v1/reconciliations/{id}/items/{item}/assign", .financeWrite,
                .finance,
                "Record who works on a payment of a reconciliation",
                "Without `assignee`, nobody works on it. The next reconciliation shows it too.",
                parameters: [.reconciliation, item],
                body: .json(DifferenceAssignRequestBody.self, .init("request", ["assignee": "min"])),
                answers: [.ok(ReconciliationItemBody.self, "The payment as it is now.")],
                refusals: [.notFound])
        ) { $0.assign },
        Route(
            .write(
                "addReconciliationItemNote", .post, "/v1/reconciliations/{id}/items/{item}/notes", .financeWrite,
                .finance,
                "Add a note to a payment of a reconciliation",
                "The next reconciliation shows it too. A repeat of the payment's last act has no effect.",
                parameters: [.reconciliation, item],
                body: .json(NoteRequestBody.self, .init("request", ["text": "asked the gateway"])),
                answers: [.ok(ReconciliationItemBody.self, "The payment as it is now.")],
                refusals: [.notFound])
        ) { $0.note },
    ]

    private static let item = Operation.Parameter.path(
        "item", .id, "the id of the payment in the run", example: 91)

    static func make(with deps: Deps) throws -> Self? {
        ReconciliationsController(
            differences: deps.desks.differences, gateways: deps.crediter.gateways.all.map { $0.name },
            timeZone: deps.timeZone)
    }
}
