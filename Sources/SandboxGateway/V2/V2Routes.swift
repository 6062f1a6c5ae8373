import FoundationEssentials
import Hummingbird
import SandboxSupport

/// PortOne V2's REST surface (PortOne V2 contract).
struct V2Routes: Sendable {
    let secret: String
    let state: SandboxState
    let shelf: IdempotencyShelf
    let webhooks: WebhookOutbox

    func add(to router: some RouterMethods<SandboxRequestContext>) {
        router.post("login/api-secret", use: logIn)
        router.post("token/refresh", use: refresh)
        let authorized = router.group()
            .add(middleware: V2Authenticator(secret: secret, state: state))
            .add(middleware: IdempotencyMiddleware(shelf: shelf))
        authorized.get("payments/{paymentId}", use: payment)
        authorized.get("payments/{paymentId}/transactions", use: transactions)
        authorized.post("payments/{paymentId}/cancel", use: cancel)
        authorized.post("payments/{paymentId}/cancellations/{cancellationId}/stop", use: stopCancellation)
        authorized.post("payments/{paymentId}/billing-key", use: chargeBillingKey)
        authorized.post("payments/{paymentId}/pre-register", use: preRegister)
        authorized.post("payments/{paymentId}/virtual-account/close", use: closeAccount)
        authorized.post("payments/{paymentId}/confirm", use: confirm)
        authorized.post("payments/{paymentId}/capture", use: capture)
        authorized.post("payments/{paymentId}/resend-webhook", use: resendWebhook)
        authorized.get("payments", use: list)
        authorized.get("payments-by-cursor", use: listByCursor)
        authorized.get("payment-events-by-cursor", use: listEvents)
    }

    // MARK: Tokens

    private func logIn(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        guard let presented = try await V2Members(request).text("apiSecret") else {
            throw V2Refusal.invalid("apiSecret is missing")
        }
        guard presented == secret else { throw V2Refusal.unauthorized }
        return Self.answer(await state.issueV2Tokens())
    }

    private func refresh(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        guard let token = try await V2Members(request).text("refreshToken") else {
            throw V2Refusal.invalid("refreshToken is missing")
        }
        guard let pair = await state.refreshV2Tokens(token) else { throw V2Refusal.unauthorized }
        return Self.answer(pair)
    }

    private static func answer(_ pair: (access: String, refresh: String)) -> Response {
        V2Answer(.object(["accessToken": .string(pair.access), "refreshToken": .string(pair.refresh)])).response
    }

    // MARK: Look-ups

    private func payment(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let payment = try await state.payment(
            id: try context.segment("paymentId"), store: request.query["storeId"])
        return V2Answer(await wire(payment)).response
    }

    private func transactions(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let attempts = try await state.attempts(
            id: try context.segment("paymentId"), store: request.query["storeId"])
        return V2Answer(.object(["items": .array(attempts.map(\.v2TransactionWire))])).response
    }

    // MARK: Acts

    private func cancel(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let members = try await V2Members(request)
        let cancel = try V2Cancel(members)
        let (change, cancellation) = try await state.cancel(
            cancel, id: try context.segment("paymentId"), store: try members.text("storeId"))
        await webhooks.announce(change, to: WebhookAudience(v1: false, v2: !cancel.skipsWebhook))
        return V2Answer(.object(["cancellation": change.payment.v2Wire(cancellation)])).response
    }

    private func stopCancellation(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let stoppedAt = try await state.stopCancellation(
            try context.segment("cancellationId"), id: try context.segment("paymentId"),
            store: try await V2Members(request).text("storeId"))
        return V2Answer(.object(["stoppedAt": RFC3339Time.nanoseconds(stoppedAt)])).response
    }

    private func preRegister(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let members = try await V2Members(request)
        let currency = try members.text("currency")
        guard (currency ?? "KRW").utf8.count == 3 else { throw V2Refusal.invalid("currency is unknown") }
        let total = try members.integer("totalAmount")
        let taxFree = try members.integer("taxFreeAmount") ?? 0
        if let total, taxFree > total { throw V2Refusal.invalid("taxFreeAmount exceeds totalAmount") }
        try await state.preRegister(
            PreparedAmount(
                api: .v2, merchantUID: try context.segment("paymentId"),
                amount: total.map { Decimal(minorUnits: $0, of: currency ?? "KRW") }, currency: currency),
            store: try members.text("storeId"))
        return V2Answer(.object([:])).response
    }

    /// A declined card is refused, and its payment has the status `FAILED`.
    private func chargeBillingKey(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let members = try await V2Members(request)
        guard let card = try members.text("billingKey") else { throw V2Refusal.invalid("billingKey is missing") }
        guard let name = try members.text("orderName") else { throw V2Refusal.invalid("orderName is missing") }
        let amount = try members.object("amount")
        guard let amount, let total = try amount.integer("total", in: 1...Int.max) else {
            throw V2Refusal.invalid("amount.total is missing")
        }
        let taxFree = try amount.integer("taxFree", in: 0...total) ?? 0
        guard let currency = try members.text("currency") else { throw V2Refusal.invalid("currency is missing") }
        let store = try await state.store(try members.text("storeId"))
        let charge = CardCharge(
            card: card,
            order: ["payment_id": .string(try context.segment("paymentId")), "store_id": .string(store)],
            amount: Decimal(minorUnits: total, of: currency), currency: currency, name: name,
            taxFree: Decimal(minorUnits: taxFree, of: currency))
        if charge.isOfDeletedCard { throw V2Refusal.billingKeyNotFound }
        let change: PaymentChangeResult
        do throws(ControlError) {
            change = try await state.pay(try charge.draft())
        } catch {
            throw error.status == .conflict ? V2Refusal.alreadyPaid : V2Refusal.invalid("the payment can't be made")
        }
        await webhooks.announce(change)
        let payment = change.payment
        guard let paidAt = payment.paidAt else { throw V2Refusal.refusedByPG }
        return V2Answer(
            .object([
                "payment": .object(["pgTxId": .string(payment.pgTxID), "paidAt": RFC3339Time.seconds(paidAt)])
            ])
        ).response
    }

    private func closeAccount(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let (change, closedAt) = try await state.closeAccount(
            id: try context.segment("paymentId"), store: request.query["storeId"])
        await webhooks.announce(change)
        return V2Answer(.object(["closedAt": RFC3339Time.nanoseconds(closedAt)])).response
    }

    private func confirm(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let members = try await V2Members(request)
        let confirm = try V2Confirm(members)
        let change = try await state.confirm(
            confirm, id: try context.segment("paymentId"), store: try members.text("storeId"))
        await webhooks.announce(change, to: WebhookAudience(v1: true, v2: !confirm.skipsWebhook))
        let payment = change.payment
        return V2Answer(
            .object([
                "pgTxId": .string(payment.pgTxID), "paidAt": RFC3339Time.seconds(payment.paidAt ?? payment.startedAt),
            ])
        ).response
    }

    /// Captures a payment, which changes nothing visible.
    private func capture(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let payment = try await state.payment(
            id: try context.segment("paymentId"), store: try await V2Members(request).text("storeId"))
        guard payment.status == .paid else { throw V2Refusal.notPaid }
        return V2Answer(.object([:])).response
    }

    // MARK: Webhooks

    /// A payment with its webhooks.
    func wire(_ payment: SandboxPayment) async -> JSONValue {
        payment.v2Wire(webhooks: await webhooks.book.history(of: payment.impUID).map(\.v2Wire))
    }

    /// The sandbox's limit; the real gateway's is not published.
    private static let maxResends = 5

    private func resendWebhook(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let members = try await V2Members(request)
        let payment = try await state.payment(
            id: try context.segment("paymentId"), store: try members.text("storeId"))
        let id = try members.text("webhookId")
        let history = await webhooks.book.history(of: payment.impUID)
        guard let last = history.last(where: { id == nil || $0.id == id }) else { throw V2Refusal.webhookNotFound }
        guard last.resends < Self.maxResends else { throw V2Refusal.tooManyResends }
        guard let sent = await webhooks.resend(last.number) else { throw V2Refusal.webhookNotFound }
        return V2Answer(.object(["webhook": sent.v2Wire])).response
    }
}
