package import Ledger

/// What finance records of providers.
package struct ProviderActs: Sendable {
    let ledger: Ledger

    /// The provider paid back a claim, by a transfer to our bank.
    ///
    /// - Throws: ``RefusedAct``.
    package func repay(
        _ amount: Price, by provider: UserID, _ payment: BankPayment, under key: CallerKey
    ) async throws -> Performed<ClaimRepaid> {
        try await ledger.perform(
            RepayClaim(
                idempotencyKey: key, provider: provider, amount: amount, paidAt: payment.paidAt,
                bankReference: payment.reference))
    }
}
