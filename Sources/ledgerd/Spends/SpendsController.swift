import Hummingbird
import Ledger
import LedgerWire

/// Where services use up users' coins.
struct SpendsController: Sendable {
    let acts: KeyedActs

    func addRoutes(to group: RouterGroup<LedgerdRequestContext>) {
        group.post("users/{user}/spends", use: spend)
    }

    /// `POST /v1/users/{user}/spends`.
    private func spend(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let user = try context.requireUserInPath()
        return try await acts.perform(request, context, status: .created, as: SpendRequestBody.self) { body, key in
            Spend(
                idempotencyKey: key, user: user, coins: body.coins.coins, reference: body.reference?.value,
                reason: body.reason?.value)
        } render: {
            SpendBody($0)
        }
    }
}

/// What a service spends a user's coins on.
struct SpendRequestBody: Decodable {
    let coins: CoinCount
    let reference: NonEmpty?
    let reason: NonEmpty?

    typealias CodingKeys = SpendRequest.CodingKeys
}

extension SpendBody {
    /// What clients read of a spend.
    init(_ spent: Spent) {
        let act = Act(
            journalEntryID: spent.journalEntryID, coins: spent.coins, amount: spent.lots.reduce(0) { $0 + $1.amount })
        self.init(spend: act, lots: spent.lots.map(LotUseBody.init), balance: BalanceBody(spent.balance))
    }
}
