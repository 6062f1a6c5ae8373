import LedgerWire

extension TakeBacksController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .read(
                "quoteTakeBack", "/v1/purchases/{id}/take-back-quote", .serviceRead, .acts,
                "Preview taking back spends of a purchase and refunding it",
                """
                The preview is what the request would do now. Only the user's last 200 spends and captures are searched \
                for coins of the purchase.
                """,
                parameters: [
                    .purchase,
                    .query(
                        "spends", .text(1...1000),
                        """
                        the journal entries of the spends and captures, separated by commas; default: the last 50 of the \
                        purchase
                        """, example: "4120,4131"),
                ],
                answers: [.ok(TakeBackQuoteBody.self, "The preview.")],
                refusals: [.notFound])
        ) { $0.quote },
        Route(
            .act(
                "takeBack", "/v1/purchases/{id}/take-back", .serviceWrite, .acts,
                "Take back spends of a purchase and refund it",
                """
                For a purchase whose coins a child spent. Each spend or capture comes back whole, into the lots that its \
                coins came from, and then all refundable coins of the purchase are refunded: all of it is done, or \
                nothing. If the gateway refuses the refund (`refund_refused`), the coins that came back stay in the \
                wallet.
                """,
                parameters: [.purchase],
                body: .json(
                    TakeBackRequestBody.self,
                    .init("request", ["spends": [4120, 4131], "reason": "her son spent them"])),
                answers: [
                    .created(
                        TakeBackBody.self, "The coins came back, and the gateway returned the money.",
                        links: [.init("refund", "getRefund", id: "/refund/id")]),
                    .accepted(
                        TakeBackBody.self,
                        """
                        The coins came back and are on hold, and the gateway has not given a definite answer yet. \
                        ledgerd continues on its own.
                        """, headers: [.retryAfter], links: [.init("refund", "getRefund", id: "/refund/id")]),
                ],
                refusals: [
                    .notFound, .alreadyReversed, .noPlaceForCoins, .spendOfOtherPurchase, .purchaseDisputed,
                    .tooManyLots,
                    .refundInProgress, .nothingToRefund, .userInDebt, .refundRefused, .gatewayOff,
                ])
        ) { $0.takeBack },
    ]

    static let personOrders: [any PersonOrder.Type] = [TakeBackOrder.self]

    static func make(with deps: Deps) throws -> Self? {
        TakeBacksController(acts: deps.desks.acts, takeBacks: deps.desks.takeBacks)
    }
}
