import Foundation
import Hummingbird
import Ledger
import LedgerWire

/// What needs a person: payments, endpoints, custody, hours.
struct FindingsController: Sendable {
    let desk: FindingActs
    let refunds: FindingRefunds
    /// The time zone of days.
    let timeZone: TimeZone

    /// `GET /v1/findings`: open findings, oldest first, or resolved ones, newest first; `?from=&to=` filters by
    /// discovery, `?kind=` by kind, `?assignee=` and `?assigned=` by who works on it, `?person=` also by who decided it,
    /// `?user=`, `?payment=` and `?order=` by what it is about; `?sort=` chooses the order.
    func list(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(
            request, position: After<Int64>.self,
            filters: "from", "to", "kind", "status", "assignee", "assigned", "person", "sort", "user", "payment",
            "order")
        let kind = try page.query.choice("kind", among: Finding.Kind.all.map(\.rawValue))
        let filter = FindingFilter(
            status: try page.query.choice("status") ?? .open, kind: kind.map(Finding.Kind.init(rawValue:)),
            assignee: page.query["assignee"],
            isAssigned: try page.query.parsed("assigned", "true or false") { Bool($0) },
            person: page.query["person"], sort: try page.query.choice("sort"),
            user: try page.query.parsed("user", UserID.rule, UserID.init(rawValue:)),
            payment: try page.query.parsed("payment", FindingNameRule.rule, FindingNameRule.checked),
            order: try page.query.parsed("order", FindingNameRule.rule, FindingNameRule.checked))
        let found = try await desk.crediter.ledger.findings.list(
            in: try page.query.period(in: timeZone), filter, after: page.after, limit: page.limit)
        return try page.answer(FindingBody.listName, found.elements.map { FindingBody($0) }, next: found.next)
    }

    /// `GET /v1/findings/{id}`, with what people did about it.
    func show(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try Response(json: FindingBody(try await desk.find(try context.pathID())))
    }

    /// `POST /v1/findings/{id}/assign`.
    func assign(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let body = try await request.decode(as: AssignRequestBody.self, context: context)
        return try await act(
            body.assignee == nil ? .unassign : .assign, context, whom: body.assignee?.value, reason: body.note?.value)
    }

    /// `POST /v1/findings/{id}/notes`.
    func note(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let body = try await request.decode(as: NoteRequestBody.self, context: context)
        return try await act(.note, context, reason: body.text.value)
    }

    /// `POST /v1/findings/{id}/resolve`.
    func resolve(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let body = try await request.decode(as: ResolveRequestBody.self, context: context)
        return try await act(.resolve, context, reason: body.reason.value)
    }

    /// `POST /v1/findings/{id}/claim`: 201 with a new purchase, 200 with an earlier one, 202 if the gateway can't be asked.
    func claim(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let body = try await request.decode(as: ClaimRequestBody.self, context: context)
        guard let user = UserID(rawValue: body.user.value) else {
            throw Problem.invalid(pointer: "/user", "/user must be \(UserID.rule)")
        }
        let caller = try context.requirePrincipal().subject
        let claim = FindingActs.Claim(
            finding: try context.pathID(), user: user, isNewUser: body.newUser ?? false, reason: body.reason.value,
            caller: caller)
        switch try await desk.claim(claim) {
        case .credited(let credited, let isRepeat):
            return Response(status: isRepeat ? .ok : .created, json: ReceiptBody(credited))
        case .given(let free, let isRepeat):
            return Response(status: isRepeat ? .ok : .created, json: ReceiptBody(free))
        // The caller is the person who decides about it.
        case .waiting(.worthOutOfRange): throw Problem(.worthOutOfRange)
        case .waiting(let reason):
            return try Response(
                status: .accepted, headers: [.retryAfter: "5"], json: WaitingReceiptBody(reason, isKept: false))
        }
    }

    /// `POST /v1/findings/{id}/refund`: 200 if the gateway returned the money, 202 if it does so later.
    func refund(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let body = try await request.decode(as: FindingRefundRequestBody.self, context: context)
        let id: Int64 = try context.pathID()
        let refunded = try await refunds.refund(
            FindingRefunds.Request(
                finding: id, reason: body.reason.value, caller: try context.requirePrincipal().subject,
                account: body.account?.account))
        let found = FindingBody(try await desk.find(id))
        switch refunded {
        case .done: return try Response(json: found)
        case .accepted: return try Response(status: .accepted, headers: [.retryAfter: "5"], json: found)
        }
    }

    private func act(
        _ kind: FindingAct.Kind, _ context: LedgerdRequestContext, whom: String? = nil, reason: String? = nil
    ) async throws -> Response {
        let caller = try context.requirePrincipal().subject
        return try Response(
            json: FindingBody(
                try await desk.act(kind, on: try context.pathID(), by: caller, whom: whom, reason: reason)))
    }
}

/// The names of payments and orders that a list of findings can be asked for.
enum FindingNameRule {
    static let rule = "1 to 64 characters"

    /// The name, if a payment or an order can have it.
    static func checked(_ name: String) -> String? { (1...64).contains(name.unicodeScalars.count) ? name : nil }
}

/// The request of an assignment.
struct AssignRequestBody: Decodable {
    let assignee: NonEmpty?
    let note: NonEmpty?

    typealias CodingKeys = AssignRequest.CodingKeys
}

/// The request of a note.
struct NoteRequestBody: Decodable {
    let text: NonEmpty

    typealias CodingKeys = NoteRequest.CodingKeys
}

/// The request to resolve a finding.
struct ResolveRequestBody: Decodable {
    let reason: NonEmpty

    typealias CodingKeys = ResolveRequest.CodingKeys
}

/// The request to credit a finding's payment.
struct ClaimRequestBody: Decodable {
    let user: NonEmpty
    let reason: NonEmpty
    let newUser: Bool?

    typealias CodingKeys = ClaimRequest.CodingKeys
}

/// The request to give a finding's payment back.
struct FindingRefundRequestBody: Decodable {
    let reason: NonEmpty
    let account: RefundAccountBody?

    typealias CodingKeys = FindingRefundRequest.CodingKeys
}

extension FindingBody {
    init(_ found: (finding: Finding, acts: [FindingAct])) { self.init(found.finding, acts: found.acts) }

    init(_ finding: Finding, acts: [FindingAct]? = nil) {
        self.init(
            id: finding.id, kind: finding.kind.rawValue, kinds: finding.kinds.map(\.rawValue),
            gateway: finding.payment?.gateway, impUID: finding.payment?.paymentID,
            merchantUID: finding.payment?.merchantUID, paymentID: finding.payment?.merchantPaymentID,
            endpointID: finding.endpointID, user: finding.user?.rawValue,
            namedUser: finding.namedUser?.rawValue,
            claims: finding.claims.map { ClaimBody(user: $0.user.rawValue, claimedAt: $0.claimedAt) },
            amount: finding.amount, currency: finding.currency, paidAt: finding.paidAt, hour: finding.excess?.hour,
            measured: finding.excess?.measured, limit: finding.excess?.limit, foundAt: finding.foundAt,
            status: (finding.isOpen ? Finding.Status.open : .resolved).rawValue, assignee: finding.assignee,
            resolvedAt: finding.resolvedAt, acts: acts?.map(FindingActBody.init))
    }
}

extension FindingActBody {
    init(_ act: FindingAct) {
        self.init(act: act.kind.rawValue, by: act.by, whom: act.whom, reason: act.reason, actedAt: act.actedAt)
    }
}
