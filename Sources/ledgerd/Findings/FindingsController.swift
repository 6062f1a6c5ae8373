import Foundation
import Hummingbird
import Ledger
import LedgerWire

/// Payments and endpoints that need a person.
struct FindingsController: Sendable {
    let ledger: Ledger
    /// The time zone of days.
    let timeZone: TimeZone

    func addRoutes(to group: RouterGroup<LedgerdRequestContext>) {
        group.get("findings", use: list)
    }

    /// `GET /v1/findings`: open findings, oldest first; `?from=&to=` filters by discovery, `?kind=` by kind.
    private func list(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(request, position: FindingCursor.self, filters: "from", "to", "kind")
        let kind = try page.query.choice("kind", among: Finding.Kind.all.map(\.rawValue))
        let found = try await ledger.findings.list(
            in: try page.query.period(in: timeZone), kind.map(Finding.Kind.init(rawValue:)), after: page.after,
            limit: page.limit)
        return try page.answer(FindingBody.listName, found.elements.map(FindingBody.init), next: found.next)
    }
}

extension FindingBody {
    init(_ finding: Finding) {
        self.init(
            id: finding.id, kind: finding.kind.rawValue, kinds: finding.kinds.map(\.rawValue),
            gateway: finding.payment?.gateway, impUID: finding.payment?.impUID,
            merchantUID: finding.payment?.merchantUID, paymentID: finding.payment?.paymentID,
            endpointID: finding.endpointID, user: finding.user?.rawValue,
            claims: finding.claims.map { ClaimBody(user: $0.user.rawValue, claimedAt: $0.claimedAt) },
            amount: finding.amount, currency: finding.currency, paidAt: finding.paidAt, foundAt: finding.foundAt)
    }
}
