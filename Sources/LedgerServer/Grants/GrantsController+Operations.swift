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
        ) { $0.grant },
        Route(
            .act(
                "voidGrant", "/v1/grants/{id}/void", .serviceGrant, .acts,
                "Void a grant, whole or in part",
                """
                Takes back coins of the grant that are in the wallet. Without `coins` it is all of them, and what comes \
                back later by a reversal of a spend or capture is voided, too. Coins on hold stay there: `held`.
                """,
                parameters: [.grant],
                body: .json(
                    VoidGrantRequestBody.self,
                    .init("whole", "all coins in the wallet", ["reason": "granted by mistake"]),
                    .init("part", ["coins": 10, "reason": "granted twice"])),
                answers: [.created(VoidedGrantBody.self, "The coins are voided.")],
                refusals: [.notFound, .exceedsGrant])
        ) { $0.void },
    ]

    static let personOrders: [any PersonOrder.Type] = [GrantOrder.self, GrantVoidOrder.self]

    static func make(with deps: Deps) throws -> Self? {
        GrantsController(acts: deps.desks.acts, grants: deps.desks.grants)
    }
}
