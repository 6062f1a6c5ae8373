import LedgerWire

extension DebtsController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .act(
                "payDebt", "/v1/users/{user}/debt/payments", .financeWrite, .finance,
                "Record that a user paid owed coins in won",
                "The money has reached our bank. The debt falls by the coins.",
                parameters: [.user],
                body: .json(
                    DebtPaymentRequestBody.self,
                    .init(
                        "all", "all owed coins", ["amount": 200, "paid_at": "2026-11-20", "bank_reference": "IBK 7"]),
                    .init(
                        "part",
                        ["amount": 100, "coins": 10, "paid_at": "2026-11-20T10:00:00Z", "bank_reference": "IBK 8"])),
                answers: [.created(DebtPaymentBody.self, "The payment is recorded.")],
                refusals: [.exceedsDebt, .paymentDateImplausible])
        ) { $0.pay },
        Route(
            .act(
                "writeOffDebt", "/v1/users/{user}/debt/write-offs", .financeWrite, .finance,
                "Write off owed coins",
                "No won move: the claw-back reversed their revenue.",
                parameters: [.user],
                body: .json(
                    DebtWriteOffRequestBody.self,
                    .init("all", "all owed coins", ["reason": "the user can't be reached"]),
                    .init("part", ["coins": 10, "reason": "a courtesy"])),
                answers: [.created(DebtWriteOffBody.self, "The coins are written off.")],
                refusals: [.exceedsDebt])
        ) { $0.writeOff },
    ]

    static let personOrders: [any PersonOrder.Type] = [WriteOffOrder.self]

    static func make(with deps: Deps) throws -> Self? {
        DebtsController(acts: deps.desks.acts, debts: deps.desks.debts, timeZone: deps.timeZone)
    }
}
