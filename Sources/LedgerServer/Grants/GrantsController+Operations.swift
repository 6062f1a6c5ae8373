import LedgerWire

extension GrantsController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .act(
                "grant", "/v1/users/{user}/grants", .serviceGrant, .acts,
                "Grant coins to a user",
                parameters: [.user],
                body: .json(
                    GrantRequestBody.self,
                    .init("welcome", ["coins": 10, "reason": "welcome", "expires_at": "2036-01-31T15:00:00Z"])),
                answers: [.created(GrantBody.self, "The coins are granted.")],
                refusals: [.grantLimitExceeded, .alreadyExpired],
                meanings: [403: "The token lacks the scope, or the grant exceeds a limit."])
        ) { $0.grant }
    ]

    static func make(with deps: Deps) throws -> Self? {
        GrantsController(acts: deps.desks.acts, grants: deps.desks.grants)
    }
}
