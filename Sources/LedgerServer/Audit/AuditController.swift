import Foundation
import Hummingbird
import Ledger
import LedgerWire

/// The acts of the console, for finance.
struct AuditController: Sendable {
    let records: AuditRecords
    /// The time zone of days.
    let timeZone: TimeZone

    /// `GET /v1/audit`, newest first; `?from=&to=` filters by time, `?act=`, `?subject=` and `?user=` by what and who.
    func list(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(
            request, position: After<Int64>.self, filters: "from", "to", "act", "subject", "user")
        let filter = AuditFilter(
            period: try page.query.period(in: timeZone), subject: page.query["subject"],
            act: try page.query.choice("act", among: AuditAct.allCases.map(\.rawValue)),
            user: try page.query.parsed("user", UserID.rule, UserID.init(rawValue:)))
        let found = try await records.list(filter, after: page.after, limit: page.limit)
        return try page.answer(AuditBody.listName, found.elements.map(AuditBody.init), next: found.next)
    }
}

extension AuditBody {
    fileprivate init(_ record: AuditRecord) {
        self.init(
            id: record.id, actedAt: record.actedAt, subject: record.subject, name: record.name, role: record.role,
            act: record.act, target: record.target, user: record.user?.rawValue, reason: record.reason,
            seen: record.seen, approval: record.approval, secondPerson: record.secondPerson,
            outcome: record.outcome?.rawValue, detail: record.detail)
    }
}
