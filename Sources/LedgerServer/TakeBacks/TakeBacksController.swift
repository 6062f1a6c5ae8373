import Hummingbird
import Ledger
import LedgerWire

/// Takes back spends of a purchase and refunds it, for services.
struct TakeBacksController: Sendable {
    let acts: KeyedActs
    let takeBacks: TakeBackActs

    /// `GET /v1/purchases/{id}/take-back-quote`: the preview; `?spends=` names the spends, by default all.
    func quote(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let purchase = try await purchase(context)
        let spends = try request.query("spends").parsed("spends", SpendChoice.rule, SpendChoice.init(_:))
        let quote = try await takeBacks.quote(spends, of: purchase)
        return try Response(
            json: TakeBackQuoteBody(quote, canAskGateway: takeBacks.canAskGateway(of: purchase)))
    }

    /// `POST /v1/purchases/{id}/take-back`: 201 with a completed refund, 202 with one that waits for the gateway.
    func takeBack(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try await acts.perform(request, context, as: TakeBackRequestBody.self) { body, key in
            let asked = TakeBackActs.Request(
                purchase: try await purchase(context), spends: try body.choice(), reason: body.reason.value,
                account: body.account?.account)
            return try await takeBacks.takeBack(asked, under: key)
        } respond: { done in
            try await answer(done)
        }
    }

    /// The response with the refund's present state.
    private func answer(_ done: TakeBackActs.Done) async throws -> Response {
        let body = TakeBackBody(done, try await acts.ledger.balances.find(of: done.refund.user))
        let (status, headers) = try done.refund.answerHead()
        return try Response(status: status, headers: headers, json: body)
    }

    private func purchase(_ context: LedgerdRequestContext) async throws -> Purchase {
        try await acts.ledger.purchases.require(try context.pathID())
    }
}

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
                        "spends", .ids(1...TakeBackAndRefund.mostRedemptions),
                        """
                        the journal entries of the spends and captures, separated by commas; default: the last 50 of the \
                        purchase
                        """, example: [4120, 4131]),
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
                    .refundInProgress, .nothingToRefund, .userInDebt, .refundRefused, .gatewayOff, .refundByStore,
                    .refundInForeignCurrency,
                ])
        ) { $0.takeBack },
    ]

    static let personOrders: [any PersonOrder.Type] = [TakeBackOrder.self]

    static func make(with deps: Deps) throws -> Self? {
        TakeBacksController(acts: deps.desks.acts, takeBacks: deps.desks.takeBacks)
    }
}
