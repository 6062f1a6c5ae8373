import Hummingbird
import Ledger
import LedgerWire

/// What finance should look at.
struct FindingsController: Sendable {
    let ledger: Ledger

    func addRoutes(to group: RouterGroup<LedgerdRequestContext>) {
        group.get("findings", use: list)
    }

    /// `GET /v1/findings`: what is still the matter, oldest first.
    private func list(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try Page(request, position: FindingCursor.self)
        let found = try await ledger.findings.open(after: page.after, limit: page.limit)
        return try request.list(FindingBody.listName, found.elements.map(FindingBody.init), next: found.next)
    }
}
