import LedgerWire

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
