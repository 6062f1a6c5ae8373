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
