import Foundation
import Hummingbird
import Ledger

/// Balance, purchases and statement of one user: the caller's own under `me`, anybody's under `users/{user}`.
struct WalletController: Sendable {
    let ledger: Ledger
    /// Whose wallet a request is about.
    let user: @Sendable (LedgerdRequestContext) throws -> UserID

    /// The routes that a user and a service have in common.
    func addRoutes(to group: RouterGroup<LedgerdRequestContext>) {
        group.get("balance", use: balance)
        group.get("purchases", use: purchases)
        group.get("purchases/{id}", use: purchase)
        group.get("statement", use: statement)
    }

    /// `GET …/balance`, `?at=` for that of a past moment.
    private func balance(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let user = try user(context)
        let balance =
            if let moment = try request.moment("at") {
                try await ledger.balance(of: user, at: moment)
            } else {
                try await ledger.balance(of: user)
            }
        return try Response(json: BalanceBody(balance))
    }

    /// `GET …/purchases`, newest first.
    private func purchases(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try Page(request, position: PurchaseCursor.self)
        let found = try await ledger.purchases(of: try user(context), after: page.after, limit: page.limit)
        return try request.list("purchases", found.elements.map(PurchaseBody.init), next: found.next)
    }

    /// `GET …/purchases/{id}`; another user's is not found.
    private func purchase(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        guard let purchase = try await ledger.purchase(try context.pathID("id"), of: try user(context)) else {
            throw Problem(.notFound, "there is no such purchase")
        }
        return try Response(json: PurchaseBody(purchase: purchase))
    }

    /// `GET …/statement`, newest first.
    private func statement(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try Page(request, position: StatementCursor.self)
        let found = try await ledger.statement(of: try user(context), after: page.after, limit: page.limit)
        return try request.list("entries", found.elements.map(StatementEntryBody.init), next: found.next)
    }
}

extension Request {
    /// An RFC 3339 time in the query, if it is given.
    ///
    /// One with a fraction means the whole of its millisecond: we write times rounded down to it, and the moment that
    /// an answer gave as its own must not lie before what it tells of.
    fileprivate func moment(_ name: String) throws(Problem) -> Date? {
        guard let text = queryItem(name) else { return nil }
        if let moment = try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)) {
            return moment.addingTimeInterval(0.000_999)
        }
        guard let moment = try? Date(text, strategy: Date.ISO8601FormatStyle()) else {
            throw .invalid(member: name, "\(name) must be an RFC 3339 time, such as 2026-01-31T15:00:00Z")
        }
        return moment
    }
}
