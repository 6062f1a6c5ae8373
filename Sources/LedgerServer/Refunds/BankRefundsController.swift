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

extension BankRefundsController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .list(
                "listApprovedRefunds", "/v1/refunds/approved", .financeRead, .finance,
                "List the approved refunds of all users, oldest first",
                """
                Refunds by bank transfer that finance has to pay or to reverse. Their sum is the balance of \
                `refunds:payable`.
                """,
                page: ListBody<ApprovedRefundBody>.self)
        ) { $0.approved },
        Route(
            .act(
                "payRefund", "/v1/refunds/{id}/payment", .financeWrite, .finance,
                "Record that an approved refund was paid",
                "Finance has paid the refund from our bank. ledgerd pays nothing itself.",
                parameters: [.refund],
                body: .json(
                    RefundPaymentBody.self,
                    .init("paid", ["paid_at": "2026-11-20", "bank_reference": "KB 20261123-0042"])),
                answers: [.created(RefundAnswerBody.self, "The payment is recorded, and the refund is completed.")],
                refusals: [.notFound, .refundNotApproved])
        ) { $0.pay },
        Route(
            .act(
                "repayRefund", "/v1/refunds/{id}/repayment", .financeWrite, .finance,
                "Record that the money of a paid refund came back",
                """
                The payer paid the money of a refund by bank transfer back to our bank, or the bank returned the \
                transfer. The refund is reversed: its coins come back. The payment is then reviewed at once: if the \
                gateway cancelled the same money (`refunded_twice`), a claw-back takes the coins, and the finding is \
                resolved.
                """,
                parameters: [.refund],
                body: .json(
                    RefundPaymentBody.self,
                    .init("repaid", ["paid_at": "2026-11-20", "bank_reference": "KB 20261124-0007"])),
                answers: [
                    .created(RefundAnswerBody.self, "The repayment is recorded, and the refund is reversed.")
                ],
                refusals: [.notFound, .disputeDecided, .refundNotPaid, .noPlaceForCoins, .paymentDateImplausible])
        ) { $0.repay },
        Route(
            .act(
                "reverseRefund", "/v1/refunds/{id}/reversal", .financeWrite, .finance,
                "Reverse an approved refund that was not paid",
                "The coins come back into the lots that they came from, and the purchase is as before.",
                parameters: [.refund],
                body: .json(RefundReversalBody.self, .init("noAccount", ["reason": "the bank account is closed"])),
                answers: [.created(RefundAnswerBody.self, "The refund is reversed.")],
                refusals: [.notFound, .refundNotApproved, .noPlaceForCoins])
        ) { $0.reverse },
    ]

    static func make(with deps: Deps) throws -> Self? {
        BankRefundsController(acts: deps.desks.acts, refunds: deps.desks.bankRefunds, timeZone: deps.timeZone)
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
