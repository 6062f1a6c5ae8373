import Foundation
import Hummingbird
import Ledger
import LedgerWire

/// Comparisons of the gateways' payments with the books, for finance.
struct ReconciliationsController: Sendable {
    let differences: DifferenceActs
    /// The configured gateways.
    let gateways: [String]
    /// The time zone of days.
    let timeZone: TimeZone

    private var ledger: Ledger { differences.ledger }

    /// `POST /v1/reconciliations`: 202; the run is performed in the background.
    func start(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let body = try await request.decode(as: ReconciliationRequestBody.self, context: context)
        let draft = ReconciliationDraft(
            period: try body.period(in: timeZone), heals: body.heal ?? false, gateways: gateways,
            key: try request.idempotencyKeyIfAny(context))
        guard let started = try await ledger.reconciliations.start(draft) else {
            var first: ReconciliationRun?
            if let key = draft.key { first = try await ledger.reconciliations.find(under: key) }
            throw Problem.keyReused(for: "reconciliation", at: first?.startedAt)
        }
        let run = started.run
        var headers: HTTPFields = [.location: "/v1/reconciliations/\(run.id)"]
        if started.isRepeat { headers[.idempotentReplayed] = "true" }
        return try Response(status: .accepted, headers: headers, json: try await self.body(of: run))
    }

    /// `GET /v1/reconciliations`: newest first; `?from=&to=` filters by start, `?status=` by status.
    func list(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(request, position: After<Int64>.self, filters: "from", "to", "status")
        let found = try await ledger.reconciliations.list(
            in: try page.query.period(in: timeZone), try page.query.choice("status"), after: page.after,
            limit: page.limit)
        return try page.answer(
            "reconciliations", found.elements.map { ReconciliationBody($0, $0.counts) }, next: found.next)
    }

    /// `GET /v1/reconciliations/{id}`, with the progress while it runs.
    func show(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try Response(json: try await body(of: try await run(context)))
    }

    /// `GET /v1/reconciliations/{id}/items`; `?kind=` filters by kinds, separated by commas.
    func items(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let run = try await run(context)
        let page = try PageRequest(request, position: After<Int64>.self, filters: "kind")
        let found = try await ledger.reconciliations.listItems(
            of: run.id, try page.query.kinds(), after: page.after, limit: page.limit)
        let contexts = try await ledger.reconciliations.contexts(of: found.elements)
        return try page.answer(
            "items", found.elements.map { ReconciliationItemBody($0, contexts[$0.id]) }, next: found.next)
    }

    /// `GET /v1/reconciliations/{id}/items/{item}`, with what people did about it.
    func item(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try Response(
            json: ReconciliationItemBody(
                try await differences.find(try context.pathID("item"), of: try context.pathID())))
    }

    /// `POST /v1/reconciliations/{id}/items/{item}/assign`.
    func assign(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let body = try await request.decode(as: DifferenceAssignRequestBody.self, context: context)
        return try await act(body.assignee == nil ? .unassign : .assign, context, whom: body.assignee?.value)
    }

    /// `POST /v1/reconciliations/{id}/items/{item}/notes`.
    func note(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let body = try await request.decode(as: NoteRequestBody.self, context: context)
        return try await act(.note, context, reason: body.text.value)
    }

    private func act(
        _ kind: DifferenceAct.Kind, _ context: LedgerdRequestContext, whom: String? = nil, reason: String? = nil
    ) async throws -> Response {
        let found = try await differences.act(
            kind, on: try context.pathID("item"), of: try context.pathID(),
            by: try context.requirePrincipal().subject, whom: whom, reason: reason)
        return try Response(json: ReconciliationItemBody(found))
    }

    private func run(_ context: LedgerdRequestContext) async throws -> ReconciliationRun {
        guard let run = try await ledger.reconciliations.find(try context.pathID()) else {
            throw Problem(.notFound, "the reconciliation does not exist")
        }
        return run
    }

    private func body(of run: ReconciliationRun) async throws(LedgerError) -> ReconciliationBody {
        ReconciliationBody(run, try await ledger.reconciliations.counts(of: run))
    }
}

extension Query {
    /// The requested kinds; by default all.
    fileprivate func kinds() throws(Problem) -> [ReconciliationKind] {
        guard let text = self["kind"] else { return ReconciliationKind.allCases }
        let names = text.commaSeparated
        let kinds = names.compactMap(ReconciliationKind.init(rawValue:))
        guard !kinds.isEmpty, kinds.count == names.count else {
            let known = ReconciliationKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalid(member: "kind", "kind must be one or more of \(known), separated by commas")
        }
        return kinds
    }
}
