import LedgerWire

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
