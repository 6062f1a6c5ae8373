import Hummingbird
import Ledger
import LedgerWire

/// What expires soon, over all users, for services that tell them.
struct LotsController: Sendable {
    let ledger: Ledger

    func addRoutes(to group: RouterGroup<LedgerdRequestContext>) {
        group.get("lots/expiring", use: expiring)
    }

    /// `GET /v1/lots/expiring?before=…`, earliest first.
    private func expiring(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        guard let moment = try request.moment("before") else {
            throw Problem.invalid(member: "before", "before is required: an RFC 3339 time")
        }
        let page = try Page(request, position: LotCursor.self)
        let found = try await ledger.expiringLots(before: moment, after: page.after, limit: page.limit)
        return try request.list(LotBody.listName, found.elements.map(LotBody.init), next: found.next)
    }
}
