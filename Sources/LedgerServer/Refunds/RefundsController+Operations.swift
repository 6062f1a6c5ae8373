import LedgerWire

extension RefundsController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .read(
                "quoteRefund", "/v1/purchases/{id}/refund-quote", .serviceRead, .acts,
                "Preview a refund",
                parameters: [
                    .purchase,
                    .query(
                        "coins", .whole(1...1_000_000_000_000),
                        "the number of coins to refund; default: all refundable coins"),
                    .query("fee_waived", .flag, "`true`: preview the refund without its fee"),
                ],
                answers: [.ok(RefundQuoteBody.self, "The preview.")],
                refusals: [.notFound])
        ) { $0.quote },
        Route(
            .act(
                "refund", "/v1/purchases/{id}/refunds", .serviceWrite, .acts,
                "Refund a purchase, whole or in part",
                """
                A bank transfer (`method`) and a waiver of the fee (`fee_waiver`) need the scope `refunds:approve` \
                besides.
                """,
                parameters: [.purchase],
                body: .json(
                    RefundRequestBody.self,
                    .init("part", "a part", ["coins": 40, "reason": "changed her mind"]),
                    .init("byBank", "by bank transfer", ["method": "bank_transfer", "reason": "her card is closed"]),
                    .init(
                        "toAnAccount", "the rest, to a bank account",
                        [
                            "reason": "changed her mind",
                            "refund_account": [
                                "bank": "SHINHAN", "number": "110123456789", "holder": "홍길동",
                                "holder_phone": "01012345678",
                            ],
                        ])),
                answers: [
                    .created(
                        RefundAnswerBody.self,
                        "The gateway returned the money; or, by bank transfer, the refund is approved.",
                        links: [.init("refund", "getRefund", id: "/refund/id")]),
                    .accepted(
                        RefundAnswerBody.self,
                        """
                        The coins are on hold, and the gateway has not given a definite answer yet. ledgerd \
                        continues on its own.
                        """, headers: [.retryAfter], links: [.init("refund", "getRefund", id: "/refund/id")]),
                ],
                refusals: [
                    .notFound, .refundInProgress, .nothingToRefund, .exceedsRefundable, .userInDebt,
                    .refundRefused, .gatewayOff,
                ])
        ) { $0.refund },
        Route(
            .read(
                "getRefund", "/v1/refunds/{id}", .serviceRead, .acts,
                "Get a refund",
                parameters: [.refund],
                answers: [.ok(RefundBody.self, "The refund.")],
                refusals: [.notFound])
        ) { $0.find },
    ]

    static let personOrders: [any PersonOrder.Type] = [RefundOrder.self]

    static func make(with deps: Deps) throws -> Self? {
        RefundsController(acts: deps.desks.acts, refunds: deps.desks.refunding)
    }
}
