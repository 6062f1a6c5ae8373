import FoundationEssentials
import Hummingbird
import SandboxSupport

/// The payments of the control API.
///
/// Real gateways have no such API.
struct ControlRoutes: Sendable {
    let state: SandboxState
    let webhooks: WebhookOutbox

    func add(to router: some RouterMethods<SandboxRequestContext>) {
        router.post("sandbox/payments", use: pay)
        router.get("sandbox/payments/{imp_uid}", use: show)
        router.patch("sandbox/payments/{imp_uid}", use: change)
    }

    /// Simulates the payment window: makes the payment and sends its webhook.
    private func pay(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let body = try await ControlMembers.body(of: request)
        if let batch = try PaymentBatch(body) { return try await pay(batch) }
        let change = try await state.pay(try PaymentDraft(body))
        await webhooks.announce(change)
        return ControlAnswer.make(.created, change.payment.summary)
    }

    private func show(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        ControlAnswer.make(.ok, try await state.payment(named: try context.segment("imp_uid")).summary)
    }

    /// Makes many payments without webhooks.
    private func pay(_ batch: PaymentBatch) async throws -> Response {
        try await state.pay(batch)
        return ControlAnswer.make(.created, .object(["count": .int(batch.count)]))
    }

    /// Simulates the console.
    ///
    /// A change to the present status only resends the webhook.
    private func change(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let known = try await state.payment(named: try context.segment("imp_uid"))
        let change = try PaymentChange(try await ControlMembers.body(of: request), of: known.payMethod)
        let result = try await state.change(known.impUID, by: change)
        if result.steps.isEmpty {
            await webhooks.announce(result.payment.latestStep, of: result.payment)
        } else {
            await webhooks.announce(result)
        }
        return ControlAnswer.make(.ok, result.payment.summary)
    }
}

extension SandboxPayment {
    /// The payment in the control API; V2's payment id is the merchant's.
    var summary: JSONValue {
        .object([
            "imp_uid": .string(impUID), "merchant_uid": .string(merchantUID), "payment_id": .string(merchantUID),
            "transaction_id": .string(transactionID), "status": .string(v1Status.rawValue),
            "v2_status": .string(status.rawValue), "version": .string(draft.home.rawValue),
            "amount": .number(amount), "cancel_amount": .number(cancelledAmount), "currency": .string(currency),
            "cancellations": .array(
                cancellations.map {
                    .object([
                        "id": .string($0.id), "status": .string($0.status.rawValue), "amount": .number($0.amount),
                        "tax_free": .number($0.taxFree),
                    ])
                }),
        ])
    }
}
