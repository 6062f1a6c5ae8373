import Foundation
import Hummingbird
import Ledger
import LedgerWire

/// Providers' terms and accounts, for finance.
struct ProvidersController: Sendable {
    let acts: KeyedActs
    let providers: ProviderActs
    let terms: ProviderTermsActs
    /// The time zone of days.
    let timeZone: TimeZone

    private var ledger: Ledger { acts.ledger }

    /// `GET /v1/providers`: the providers with terms, by name.
    func list(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(request, position: ProviderCursor.self)
        let found = try await ledger.providers.list(after: page.after, limit: page.limit)
        return try page.answer(ProviderBody.listName, found.elements.map(ProviderBody.init), next: found.next)
    }

    /// `GET /v1/providers/{provider}`: the terms that apply now, and what is owed.
    func show(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let provider = try context.requireOwnerInPath("provider")
        return try Response(json: ProviderBody(try await find(provider)))
    }

    /// `PUT /v1/providers/{provider}`: sets the terms, which apply to later captures.
    ///
    /// A repeat changes nothing.
    func setTerms(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let provider = try context.requireOwnerInPath("provider")
        let body = try await request.decode(as: ProviderTermsRequestBody.self, context: context)
        try await terms.setTerms(try body.draft(of: provider), by: try context.requirePrincipal().subject)
        return try Response(json: ProviderBody(try await find(provider)))
    }

    /// `GET /v1/providers/{provider}/terms`: all versions, newest first.
    func history(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let provider = try context.requireOwnerInPath("provider")
        let page = try PageRequest(request, position: After<Int64>.self)
        let found = try await ledger.providers.history(of: provider, after: page.after, limit: page.limit)
        return try page.answer(ProviderTermsBody.listName, found.elements.map(ProviderTermsBody.init), next: found.next)
    }

    /// `GET /v1/providers/{provider}/statement`: captures, reversals and payouts, newest first.
    func statement(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let provider = try context.requireOwnerInPath("provider")
        let page = try PageRequest(request, position: ProviderAccountCursor.self)
        let found = try await ledger.providers.accountLines(of: provider, after: page.after, limit: page.limit)
        return try page.answer(
            ProviderStatementLineBody.listName, found.elements.map(ProviderStatementLineBody.init), next: found.next)
    }

    /// `POST /v1/providers/{provider}/repayments`: records that the provider paid back a claim.
    func repay(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let provider = try context.requireOwnerInPath("provider")
        return try await acts.perform(
            request, context, status: .created, as: RepaymentRequestBody.self
        ) { body, key in
            try await providers.repay(
                body.amount.price, by: provider, try body.payment(in: timeZone), under: key)
        } render: {
            RepaymentBody($0)
        }
    }

    // MARK: - Bank accounts

    /// `GET /v1/providers/{provider}/accounts`: newest first, without their numbers.
    func accounts(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let provider = try context.requireOwnerInPath("provider")
        let page = try PageRequest(request, position: After<Int64>.self)
        let found = try await ledger.providers.accounts(of: provider, after: page.after, limit: page.limit)
        return try page.answer(
            ProviderAccountBody.listName, found.elements.map { ProviderAccountBody($0) }, next: found.next)
    }

    /// `PUT /v1/providers/{provider}/account`: 202 when it waits for another person, 200 when it is in force already.
    func proposeAccount(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let provider = try context.requireOwnerInPath("provider")
        let body = try await request.decode(as: ProviderAccountRequestBody.self, context: context)
        switch try await providers.propose(
            body.account, of: provider, by: try context.requirePrincipal().subject)
        {
        case .proposed(let kept): return try Response(status: .accepted, json: ProviderAccountBody(kept))
        case .inForce(let kept): return try Response(json: ProviderAccountBody(kept))
        }
    }

    /// `POST /v1/providers/{provider}/accounts/{id}/approval`: by another person than the proposer.
    func approveAccount(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let body = try await request.decode(as: ProviderAccountApprovalRequestBody.self, context: context)
        let approved = try await providers.approveAccount(
            .seen(try context.pathID(), number: body.number.value), of: try context.requireOwnerInPath("provider"),
            by: try context.requirePrincipal().subject)
        return try Response(json: ProviderAccountBody(approved))
    }

    /// `POST /v1/providers/{provider}/accounts/{id}/withdrawal`.
    func withdrawAccount(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let withdrawn = try await providers.withdrawAccount(
            try context.pathID(), of: try context.requireOwnerInPath("provider"),
            by: try context.requirePrincipal().subject)
        return try Response(json: ProviderAccountBody(withdrawn))
    }

    /// `DELETE /v1/providers/{provider}/account`: erases what is kept, in force and proposed.
    func eraseAccounts(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try await providers.eraseAccounts(
            of: try context.requireOwnerInPath("provider"), by: try context.requirePrincipal().subject)
        return Response(status: .noContent)
    }

    private func find(_ provider: UserID) async throws -> ProviderBalance {
        guard let found = try await ledger.providers.find(provider) else {
            throw Problem(.notFound, "the provider has no terms")
        }
        return found
    }
}
