import Foundation
import Hummingbird
import Ledger
import LedgerWire

/// Comparisons of the gateways' payments with the books, for finance.
struct ReconciliationsController: Sendable {
    let ledger: Ledger
    /// The gateways that can be asked.
    let gateways: [String]
    /// The time zone of days.
    let timeZone: TimeZone

    func addRoutes(to group: RouterGroup<LedgerdRequestContext>) {
        group.post("reconciliations", use: start)
        group.get("reconciliations", use: list)
        group.get("reconciliations/{id}", use: show)
        group.get("reconciliations/{id}/items", use: items)
    }

    /// `POST /v1/reconciliations`: 202; the run is worked on in the background.
    private func start(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let body = try await request.decode(as: ReconciliationRequestBody.self, context: context)
        let draft = ReconciliationDraft(
            period: try body.period(in: timeZone), heals: body.heal ?? false, gateways: gateways,
            key: try request.idempotencyKeyIfAny(context))
        guard let started = try await ledger.reconciliations.start(draft) else {
            throw Problem(.idempotencyKeyReused)
        }
        let run = started.run
        var headers: HTTPFields = [.location: "/v1/reconciliations/\(run.id)"]
        if started.isRepeat { headers[.idempotentReplayed] = "true" }
        return try Response(status: .accepted, headers: headers, json: try await self.body(of: run))
    }

    /// `GET /v1/reconciliations`: newest first; `?from=&to=` by when they were started, `?status=`.
    private func list(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(request, position: ReconciliationCursor.self, filters: "from", "to", "status")
        let found = try await ledger.reconciliations.list(
            in: try page.query.period(in: timeZone), try page.query.choice("status"), after: page.after,
            limit: page.limit)
        return try page.answer(
            "reconciliations", found.elements.map { ReconciliationBody($0, $0.counts) }, next: found.next)
    }

    /// `GET /v1/reconciliations/{id}`, while it runs with what it has come to so far.
    private func show(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try Response(json: try await body(of: try await run(context)))
    }

    /// `GET /v1/reconciliations/{id}/items`, `?kind=` for some only, separated by commas.
    private func items(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let run = try await run(context)
        let page = try PageRequest(request, position: ReconciliationCursor.self, filters: "kind")
        let found = try await ledger.reconciliations.listItems(
            of: run.id, try page.query.kinds(), after: page.after, limit: page.limit)
        return try page.answer("items", found.elements.map(ReconciliationItemBody.init), next: found.next)
    }

    private func run(_ context: LedgerdRequestContext) async throws -> ReconciliationRun {
        guard let run = try await ledger.reconciliations.find(try context.pathID()) else {
            throw Problem(.notFound, "there is no such reconciliation")
        }
        return run
    }

    private func body(of run: ReconciliationRun) async throws(LedgerError) -> ReconciliationBody {
        ReconciliationBody(run, try await ledger.reconciliations.counts(of: run))
    }
}

extension Query {
    /// The kinds that are asked for; all when none is named.
    fileprivate func kinds() throws(Problem) -> [ReconciliationKind] {
        guard let text = self["kind"] else { return ReconciliationKind.allCases }
        let names = text.commaSeparated
        let kinds = names.compactMap(ReconciliationKind.init(rawValue:))
        guard !kinds.isEmpty, kinds.count == names.count else {
            let known = ReconciliationKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalid(member: "kind", "kind must be among \(known), separated by commas")
        }
        return kinds
    }
}
