import Foundation
import Hummingbird
import Ledger
import LedgerWire

/// Refunds by bank transfer, which finance pays or reverses, and payers pay back.
struct BankRefundsController: Sendable {
    let acts: KeyedActs
    let refunds: BankRefundActs
    /// The time zone of days.
    let timeZone: TimeZone

    /// `GET /v1/refunds/approved`: the approved refunds of all users, oldest first.
    func approved(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(request, position: After<Int64>.self)
        let found = try await acts.ledger.refunds.listTransfers(after: page.after, limit: page.limit)
        return try page.answer(
            ApprovedRefundBody.listName, found.elements.map(ApprovedRefundBody.init), next: found.next)
    }

    /// `POST /v1/refunds/{id}/payment`.
    func pay(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try await acts.perform(request, context, status: .created, as: RefundPaymentBody.self) { body, key in
            let refund = try await refunds.find(try context.pathID())
            return try await refunds.pay(refund, try body.payment(in: timeZone), under: key)
        } render: {
            RefundAnswerBody(refund: RefundBody($0.refund), balance: BalanceBody($0.balance))
        }
    }

    /// `POST /v1/refunds/{id}/reversal`.
    func reverse(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try await acts.perform(request, context, status: .created, as: RefundReversalBody.self) { body, key in
            let refund = try await refunds.find(try context.pathID())
            return try await refunds.reverse(refund, because: body.reason.value, under: key)
        } render: {
            RefundAnswerBody(refund: RefundBody($0.refund), balance: BalanceBody($0.balance))
        }
    }

    /// `POST /v1/refunds/{id}/repayment`.
    func repay(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try await acts.perform(request, context, status: .created, as: RefundPaymentBody.self) { body, key in
            let refund = try await refunds.find(try context.pathID())
            return try await refunds.repay(refund, try body.payment(in: timeZone), under: key)
        } render: {
            RefundAnswerBody(refund: RefundBody($0.refund), balance: BalanceBody($0.balance))
        }
    }
}

extension ApprovedRefundBody {
    init(_ transfer: BankTransfer) {
        self.init(
            refund: RefundBody(transfer.refund), user: transfer.refund.user.rawValue, findings: transfer.findings)
    }
}

/// The request of a payment to the payer, or back from them.
struct RefundPaymentBody: Decodable, BankPaymentMembers {
    let paidAt: NonEmpty
    let bankReference: NonEmpty

    typealias CodingKeys = RefundPaymentRequest.CodingKeys
}

/// The request of a reversal.
struct RefundReversalBody: Decodable {
    let reason: NonEmpty

    typealias CodingKeys = RefundReversalRequest.CodingKeys
}

/// The members of a request that states a payment through our bank.
protocol BankPaymentMembers {
    var paidAt: NonEmpty { get }
    var bankReference: NonEmpty { get }
}

extension BankPaymentMembers {
    /// - Throws: `invalid_request` for a time that is none, or in the future.
    func payment(in zone: TimeZone) throws -> BankPayment {
        try BankPayment(paidAt: try paidAt.moment("/paid_at", in: zone), reference: bankReference.value)
    }
}
