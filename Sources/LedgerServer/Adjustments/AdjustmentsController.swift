import CivilTime
import Foundation
import Hummingbird
import Ledger
import LedgerWire

/// Accounting policies, and adjustments at the ends of months, for finance.
struct AdjustmentsController: Sendable {
    let acts: KeyedActs
    /// The time zone of months.
    let timeZone: TimeZone

    private var adjustments: Adjustments { acts.ledger.adjustments }

    /// `GET /v1/accounting-policies`: the last set first.
    func listPolicies(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(request, position: After<Int64>.self)
        let found = try await adjustments.listPolicies(after: page.after, limit: page.limit)
        return try page.answer(
            AccountingPolicyBody.listName, found.elements.map(AccountingPolicyBody.init), next: found.next)
    }

    /// `PUT /v1/accounting-policies/{subject}/{month}`: a repeat changes nothing.
    func setPolicy(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        guard let subject = context.parameters.get("subject").flatMap(AccountingPolicy.Subject.init(rawValue:)),
            let month = context.parameters.get("month").flatMap({ CivilMonth($0) })
        else { throw Problem(.notFound) }
        let body = try await request.decode(as: AccountingPolicyRequestBody.self, context: context)
        let setting = try await adjustments.setPolicy(
            try body.method(of: subject), from: month, in: timeZone, by: try context.requirePrincipal().subject)
        return try Response(json: AccountingPolicyBody(try setting.policy))
    }

    /// `GET /v1/adjustments`: the last one first, without their cohorts.
    func list(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(request, position: AdjustmentCursor.self)
        let found = try await adjustments.list(after: page.after, limit: page.limit)
        return try page.answer(
            AdjustmentBody.listName, found.elements.map { AdjustmentBody($0) }, next: found.next)
    }

    /// `GET /v1/adjustments/preview?subject=&month=`: what would be booked, and what the history proposes.
    func preview(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let query = try request.query("subject", "month")
        guard let subject: AccountingPolicy.Subject = try query.choice("subject") else {
            throw Problem.invalid(member: "subject", "subject must be \(AccountingPolicy.Subject.rule)")
        }
        guard let month = try query.parsed("month", CivilMonth.rule, { CivilMonth($0) }) else {
            throw Problem.invalid(member: "month", "month must be \(CivilMonth.rule)")
        }
        let preview = try await adjustments.preview(subject, of: month, in: timeZone)
        return try Response(json: AdjustmentPreviewBody(preview, of: subject, in: month))
    }

    /// `GET /v1/adjustments/{id}`: with its cohorts.
    func show(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try Response(json: try await body(of: try context.pathID()))
    }

    /// `POST /v1/adjustments`: the last adjustment of the month, if nothing is left to book.
    func book(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try await acts.perform(request, context, as: AdjustmentRequestBody.self) { body, key in
            try await acts.ledger.perform(
                try await adjustments.adjustment(
                    try AccountingPolicy.Subject(body.subject), of: try CivilMonth(body.month), in: timeZone, key: key))
        } respond: { booked in
            try Response(json: try await body(of: booked.adjustmentID))
        }
    }

    private func body(of id: Int64) async throws -> AdjustmentBody {
        guard let adjustment = try await adjustments.find(id) else {
            throw Problem(.notFound, "the adjustment does not exist")
        }
        return AdjustmentBody(adjustment, cohorts: try await adjustments.cohorts(of: id))
    }
}
