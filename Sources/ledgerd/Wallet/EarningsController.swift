import Hummingbird
import Ledger
import LedgerWire

/// What providers have earned.
struct EarningsController: Sendable {
    let ledger: Ledger

    func addRoutes(to group: RouterGroup<LedgerdRequestContext>) {
        group.get("providers/{provider}/earnings", use: earnings)
    }

    /// `GET /v1/providers/{provider}/earnings`.
    private func earnings(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let provider = try context.requireOwnerInPath("provider")
        return try Response(
            json: EarningsBody(provider: provider.rawValue, coins: try await ledger.earnings(of: provider)))
    }
}
