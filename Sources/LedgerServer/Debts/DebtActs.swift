import Ledger

/// What finance does about coins that users owe.
struct DebtActs: Sendable {
    let ledger: Ledger

    /// The user paid owed coins in won, by a transfer to our bank.
    ///
    /// - Parameter coins: nil: all that are owed.
    /// - Throws: ``RefusedAct``.
    func pay(
        _ coins: Coins?, of user: UserID, for price: Price, _ payment: BankPayment, under key: CallerKey
    ) async throws -> Performed<DebtPaidByBank> {
        try await ledger.perform(
            PayDebtByBank(
                idempotencyKey: key, user: user, coins: coins, price: price, paidAt: payment.paidAt,
                bankReference: payment.reference))
    }

    /// Forgives owed coins.
    ///
    /// - Parameters:
    ///   - coins: nil: all that are owed.
    ///   - owedBefore: what must be owed, because a second person decided about it; nil: whatever is.
    func writeOff(
        _ coins: Coins?, of user: UserID, because reason: String, owedBefore: Int64? = nil, under key: CallerKey
    ) async throws -> Performed<DebtWrittenOff> {
        try await ledger.perform(
            WriteOffDebt(idempotencyKey: key, user: user, coins: coins, reason: reason, owedBefore: owedBefore))
    }
}
