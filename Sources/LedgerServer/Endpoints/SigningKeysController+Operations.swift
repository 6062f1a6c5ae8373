extension SigningKeysController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .read(
                "listWebhookKeys", "/v1/webhook-keys", .anyone, .endpoints,
                "List the public keys of webhooks",
                """
                A JSON Web Key Set (RFC 7517, RFC 8037). Each webhook has a signature `v1a` of each key. Receivers \
                that verify it need no secret.
                """,
                answers: [
                    .json(
                        200, .named("WebhookKeys"), "The keys; none if no signing key is configured.",
                        headers: [.cacheControl])
                ],
                traits: [.offline])
        ) { $0.keySet }
    ]

    static func make(with deps: Deps) throws -> Self? {
        SigningKeysController(
            keys: deps.configuration.endpoints.keys?.signing.map(\.publicKey) ?? [])
    }
}
