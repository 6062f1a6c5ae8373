import PGVerifier

extension AppStoreAccess {
    static let webhook: Operation? = .write(
        "takeAppStoreNotification", .post, "/webhooks/app-store", .anyone, .gateway,
        "Receive notifications of the App Store",
        """
        This path exists only if the App Store is configured. Enter its URL in App Store Connect, for version 2, for production \
        and the sandbox. The App Store sends what is not taken again after 1, 12, 24, 48 and 72 hours.
        """,
        body: .init(
            media: [
                .init(
                    type: "application/json",
                    schema: .any("object", description: "A notification of the App Store, version 2."),
                    examples: [
                        .init(
                            "any", ["signedPayload": "eyJhbGciOiJFUzI1NiJ9.eyJ0cmFuc2FjdGlvbklkIjoiMSJ9.c2lnbmF0dXJl"])
                    ])
            ]),
        answers: [
            .json(
                200, .named("WebhookAnswer"),
                "The notification is stored. ledgerd asks the App Store for the transaction later.")
        ],
        refusals: [.signatureInvalid, .gatewayUnavailable],
        traits: [.ignoresUnknown],
        meanings: [401: "The App Store did not sign it, or it is about another app or environment."])

    /// A notification has the chain of certificates twice: one of a refund has 12 kB.
    func webhookReader(_ shared: GatewayConfiguration, of gateway: (any PaymentGateway)?) throws -> WebhookReader? {
        guard let verifier = (gateway as? AppStore)?.verifier else { return nil }
        return WebhookReader(maxBodySize: 64 << 10) { _, body throws(WebhookError) in
            do throws(SignedDataError) {
                return WebhookEvent(try await verifier.notification(body: body))
            } catch {
                throw WebhookError(error)
            }
        }
    }

    func checkWebhooks(_ values: SettingValues) -> CheckResult? {
        .ok("notifications of the App Store", "verified with the certificates of the App Store")
    }
}
