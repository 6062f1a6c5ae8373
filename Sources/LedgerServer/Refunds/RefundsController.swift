import Hummingbird
import Ledger
import LedgerWire
import WireFormats

/// Full and partial refunds by services.
struct RefundsController: Sendable {
    let acts: KeyedActs
    let refunds: RefundActs

    /// `GET /v1/purchases/{id}/refund-quote`: the preview of a refund; `?coins=` for a part, `?fee_waived=true` without a
    /// fee.
    func quote(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let purchase = try await purchase(context)
        let query = try request.query("coins", "fee_waived")
        let quote = try await refunds.quote(
            for: try query.coins(), of: purchase,
            isWaived: try query.parsed("fee_waived", "true or false", Bool.init) ?? false)
        return try Response(json: RefundQuoteBody(quote, canAskGateway: refunds.canAskGateway(of: purchase)))
    }

    /// `POST /v1/purchases/{id}/refunds`: 201 with a completed or approved refund, 202 with one that waits for the
    /// gateway.
    ///
    /// A bank transfer and a waiver of the fee give away our money, so each needs a right of its own.
    func refund(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try await acts.perform(request, context, as: RefundRequestBody.self) { body, key in
            let purchase = try await purchase(context)
            let method = try body.refundMethod()
            if method == .bankTransfer || body.feeWaiver != nil { try context.require(.refundsApprove) }
            let asked = RefundActs.Request(
                purchase: purchase, coins: body.coins?.coins, reason: body.reason.value, method: method,
                account: body.account?.account, feeWaiver: body.feeWaiver?.value)
            return try await refunds.refund(asked, under: key)
        } respond: { refund in
            try await answer(refund)
        }
    }

    /// The response with the refund's present state.
    private func answer(_ refund: Refund) async throws -> Response {
        let body = RefundAnswerBody(
            refund: RefundBody(refund), balance: BalanceBody(try await acts.ledger.balances.find(of: refund.user)))
        let (status, headers) = try refund.answerHead()
        return try Response(status: status, headers: headers, json: body)
    }

    /// `GET /v1/refunds/{id}`.
    func find(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        guard let refund = try await acts.ledger.refunds.find(try context.pathID()) else {
            throw Problem(Refusal.noSuchRefund)
        }
        return Response(json: RefundBody(refund))
    }

    private func purchase(_ context: LedgerdRequestContext) async throws -> Purchase {
        try await acts.ledger.purchases.require(try context.pathID())
    }
}

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
                    .refundRefused, .gatewayOff, .refundByStore, .refundInForeignCurrency,
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

extension Query {
    /// The number of coins in the query, if given.
    fileprivate func coins() throws(Problem) -> Coins? {
        try parsed("coins", "an integer from 1 to \(Coins.most)") { Int64(digits: $0).flatMap(Coins.init) }
    }
}

extension Refund {
    /// The status and headers of a response with the refund's present state: 201, or 202 while it waits for the gateway.
    ///
    /// - Throws: `refund_refused`.
    func answerHead() throws(Problem) -> (status: HTTPResponse.Status, headers: HTTPFields) {
        switch status {
        case .completed, .approved, .reversed: return (.created, [:])
        case .pending: return (.accepted, [.retryAfter: "5"])
        case .refused: throw Problem.refundRefused(self)
        }
    }
}

extension Problem {
    /// The gateway refused the refund, and the coins have returned to the wallet.
    static func refundRefused(_ refund: Refund) -> Problem {
        var problem = Problem(.refundRefused, members: ["refund_id": .integer(refund.id)])
        if let refusal = refund.refusal {
            problem.members.append((name: "reason", value: .string(refusal.reason)))
            if let code = refusal.gatewayCode { problem.members.append((name: "gateway_code", value: .string(code))) }
        }
        return problem
    }
}
