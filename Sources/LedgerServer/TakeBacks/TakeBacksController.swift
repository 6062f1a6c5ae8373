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
