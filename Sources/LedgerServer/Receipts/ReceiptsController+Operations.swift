import LedgerWire

extension ReceiptsController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .write(
                "presentReceipt", .post, "/v1/receipts", .user, .shop,
                "Present the receipt of a payment",
                """
                ledgerd checks the payment with the gateway. No `Idempotency-Key` is needed: the payment id is the \
                key, and you can present a receipt again at any time.
                """,
                body: .json(
                    ReceiptRequestBody.self,
                    .init("V1", "PortOne V1", ["imp_uid": "imp_448280090638", "merchant_uid": "order-20261120-1"]),
                    .init("V2", "PortOne V2", ["payment_id": "order-20261120-1"])),
                answers: [
                    .ok(
                        ReceiptBody.self, "The receipt was credited before, to the same user.",
                        links: [.init("purchase", "getMyPurchase", id: "/purchase/id")]),
                    .created(
                        ReceiptBody.self, "The receipt is credited now.",
                        links: [.init("purchase", "getMyPurchase", id: "/purchase/id")]),
                    .accepted(
                        WaitingReceiptBody.self,
                        """
                        Not decided yet. ledgerd keeps the receipt and credits it when the gateway confirms the \
                        payment.
                        """, headers: [.retryAfter]),
                ],
                refusals: [
                    .paymentNotFound, .receiptBelongsToAnotherUser, .claimedBySeveral, .merchantUIDAlreadyCredited,
                    .orderBelongsToAnotherUser, .orderAlreadyCredited, .paymentFailed, .paymentCancelled,
                    .paymentPartiallyCancelled, .merchantUIDMismatch, .amountMismatch, .currencyMismatch,
                    .testPayment, .gatewayOff, .orderNotFound, .orderExpired, .tooManyWaitingReceipts,
                    .tooManyRefusedReceipts, .tooManyAtOnce,
                ])
        ) { $0.present }
    ]

    static func make(with deps: Deps) throws -> Self? {
        ReceiptsController(desk: deps.receipts)
    }
}
