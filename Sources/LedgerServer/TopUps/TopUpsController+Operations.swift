import LedgerWire

extension TopUpsController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .read(
                "getTopUp", "/v1/users/{user}/top-up", .serviceRead, .users,
                "Get a user's consent to automatic top-up",
                "The consent in force, or else the last one, with the user's latest charges.",
                parameters: [.user], answers: [.ok(TopUpBody.self, "The consent.")], refusals: [.notFound])
        ) { $0.show },
        Route(
            .write(
                "agreeToTopUp", .put, "/v1/users/{user}/top-up", .serviceWrite, .users,
                "Store a user's consent to automatic top-up",
                """
                It replaces the one before. A spend or capture that leaves fewer available coins than `threshold` charges \
                the card for the product, once, and the payment is credited to the user. A repeat changes nothing.
                """,
                parameters: [.user],
                body: .json(
                    TopUpRequestBody.self,
                    .init(
                        "consent",
                        [
                            "gateway": "portone-v2", "billing_key": "billing-key-1", "product": "coins_100",
                            "threshold": 50, "monthly_limit": 30_000,
                        ])),
                answers: [.ok(TopUpBody.self, "The consent as it is now.")],
                refusals: [.productNotFound, .gatewayOff])
        ) { $0.agree },
        Route(
            .write(
                "revokeTopUp", .delete, "/v1/users/{user}/top-up", .serviceWrite, .users,
                "Revoke a user's consent to automatic top-up",
                """
                No charge is asked for afterwards. One that the gateway was asked for before is credited and told as an \
                event. A repeat changes nothing.
                """,
                parameters: [.user], answers: [.ok(TopUpBody.self, "The consent, which has ended.")],
                refusals: [.notFound])
        ) { $0.revoke },
        Route(
            .write(
                "pauseTopUp", .post, "/v1/users/{user}/top-up/pause", .serviceWrite, .users,
                "Pause a user's automatic top-up", "A repeat changes nothing.",
                parameters: [.user],
                body: .json(PauseTopUpRequestBody.self, .init("pause", ["reason": "the user asked for it"])),
                answers: [.ok(TopUpBody.self, "The consent, which is paused.")], refusals: [.notFound])
        ) { $0.pause },
        Route(
            .write(
                "resumeTopUp", .post, "/v1/users/{user}/top-up/resume", .serviceWrite, .users,
                "Resume a user's automatic top-up",
                "It begins without the failures and the rest from before. A repeat changes nothing.",
                parameters: [.user], answers: [.ok(TopUpBody.self, "The consent, which is active.")],
                refusals: [.notFound])
        ) { $0.resume },
    ]

    static func make(with deps: Deps) throws -> Self? { TopUpsController(acts: deps.desks.topUps) }
}
