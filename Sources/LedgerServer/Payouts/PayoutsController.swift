import Foundation
package import Hummingbird
package import Ledger
import LedgerWire

/// Payouts to providers, for finance: proposed, approved by another person, paid.
struct PayoutsController: Sendable {
    let acts: KeyedActs
    let deciding: PayoutActs
    /// The time zone of days.
    let timeZone: TimeZone

    private var payouts: Payouts { acts.ledger.payouts }

    /// `POST /v1/payouts`: 201; a repeat of the key returns the same payout.
    func propose(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let key = try request.idempotencyKey(context)
        let body = try await request.decode(as: PayoutRequestBody.self, context: context)
        let proposed = try await deciding.propose(try body.draft(key, in: timeZone))
        return try Response(
            status: .created, headers: proposed.headers(location: "/v1/payouts/\(proposed.success.id)"),
            json: PayoutBody(proposed.success))
    }

    /// `GET /v1/payouts`: newest first; `?status=` filters by status.
    func list(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(request, position: After<Int64>.self, filters: "status")
        let found = try await payouts.list(try page.query.choice("status"), after: page.after, limit: page.limit)
        return try page.answer(PayoutBody.listName, found.elements.map(PayoutBody.init), next: found.next)
    }

    /// `GET /v1/payouts/{id}`.
    func show(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try Response(json: PayoutBody(try await payout(context)))
    }

    /// `GET /v1/payouts/{id}/items`: what each provider gets, by provider.
    func items(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let id = try await payout(context).id
        let page = try PageRequest(request, position: PayoutItemCursor.self)
        let found = try await payouts.items(of: id, after: page.after, limit: page.limit)
        return try page.answer(PayoutItemBody.listName, found.elements.map(PayoutItemBody.init), next: found.next)
    }

    /// `GET /v1/payouts/{id}/shares`: the captures and reversals that it pays; `?provider=` filters by provider.
    ///
    /// A withdrawn payout has none: they are free for the next one.
    func shares(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let id = try await payout(context).id
        let page = try PageRequest(request, position: PayoutShareCursor.self, filters: "provider")
        let provider = try page.query.parsed("provider", UserID.rule) { UserID(rawValue: $0) }
        let found = try await payouts.shares(of: id, provider, after: page.after, limit: page.limit)
        return try page.answer(PayoutShareBody.listName, found.elements.map(PayoutShareBody.init), next: found.next)
    }

    /// `GET /v1/payouts/{id}/file`: a CSV with the amounts for the bank, once the payout is approved.
    func file(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let style = try request.csvStyle()
        return try await deciding.fileResponse(of: try context.pathID(), style)
    }

    /// The most bytes of a list of accounts, 1 MiB: enough for some ten thousand.
    private static let mostAccounts = 1 << 20

    /// `POST /v1/payouts/{id}/file`: the same with bank accounts: those that are kept, and those of the body, which are not
    /// stored, for the other providers; `?layout=` for the layout of a bank.
    func fileWithAccounts(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let query = try Query(request, CSVStyle.options.map(\.rawValue) + ["layout"])
        let (style, layout) = (try CSVStyle(query), try query.choice("layout", of: BankLayout.self))
        if layout != nil, CSVStyle.options.contains(where: { query[$0.rawValue] != nil }) {
            throw Problem.invalid(member: "layout", "layout is the form of a bank: leave out for and bom")
        }
        let accounts = try await deciding.accounts(of: try context.pathID(), and: try await Self.list(in: request))
        guard let layout else { return try await deciding.fileResponse(of: try context.pathID(), style, accounts) }
        return try await deciding.fileResponse(of: try context.pathID(), in: layout, accounts)
    }

    /// The list of the body; nil: it is empty.
    private static func list(in request: Request) async throws -> PayoutAccounts? {
        guard let body = try await request.fileIfAny(["text/csv"], limit: mostAccounts) else { return nil }
        do throws(PayoutAccounts.Invalid) { return try PayoutAccounts(body) } catch {
            throw Problem.invalid(member: "body", error.description)
        }
    }

    /// `POST /v1/payouts/{id}/approval`: by another person than the proposer.
    func approve(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let payout = try await deciding.approve(try context.pathID(), by: try context.requirePrincipal().subject)
        return try Response(json: PayoutBody(payout))
    }

    /// `POST /v1/payouts/{id}/withdrawal`.
    func withdraw(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let bytes = try await JSONBody.read(request, limit: context.maxUploadSize)
        let body = try JSONBody.decode(
            PayoutWithdrawalRequestBody.self, from: bytes.readableBytes == 0 ? ByteBuffer(string: "{}") : bytes)
        let payout = try await deciding.withdraw(
            try context.pathID(), because: body.reason?.value, by: try context.requirePrincipal().subject)
        return try Response(json: PayoutBody(payout))
    }

    /// `POST /v1/payouts/{id}/payment`: books that the bank has paid.
    func pay(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try await acts.perform(request, context, as: PayoutPaymentRequestBody.self) { body, key in
            try await deciding.pay(try context.pathID(), try body.payment(in: timeZone), under: key)
        } respond: { payout in
            try Response(json: PayoutBody(payout))
        }
    }

    private func payout(_ context: LedgerdRequestContext) async throws -> Payout {
        try await deciding.find(try context.pathID())
    }
}

extension PayoutActs {
    /// The CSV for the bank, as a file.
    ///
    /// - Throws: as ``file(of:_:_:)``.
    package func fileResponse(
        of id: Int64, _ style: CSVStyle, _ accounts: PayoutAccounts? = nil
    ) async throws -> Response {
        Self.response(
            try await file(of: id, style, accounts), named: "payout-\(id).csv", hasAccounts: accounts != nil)
    }

    /// The file in a bank's layout for bulk transfers, as a file.
    ///
    /// - Throws: as ``file(of:_:_:)``.
    package func fileResponse(
        of id: Int64, in layout: BankLayout, _ accounts: PayoutAccounts
    ) async throws -> Response {
        Self.response(
            try await file(of: id, in: layout, accounts), named: "payout-\(id)-\(layout.rawValue).csv",
            hasAccounts: true)
    }

    private static func response(_ bytes: [UInt8], named name: String, hasAccounts: Bool) -> Response {
        var headers: HTTPFields = [
            .contentType: "text/csv; charset=utf-8", .contentDisposition: "attachment; filename=\"\(name)\"",
        ]
        // Accounts are personal data.
        if hasAccounts { headers[.cacheControl] = "no-store" }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}

extension PayoutAccountsMissing {
    var problem: Problem {
        Problem(
            .invalidRequest, description,
            members: ["member": .string("body"), "providers": .strings(providers.map(\.rawValue))])
    }

    /// The first providers, and how many more.
    var description: String {
        let shown = providers.prefix(5).map(\.rawValue).joined(separator: ", ")
        return "no account is given for \(shown)" + (providers.count > 5 ? ", and \(providers.count - 5) more" : "")
    }
}

extension PayoutAccountsDiffer {
    var problem: Problem {
        Problem(
            .invalidRequest,
            "two people agreed on an account of \(providers[0].rawValue), so a list can't name another one: propose it first",
            members: ["member": .string("body"), "providers": .strings(providers.map(\.rawValue))])
    }
}

extension Request {
    /// The options `for` and `bom` of a CSV; others are refused.
    package func csvStyle() throws -> CSVStyle { try CSVStyle(try Query(self, CSVStyle.options.map(\.rawValue))) }
}

extension CSVStyle {
    /// The options of a CSV.
    fileprivate static let options: [ExportOption] = [.program, .byteOrderMark]

    fileprivate init(_ query: Query) throws {
        var options: [ExportOption: String] = [:]
        for option in Self.options { options[option] = query[option.rawValue] }
        try self.init(options)
    }
}

extension Problem {
    /// The problem of a payout with another status.
    init(_ code: Code, _ status: Payout.Status) {
        self.init(code, "the payout is \(status.rawValue)", members: ["payout_status": .string(status.rawValue)])
    }
}
