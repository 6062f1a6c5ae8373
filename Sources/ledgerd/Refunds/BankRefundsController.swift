import Foundation
import Hummingbird
import Ledger
import LedgerWire

/// Refunds by bank transfer, which finance pays or reverses.
struct BankRefundsController: Sendable {
    let acts: KeyedActs
    /// How long coins of lots that have expired meanwhile can be used after a reversal.
    let grace: Duration
    /// The time zone of days.
    let timeZone: TimeZone

    private var refunds: Refunds { acts.ledger.refunds }

    func addRoutes(to group: RouterGroup<LedgerdRequestContext>) {
        group.get("refunds/approved", use: approved)
        group.post("refunds/{id}/payment", use: pay)
        group.post("refunds/{id}/reversal", use: reverse)
    }

    /// `GET /v1/refunds/approved`: the approved refunds of all users, oldest first.
    private func approved(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(request, position: WaitingRefundCursor.self)
        let found = try await refunds.listApproved(after: page.after, limit: page.limit)
        let bodies = found.elements.map { ApprovedRefundBody(refund: RefundBody($0), user: $0.user.rawValue) }
        return try page.answer(ApprovedRefundBody.listName, bodies, next: found.next)
    }

    /// `POST /v1/refunds/{id}/payment`.
    private func pay(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
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
    private func reverse(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try await acts.perform(request, context, status: .created, as: RefundReversalBody.self) { body, key in
            let refund = try await refund(context)
            return ReverseRefund(
                idempotencyKey: key, user: refund.user, refundID: refund.id, reason: body.reason.value,
                grace: grace.components.seconds)
        } render: {
            RefundAnswerBody(refund: RefundBody($0.refund), balance: BalanceBody($0.balance))
        }
    }

    private func refund(_ context: LedgerdRequestContext) async throws -> Refund {
        guard let refund = try await refunds.find(try context.pathID()) else { throw Problem(Refusal.noSuchRefund) }
        return refund
    }
}

/// The request of a payment.
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
        guard moment < Date() + CreditPurchase.clockTolerance else {
            throw .invalid(pointer: pointer, "\(pointer) must not be in the future")
        }
        return moment
    }
}
