import Foundation
import Hummingbird
import Ledger
import LedgerWire

/// What finance should look at.
struct FindingsController: Sendable {
    let ledger: Ledger
    /// In which days begin.
    let timeZone: TimeZone

    func addRoutes(to group: RouterGroup<LedgerdRequestContext>) {
        group.get("findings", use: list)
    }

    /// `GET /v1/findings`: what is still the matter, oldest first; `?from=&to=` by when it was found, `?kind=`.
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
    /// What clients read of a finding.
    init(_ finding: Finding) {
        self.init(
            id: finding.id, kind: finding.kind.rawValue, kinds: finding.kinds.map(\.rawValue),
            gateway: finding.payment.gateway,
            impUID: finding.payment.impUID, merchantUID: finding.payment.merchantUID,
            paymentID: finding.payment.paymentID, user: finding.user?.rawValue,
            claims: finding.claims.map { ClaimBody(user: $0.user.rawValue, claimedAt: $0.claimedAt) },
            amount: finding.amount, currency: finding.currency, paidAt: finding.paidAt, foundAt: finding.foundAt)
    }
}
