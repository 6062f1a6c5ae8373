import Hummingbird
import Ledger
import LedgerWire

/// Spends of users' coins by services.
struct SpendsController: Sendable {
    let acts: KeyedActs

    /// `POST /v1/users/{user}/spends`.
    func spend(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let user = try context.requireUserInPath()
        return try await acts.perform(request, context, status: .created, as: SpendRequestBody.self) { body, key in
            try await acts.ledger.perform(
                Spend(
                    idempotencyKey: key, user: user, coins: body.coins.coins, reference: body.reference?.value,
                    reason: body.reason?.value))
        } render: {
            SpendBody($0)
        }
    }
}

extension SpendsController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .act(
                "spend", "/v1/users/{user}/spends", .serviceWrite, .acts,
                "Spend a user's coins",
                parameters: [.user],
                body: .json(SpendRequestBody.self, .init("song", ["coins": 30, "reference": "song:1"])),
                answers: [.created(SpendBody.self, "The coins are spent.")],
                refusals: [.insufficientCoins, .tooManyLots])
        ) { $0.spend }
    ]

    static func make(with deps: Deps) throws -> Self? {
        SpendsController(acts: deps.desks.acts)
    }
}

/// The request of a spend.
struct SpendRequestBody: Decodable {
    let coins: CoinCount
    let reference: NonEmpty?
    let reason: NonEmpty?

    typealias CodingKeys = SpendRequest.CodingKeys
}

extension SpendBody {
    init(_ spent: Spent) {
        let act = Act(
            journalEntryID: spent.journalEntryID, coins: spent.coins, amount: spent.lots.reduce(0) { $0 + $1.amount })
        self.init(spend: act, lots: spent.lots.map(LotUseBody.init), balance: BalanceBody(spent.balance))
    }
}
