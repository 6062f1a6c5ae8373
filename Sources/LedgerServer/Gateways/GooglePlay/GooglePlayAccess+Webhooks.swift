import PGVerifier

extension GooglePlayAccess {
    static let webhook: Operation? = .write(
        "takeGooglePlayMessage", .post, "/webhooks/google-play", .anyone, .gateway,
        "Receive messages of Google Play",
        """
        This path exists only if Google Play and its push subscription are configured. Enter its URL as the endpoint of a push \
        subscription of Cloud Pub/Sub, with authentication. Pub/Sub sends what is not taken again for days.
        """,
        body: .init(
            media: [
                .init(
                    type: "application/json",
                    schema: .any(
                        "object", description: "A message of Cloud Pub/Sub with a notification of Google Play."),
                    examples: [
                        .init(
                            "test",
                            [
                                "message": [
                                    "messageId": "136969346945", "publishTime": "2026-11-20T10:00:00.000Z",
                                    "data":
                                        "eyJ2ZXJzaW9uIjoiMS4wIiwicGFja2FnZU5hbWUiOiJjb20uZXhhbXBsZS5jb2lucyIsInRlc3ROb3RpZmljYXRpb24iOnt9fQ==",
                                ],
                                "subscription": "projects/shop/subscriptions/play",
                            ])
                    ])
            ]),
        answers: [
            .json(
                200, .named("WebhookAnswer"),
                "The message is stored. ledgerd asks Google Play for the purchase later.")
        ],
        refusals: [.signatureInvalid, .gatewayUnavailable],
        traits: [.ignoresUnknown],
        meanings: [401: "Its token is not Google's for this subscription, or it is about another app."])

    func webhookReader(_ shared: GatewayConfiguration, of gateway: (any PaymentGateway)?) throws -> WebhookReader? {
        guard let push = (gateway as? GooglePlay)?.push else { return nil }
        return WebhookReader(maxBodySize: 64 << 10) { headers, body throws(WebhookError) in
            do throws(GooglePlayPushError) {
                return WebhookEvent(
                    try await push.notification(authorization: headers[.authorization], body: body))
            } catch {
                throw WebhookError(error)
            }
        }
    }

    func checkWebhooks(_ values: SettingValues) -> CheckResult? {
        let name = "messages of Google Play"
        guard let push else {
            return .warning(
                name, "refused: purchases that the app does not present, and refunds, are seen late or not at all",
                do: "set \(Self.webhookSettings.dropLast().map(\.variable).joined(separator: ", "))")
        }
        return .ok(name, "taken from \(push.subscription), with tokens for \(push.audience)")
    }
}
