package import Ledger

/// What finance records of providers.
package struct ProviderActs: Sendable {
    let ledger: Ledger

    /// Sets a provider's terms, which apply to later captures; a repeat changes nothing.
    ///
    /// - Throws: ``InputFault``, also for terms of a product before those of all products.
    @discardableResult
    package func setTerms(_ draft: ProviderTermsDraft, by person: String) async throws -> ProviderTerms {
        try Self.check(draft)
        guard let terms = try await ledger.providers.setTerms(draft, by: person) else {
            throw InputFault("product", "must be left out: the provider has no terms of all products yet")
        }
        return terms
    }

    /// Refuses terms that no provider can have.
    static func check(_ draft: ProviderTermsDraft) throws(InputFault) {
        guard (0...ProviderTerms.whole).contains(draft.share) else {
            throw InputFault("share_basis_points", "must be 0 to \(ProviderTerms.whole)")
        }
        guard draft.item == nil || draft.withholding == nil else {
            throw InputFault("withholding", "is the same for all products: leave out the product, or the withholding")
        }
    }

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
