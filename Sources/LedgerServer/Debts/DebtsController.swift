import Foundation
import Hummingbird
import Ledger
import LedgerWire

/// Debts that users pay in won, or that finance writes off.
struct DebtsController: Sendable {
    let acts: KeyedActs
    let debts: DebtActs
    /// The time zone of days.
    let timeZone: TimeZone

    /// `POST /v1/users/{user}/debt/payments`.
    func pay(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let user = try context.requireUserInPath()
        return try await acts.perform(
            request, context, status: .created, as: DebtPaymentRequestBody.self
        ) { body, key in
            try await debts.pay(
                body.coins?.coins, of: user, for: body.amount.price, try body.payment(in: timeZone), under: key)
        } render: {
            DebtPaymentBody($0)
        }
    }

    /// `POST /v1/users/{user}/debt/write-offs`.
    func writeOff(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let user = try context.requireUserInPath()
        return try await acts.perform(
            request, context, status: .created, as: DebtWriteOffRequestBody.self
        ) { body, key in
            try await debts.writeOff(body.coins?.coins, of: user, because: body.reason.value, under: key)
        } render: {
            DebtWriteOffBody($0)
        }
    }
}

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

/// The request of a payment; by default of all owed coins.
struct DebtPaymentRequestBody: Decodable, BankPaymentMembers {
    let amount: WonAmount
    @AllIfAbsent var coins: CoinCount?
    let paidAt: NonEmpty
    let bankReference: NonEmpty

    typealias CodingKeys = DebtPaymentRequest.CodingKeys
}

/// The request of a write-off; by default of all owed coins.
struct DebtWriteOffRequestBody: Decodable {
    @AllIfAbsent var coins: CoinCount?
    let reason: NonEmpty

    typealias CodingKeys = DebtWriteOffRequest.CodingKeys
}

extension DebtPaymentBody {
    init(_ paid: DebtPaidByBank) {
        self.init(
            payment: Act(
                journalEntryID: paid.journalEntryID, coins: paid.coins, amount: paid.amount, paidAt: paid.paidAt,
                bankReference: paid.bankReference),
            balance: BalanceBody(paid.balance))
    }
}

extension DebtWriteOffBody {
    init(_ writtenOff: DebtWrittenOff) {
        self.init(
            writeOff: Act(
                journalEntryID: writtenOff.journalEntryID, coins: writtenOff.coins, reason: writtenOff.reason),
            balance: BalanceBody(writtenOff.balance))
    }
}
