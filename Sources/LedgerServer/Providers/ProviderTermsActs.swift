package import Ledger

/// What finance sets of providers' terms.
package struct ProviderTermsActs: Sendable {
    let ledger: Ledger
    /// The withholding of a provider's first terms that do not name it; later ones keep the present one.
    let standardWithholding: ProviderTerms.Withholding

    /// Sets a provider's terms, which apply to later captures; a repeat changes nothing.
    ///
    /// - Throws: ``InputFault``, also for terms of a product before those of all products.
    @discardableResult
    package func setTerms(_ draft: ProviderTermsDraft, by person: String) async throws -> ProviderTerms {
        try Self.check(draft)
        guard
            let terms = try await ledger.providers.setTerms(
                draft, standardWithholding: standardWithholding, by: person)
        else {
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
}
