import Hummingbird
import Ledger
import LedgerWire

/// Gifts of coins from user to user, by services.
struct GiftsController: Sendable {
    let acts: KeyedActs
    let gifts: GiftActs

    /// `POST /v1/users/{user}/transfers`.
    func gift(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let user = try context.requireUserInPath()
        return try await acts.perform(request, context, status: .created, as: GiftRequestBody.self) { body, key in
            try await gifts.give(
                body.coins.coins, from: user, to: body.to.id, because: body.reason?.value, under: key)
        } render: {
            GiftBody($0)
        }
    }
}

extension GiftsController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .act(
                "gift", "/v1/users/{user}/transfers", .serviceWrite, .acts,
                "Give coins of a user to another user",
                """
                The coins keep their price, purchase, expiry and VAT. When their purchase is refunded, or its payment is \
                cancelled, what is left of them comes back from whoever has them; what is used by then is the buyer's \
                debt. Which coins can be given, the fee and the limits of a day are settings.
                """,
                parameters: [.user],
                body: .json(
                    GiftRequestBody.self,
                    .init("present", ["to": "bob", "coins": 30, "reason": "happy birthday"])),
                answers: [.created(GiftBody.self, "The coins are given.")],
                refusals: [
                    .giftToOneself, .unknownReceiver, .userMerged, .exceedsGiveable, .giftLimitExceeded,
                    .insufficientCoins, .tooManyLots,
                ])
        ) { $0.gift }
    ]

    static func make(with deps: Deps) throws -> Self? {
        GiftsController(acts: deps.desks.acts, gifts: deps.desks.gifts)
    }
}

/// The request of a gift.
struct GiftRequestBody: Decodable {
    let to: AccountOwner
    let coins: CoinCount
    let reason: NonEmpty?

    typealias CodingKeys = GiftRequest.CodingKeys
}

extension GiftBody {
    init(_ gifted: Gifted) {
        self.init(
            gift: Act(
                id: gifted.giftID, journalEntryID: gifted.journalEntryID, to: gifted.receiver.rawValue,
                coins: gifted.coins, paidCoins: gifted.paid, fee: gifted.fee),
            balance: BalanceBody(gifted.balance))
    }
}
