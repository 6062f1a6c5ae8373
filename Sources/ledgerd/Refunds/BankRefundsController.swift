import Foundation
import Hummingbird
import Ledger
import LedgerWire
import Timing

/// Refunds by bank transfer, which finance pays or reverses, and payers pay back.
struct BankRefundsController: Sendable {
    let acts: KeyedActs
    /// How long coins of lots that have expired meanwhile can be used after a reversal.
    let grace: Duration
    /// The time zone of days.
    let timeZone: TimeZone

    private var refunds: Refunds { acts.ledger.refunds }

    /// `GET /v1/refunds/approved`: the approved refunds of all users, oldest first.
    func approved(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(request, position: After<Int64>.self)
        let found = try await refunds.listTransfers(after: page.after, limit: page.limit)
        let bodies = found.elements.map {
            ApprovedRefundBody(refund: RefundBody($0.refund), user: $0.refund.user.rawValue, findings: $0.findings)
        }
        return try page.answer(ApprovedRefundBody.listName, bodies, next: found.next)
    }

    /// `POST /v1/refunds/{id}/payment`.
    func pay(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try await acts.perform(request, context, status: .created, as: RefundPaymentBody.self) { body, key in
            let refund = try await refund(context)
            return PayRefund(
                idempotencyKey: key, user: refund.user, refundID: refund.id,
                paidAt: try body.paidAt.pastMoment("/paid_at", in: timeZone), bankReference: body.bankReference.value)
        } render: {
            RefundAnswerBody(refund: RefundBody($0.refund), balance: BalanceBody($0.balance))
        }
    }

    /// `POST /v1/refunds/{id}/reversal`.
    ///
    /// The payment is reviewed next: the gateway may have cancelled what was to go back by bank transfer.
    func reverse(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try await acts.perform(request, context, as: RefundReversalBody.self) { body, key in
            let refund = try await refund(context)
            return ReverseRefund(
                idempotencyKey: key, user: refund.user, refundID: refund.id, reason: body.reason.value,
                grace: grace.components.seconds)
        } respond: { reversed, _ in
            try await respond(to: reversed)
        }
    }

    /// `POST /v1/refunds/{id}/repayment`.
    ///
    /// The payment is reviewed next: usually the gateway has cancelled what the payer paid back.
    func repay(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try await acts.perform(request, context, as: RefundPaymentBody.self) { body, key in
            let refund = try await refund(context)
            return RepayRefund(
                idempotencyKey: key, user: refund.user, refundID: refund.id,
                paidAt: try body.paidAt.pastMoment("/paid_at", in: timeZone), bankReference: body.bankReference.value,
                grace: grace.components.seconds)
        } respond: { reversed, _ in
            try await respond(to: reversed)
        }
    }

    private func respond(to reversed: RefundReversed) async throws -> Response {
        try await acts.requestReview(after: reversed.refund)
        return try Response(
            status: .created,
            json: RefundAnswerBody(refund: RefundBody(reversed.refund), balance: BalanceBody(reversed.balance)))
    }

    private func refund(_ context: LedgerdRequestContext) async throws -> Refund {
        guard let refund = try await refunds.find(try context.pathID()) else { throw Problem(Refusal.noSuchRefund) }
        return refund
    }
}

extension KeyedActs {
    /// Has the payment of a refund looked up at the gateway, as after an event from there, once for each reversal.
    ///
    /// A repeat of the request does it too, so a process that ends before leaves nothing undone for good.
    func requestReview(after reversed: Refund) async throws {
        guard let payment = try await ledger.purchases.find(reversed.purchaseID)?.payment else { return }
        _ = try await ledger.webhooks.store(
            WebhookRecordDraft(
                gateway: payment.gateway, eventID: "refund-reversal:\(reversed.id)", type: "ledgerd.refund_reversed",
                impUID: payment.impUID, merchantUID: payment.merchantUID, paymentID: payment.paymentID))
    }
}

/// The request of a payment to the payer, or back from them.
struct RefundPaymentBody: Decodable {
    let paidAt: NonEmpty
    let bankReference: NonEmpty

    typealias CodingKeys = RefundPaymentRequest.CodingKeys
}

/// The request of a reversal.
struct RefundReversalBody: Decodable {
    let reason: NonEmpty

    typealias CodingKeys = RefundReversalRequest.CodingKeys
}

extension NonEmpty {
    /// The moment of a member that must not be in the future.
    func pastMoment(_ pointer: String, in zone: TimeZone) throws(Problem) -> Date {
        let moment = try moment(pointer, in: zone)
        // The clock of the caller can be a little ahead.
        guard moment < Time.current.now + CreditPurchase.clockTolerance else {
            throw .invalid(pointer: pointer, "\(pointer) must not be in the future")
        }
        return moment
    }
}
