import Hummingbird
import Ledger
import LedgerWire

/// Balances, lots and earnings across users, for services.
struct ManyUsersController: Sendable {
    let ledger: Ledger

    /// `POST /v1/balances/query`: the balances of several users, in the order of the request.
    func balances(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let body = try await request.decode(as: BalanceQueryBody.self, context: context)
        guard (1...BalanceQuery.mostUsers).contains(body.users.count) else {
            throw Problem.invalid(pointer: "/users", "/users must have 1 to \(BalanceQuery.mostUsers) ids")
        }
        let balances = try await ledger.balances.list(of: try await ledger.merges.users(behind: body.users.map(\.id)))
        return Response(json: BalancesBody(balances: balances.map(BalanceBody.init)))
    }

    /// `GET /v1/lots/expiring?before=…`, earliest first; `?kind=` filters by kind.
    func expiringLots(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(request, position: LotCursor.self, filters: "before", "kind")
        guard let moment = try page.query.moment("before") else {
            throw Problem.invalid(member: "before", "before is required; it must be an RFC 3339 time")
        }
        let found = try await ledger.lots.list(
            expiringBefore: moment, try page.query.choice("kind"), after: page.after, limit: page.limit)
        return try page.answer(LotBody.listName, found.elements.map(LotBody.init), next: found.next)
    }

    /// `GET /v1/providers/{provider}/earnings`.
    func earnings(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let provider = try context.requireOwnerInPath("provider")
        return try Response(
            json: EarningsBody(provider: provider.rawValue, coins: try await ledger.balances.earnings(of: provider)))
    }
}
