package import Foundation

/// A version of a provider's terms: what the provider gets of the won that captures recognise.
///
/// Terms apply to captures from the moment they are set. Earlier captures keep the terms of their time. Terms of an
/// item apply to the captures that name it; the others have the terms of all items.
package struct ProviderTerms: Sendable, Equatable, Identifiable {
    /// In whose name we sell what the provider delivers (K-IFRS 1115, B34–B38).
    package enum Role: String, Sendable, Codable, CaseIterable {
        /// The provider sells through us: our revenue is the commission.
        case agent
        /// We sell, and the provider delivers for us: our revenue is the whole amount, and the share is a cost.
        case principal
    }

    /// The tax that is withheld from payouts.
    package enum Withholding: String, Sendable, CaseIterable {
        case none
        /// 3 % income tax (Income Tax Act, art. 129(1)3) and 10 % of it as local income tax (Local Tax Act, art.
        /// 103-13), each rounded down to 10 won.
        case businessIncome = "business_income"
    }

    package let id: Int64
    package let provider: UserID
    /// What the provider sells, as captures name it; nil: all items without terms of their own.
    package let item: String?
    /// The provider's share of the recognised won, in basis points: 0...10,000.
    package let share: Int64
    package let role: Role
    package fileprivate(set) var withholding: Withholding
    package let setBy: String
    /// From when on they apply.
    package let setAt: Date

    /// All of the won, in basis points.
    package static let whole: Int64 = 10_000

    /// The same terms with what is withheld now, which is the same for all of the provider's items.
    func withholding(_ present: Withholding) -> ProviderTerms {
        var terms = self
        terms.withholding = present
        return terms
    }

    /// The provider's share of recognised won, rounded down: the rest is ours.
    func share(of won: Int64) -> Int64 { won.share(share, of: Self.whole) }
}

/// Terms to set.
package struct ProviderTermsDraft: Sendable, Equatable {
    package let provider: UserID
    /// Only of this item; nil: of all items without terms of their own.
    package let item: String?
    /// In basis points: 0...10,000.
    package let share: Int64
    package let role: ProviderTerms.Role
    /// What is withheld, the same for all items; nil: as before, or the standard in first terms.
    package let withholding: ProviderTerms.Withholding?

    package init(
        provider: UserID, item: String? = nil, share: Int64, role: ProviderTerms.Role,
        withholding: ProviderTerms.Withholding? = nil
    ) {
        self.provider = provider
        self.item = item?.precomposedStringWithCanonicalMapping
        self.share = share
        self.role = role
        self.withholding = withholding
    }
}
