import LedgerWire

extension ForgettingController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .read(
                "getForgetting", "/v1/users/{user}/forgetting", .serviceRead, .users,
                "Get the request to forget a user",
                "The one that waits, or else the last one. A forgotten user is found by the id that took the place of theirs.",
                parameters: [.user], answers: [.ok(ForgettingBody.self, "The request.")], refusals: [.notFound])
        ) { $0.show },
        Route(
            .write(
                "askToForget", .put, "/v1/users/{user}/forgetting", .serviceWrite, .users,
                "Ask to forget a user",
                """
                After `LEDGERD_FORGETTING_WAIT`, and when nothing of the user is open, texts about them are erased, and an \
                id that nobody can guess takes the place of theirs. The books stay. A repeat changes nothing.
                """,
                parameters: [.user],
                body: .json(ForgettingRequestBody.self, .init("wish", ["reason": "the user closed their account"])),
                answers: [.ok(ForgettingBody.self, "The request, which waits.")],
                refusals: [.forgettingOff])
        ) { $0.ask },
        Route(
            .write(
                "cancelForgetting", .delete, "/v1/users/{user}/forgetting", .serviceWrite, .users,
                "Cancel the request to forget a user",
                "Nobody who was forgotten comes back. A repeat changes nothing.",
                parameters: [.user], answers: [.ok(ForgettingBody.self, "The request, which is cancelled.")],
                refusals: [.notFound])
        ) { $0.cancel },
        Route(
            .read(
                "findForgetting", "/v1/forgettings/{id}", .serviceRead, .users,
                "Get a request to forget a user by its id",
                "It tells the id that took the place of the user's.",
                parameters: [.forgetting], answers: [.ok(ForgettingBody.self, "The request.")],
                refusals: [.notFound])
        ) { $0.find },
    ]

    static func make(with deps: Deps) throws -> Self? { ForgettingController(acts: deps.desks.forgetting) }
}
