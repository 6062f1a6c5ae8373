import LedgerWire

extension WebhooksController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .write(
                "takeWebhookV1", .post, "/webhooks/portone/v1", .anyone, .gateway,
                "Receive events of PortOne V1",
                """
                This path exists only if V1 is configured. Events are unsigned, and ledgerd never trusts their \
                content. Waiting events of one payment are stored as one.
                """,
                body: .init(
                    media: [
                        .init(
                            type: "application/json", schema: .named("WebhookV1"),
                            examples: [
                                .init(
                                    "paid", "JSON",
                                    [
                                        "imp_uid": "imp_448280090638", "merchant_uid": "order-20261120-1",
                                        "status": "paid",
                                    ])
                            ]),
                        .init(
                            type: "application/x-www-form-urlencoded", schema: .named("WebhookV1Form"),
                            examples: [
                                .init(
                                    "paid", "form",
                                    [
                                        "imp_uid": "imp_448280090638", "merchant_uid": "order-20261120-1",
                                        "status": "paid",
                                    ])
                            ]),
                    ]),
                answers: [
                    .json(
                        200, .named("WebhookAnswer"),
                        "The event is stored. ledgerd asks the gateway for the payment later.")
                ],
                refusals: [.forbiddenSource, .tooManyWaitingEvents],
                traits: [.ignoresUnknown],
                meanings: [403: "The sender's address is not allowed."])
        ) { $0.takeV1 },
        Route(
            .write(
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
        ) { $0.takeV2 },
    ]

    static func make(with deps: Deps) throws -> Self? {
        try WebhooksController(deps.configuration.gateways, events: deps.ledger.webhooks)
    }
}
