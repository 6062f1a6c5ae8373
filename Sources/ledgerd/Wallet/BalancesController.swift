import Hummingbird
import Ledger
import LedgerWire

/// Balances of many users at once, for services.
struct BalancesController: Sendable {
    let ledger: Ledger

    func addRoutes(to group: RouterGroup<LedgerdRequestContext>) {
        group.post("balances/query", use: query)
    }

    /// `POST /v1/balances/query`: a balance for each user, in the order of the request.
    private func query(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let body = try await request.decode(as: BalanceQueryBody.self, context: context)
        guard (1...BalanceQuery.mostUsers).contains(body.users.count) else {
            throw Problem.invalid(pointer: "/users", "/users must name 1 to \(BalanceQuery.mostUsers) users")
        }
        let balances = try await ledger.balances(of: body.users.map(\.id))
        return Response(json: BalancesBody(balances: balances.map(BalanceBody.init)))
    }
}
