import LedgerWire

extension ReceiptsController: Feature {
    static let routes: [Route<Self>] = [
        route(
            "presentReceipt", "/v1/receipts", .user, .shop, "Present the receipt of a payment",
            """
            ledgerd checks the payment with the gateway. No `Idempotency-Key` is needed: the payment id is the key, and \
            you can present a receipt again at any time.
            """, links: [.init("purchase", "getMyPurchase", id: "/purchase/id")]
        ) { $0 },
        route(
            "presentUserReceipt", "/v1/users/{user}/receipts", .serviceWrite, .users,
            "Present the receipt of a user's payment", "As the user presents it with `POST /v1/receipts`.", [.user]
        ) { $0.ofUserInPath },
    ]

    /// - Parameter links: where the purchase is shown.
    private static func route(
        _ name: String, _ path: String, _ callers: Callers, _ tag: Operation.Tag, _ summary: String,
        _ description: String, _ inPath: [Operation.Parameter] = [], links: [Operation.Link] = [],
        _ controller: @escaping @Sendable (Self) -> Self
    ) -> Route<Self> {
        Route(
            .write(
                name, .post, path, callers, tag, summary, description, parameters: inPath,
                body: .json(
                    ReceiptRequestBody.self,
                    .init("V1", "PortOne V1", ["imp_uid": "imp_448280090638", "merchant_uid": "order-20261120-1"]),
                    .init("V2", "PortOne V2", ["payment_id": "order-20261120-1"]),
                    .init(
                        "appStore", "the App Store",
                        [
                            "app_store": [
                                "signed_transaction": "eyJhbGciOiJFUzI1NiJ9.eyJ0cmFuc2FjdGlvbklkIjoiMSJ9.c2lnbmF0dXJl"
                            ]
                        ]),
                    .init(
                        "googlePlay", "Google Play",
                        ["google_play": ["purchase_token": "fdbmklcnobfjhpaaclmnieol.AO-J1OyKq0sVnBcCpR3"]])),
                answers: [
                    .ok(
                        ReceiptBody.self, "The receipt was credited before, to the same user.", links: links),
                    .created(
                        ReceiptBody.self, "The receipt is credited now.", links: links),
                    .accepted(
                        WaitingReceiptBody.self,
                        """
                        Not decided yet. ledgerd keeps the receipt and credits it when the gateway confirms the \
                        payment; one of a store's sandbox is not kept.
                        """, headers: [.retryAfter]),
                ],
                refusals: [
                    .paymentNotFound, .receiptBelongsToAnotherUser, .claimedBySeveral, .merchantUIDAlreadyCredited,
                    .orderBelongsToAnotherUser, .orderAlreadyCredited, .paymentFailed, .paymentCancelled,
                    .paymentPartiallyCancelled, .merchantUIDMismatch, .amountMismatch, .currencyMismatch,
                    .receiptSignatureInvalid, .appMismatch, .environmentMismatch, .familyShared, .testPayment,
                    .gatewayOff, .orderNotFound, .orderExpired, .tooManyWaitingReceipts,
                    .tooManyRefusedReceipts, .tooManyAtOnce, .gatewayUnavailable,
                    .grantLimitExceeded,
                ])
        ) { controller($0).present }
    }

    static func make(with deps: Deps) throws -> Self? {
        ReceiptsController(desk: deps.receipts)
    }
}
