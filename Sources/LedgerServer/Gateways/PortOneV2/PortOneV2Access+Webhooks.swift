import LedgerWire
import PGVerifier
import Timing

extension PortOneV2Access {
    static let webhook: Operation? = .write(
        "takeWebhookV2", .post, "/webhooks/portone/v2", .anyone, .gateway,
        "Receive events of PortOne V2",
        """
        This path exists only if V2 and its webhook secret are configured. Events are signed as Standard \
        Webhooks define.
        """,
        parameters: [
            .header(
                "webhook-id", .text,
                "the id of the message, the same in every repeat (Standard Webhooks 1.0.0)",
                example: "msg_2KWPBgLlAfxdpx2AI54pPJ85f4W", isRequired: true),
            .header(
                "webhook-timestamp", .text,
                "when the message was signed, in Unix seconds; at most five minutes from now",
                example: "1795168800", isRequired: true),
            .header(
                "webhook-signature", .text,
                "the signatures of id, time and body: `v1,` and base64, separated by spaces",
                example: "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=", isRequired: true),
        ],
        body: .init(
            media: [
                .init(
                    type: "application/json", schema: .any("object", description: "An event of PortOne V2."),
                    examples: [
                        .init(
                            "paid",
                            [
                                "type": "Transaction.Paid", "timestamp": "2026-11-20T10:00:00.000Z",
                                "data": [
                                    "paymentId": "order-20261120-1", "transactionId": "018f2d3a",
                                    "storeId": "store-1",
                                ],
                            ])
                    ])
            ]),
        answers: [
            .json(
                200, .named("WebhookAnswer"),
                "The event is stored. ledgerd asks the gateway for the payment later.")
        ],
        refusals: [.signatureInvalid],
        traits: [.ignoresUnknown],
        meanings: [401: "The signature is missing or invalid."])

    func webhookReader(_ shared: GatewayConfiguration, of gateway: (any PaymentGateway)?) throws -> WebhookReader? {
        guard !webhookSecrets.isEmpty else { return nil }
        let signature = try WebhookSignature(secrets: webhookSecrets.map { Secret($0) })
        return WebhookReader { headers, body throws(WebhookError) in
            try signature.verify(
                id: headers[.webhookID], timestamp: headers[.webhookTimestamp], signature: headers[.webhookSignature],
                body: body, now: Time.current.now)
            return try .portOneV2(body: body, id: headers[.webhookID])
        }
    }

    func checkWebhooks(_ values: SettingValues) -> CheckResult? {
        let name = "webhooks V2"
        guard !webhookSecrets.isEmpty else {
            return .warning(
                name, "V2's webhooks are refused: payments without their app wait for the sweep",
                do: "set \(Settings.portOneV2.webhookSecrets.variable) to the secret of the console (whsec_…)")
        }
        return .ok(name, "verified with \(webhookSecrets.count == 1 ? "one secret" : "two secrets")")
    }
}
