import Foundation
import Hummingbird
import Ledger
import LedgerWire

/// Balance, purchases, statement, lots and holds of the caller (below `me`) or of any user (below `users/{user}`).
struct WalletController: Sendable {
    let ledger: Ledger
    /// The time zone of days.
    let timeZone: TimeZone
    /// The user of a request's wallet.
    var user: @Sendable (LedgerdRequestContext) throws -> UserID = { try $0.requireUser() }

    /// The same, of the user in the path and not of the caller.
    var ofUserInPath: Self { Self(ledger: ledger, timeZone: timeZone) { try $0.requireUserInPath() } }

    /// `GET …/balance`; `?at=` for a past moment.
    func balance(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let user = try user(context)
        let balance =
            if let moment = try request.query("at").moment("at") {
                try await ledger.balances.find(of: user, at: moment)
            } else {
                try await ledger.balances.find(of: user)
            }
        return Response(json: BalanceBody(balance))
    }

    /// `GET …/purchases`, newest first; `?from=&to=` filters by credit, `?status=` by status.
    func purchases(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(request, position: PurchaseCursor.self, filters: "from", "to", "status")
        let found = try await ledger.purchases.list(
            of: try user(context), in: try page.query.period(in: timeZone), try page.query.choice("status"),
            after: page.after, limit: page.limit)
        return page.answer(
            PurchaseBody.listName, found.elements.map { PurchaseBody($0) }, next: found.next)
    }

    /// `GET …/purchases/{id}`; a purchase of another user is not found.
    func purchase(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        guard let purchase = try await ledger.purchases.find(try context.pathID("id"), of: try user(context)) else {
            throw Problem(.notFound, "the purchase does not exist")
        }
        let refunds = try await ledger.refunds.list(ofPurchase: purchase.id)
        return Response(json: PurchaseBody(purchase, refunds: refunds))
    }

    /// `GET …/statement`, newest first, and then what was done under each former id; `?from=&to=` filters by time of recording, `?kind=` by kind.
    func statement(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(request, position: StatementCursor.self, filters: "from", "to", "kind")
        let found = try await ledger.statements.history(
            of: try user(context), in: try page.query.period(in: timeZone),
            try page.query.choice("kind", among: StatementEntry.kinds), after: page.after, limit: page.limit)
        return page.answer(
            StatementEntryBody.listName, found.elements.map(StatementEntryBody.init), next: found.next)
    }

    /// `GET …/lots`: lots with remaining coins, by expiry; `?expires_before=` filters by expiry, `?kind=` by kind.
    func lots(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(request, position: LotCursor.self, filters: "expires_before", "kind")
        let found = try await ledger.lots.list(
            of: try user(context), try page.query.choice("kind"),
            expiringBefore: try page.query.moment("expires_before"), after: page.after, limit: page.limit)
        return try page.answer(LotBody.listName, found.elements.map(LotBody.init), next: found.next)
    }

    /// `GET …/holds`, newest first; `?from=&to=` filters by placement, `?status=` by status.
    func holds(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(request, position: After<Int64>.self, filters: "from", "to", "status")
        let found = try await ledger.holds.list(
            of: try user(context), in: try page.query.period(in: timeZone), try page.query.choice("status"),
            after: page.after, limit: page.limit)
        return try page.answer(HoldBody.listName, found.elements.map(HoldBody.init), next: found.next)
    }
}
