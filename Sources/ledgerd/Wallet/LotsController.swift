import Hummingbird
import Ledger
import LedgerWire

/// What expires soon, over all users, for services that tell them.
struct LotsController: Sendable {
    let ledger: Ledger

    func addRoutes(to group: RouterGroup<LedgerdRequestContext>) {
        group.get("lots/expiring", use: expiring)
    }

    /// `GET /v1/lots/expiring?before=…`, earliest first; `?kind=`.
    private func expiring(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try Page(request, position: LotCursor.self, filters: "before", "kind")
        guard let moment = try page.query.moment("before") else {
            throw Problem.invalid(member: "before", "before is required: an RFC 3339 time")
        }
        let found = try await ledger.expiringLots(
            before: moment, try page.query.choice("kind"), after: page.after, limit: page.limit)
        return try page.answer(LotBody.listName, found.elements.map(LotBody.init), next: found.next)
    }
}
