import Foundation
import Postgres

/// Sets and reads providers' terms, and reads what is owed to them.
package struct Providers: Sendable {
    let pools: Pools
    let stripes: Int64

    init(_ pools: Pools, stripes: Int64) {
        self.pools = pools
        self.stripes = stripes
    }

    /// Sets a provider's terms: they apply to every later capture.
    ///
    /// Terms that are equal to the present ones change nothing.
    ///
    /// - Parameter standardWithholding: what is withheld by a provider's first terms, if they do not name it.
    /// - Returns: the terms that apply now; nil: they are of an item, and the provider has none of all items yet.
    @discardableResult
    package func setTerms(
        _ draft: ProviderTermsDraft, standardWithholding: ProviderTerms.Withholding, by caller: String
    ) async throws(LedgerError) -> ProviderTerms? {
        try await reading {
            do {
                let items = draft.item.map { [$0] } ?? []
                return try await pools.write(
                    ProviderTerms.insert(draft, standard: standardWithholding, by: caller),
                    unlessSameAs: ProviderTerms.inForce(of: [draft.provider], items: items),
                    lock: ProviderTerms.lock
                ) { $0.isEqual(to: draft) }.version
            } catch let error as PostgresError where error.constraint == "provider_terms_of_all_products" {
                return nil
            }
        }
    }

    /// The terms that apply now, and what is owed; nil: the provider has no terms, and earns coins only.
    package func find(_ provider: UserID) async throws(LedgerError) -> ProviderBalance? {
        let terms = try await reading { try await pools.reads.run(ProviderTerms.inForce(of: [provider])) }
        guard let first = terms.first else { return nil }
        return ProviderBalance(terms: first, ofItems: terms.dropFirst(), payable: try await payable(of: provider))
    }

    /// All versions of a provider's terms, newest first.
    package func history(
        of provider: UserID, after cursor: After<Int64>? = nil, limit: Int
    ) async throws(LedgerError) -> Page<ProviderTerms, After<Int64>> {
        try await reading {
            let found = try await pools.reads.run(
                ProviderTerms.versions(of: provider, before: cursor?.id, limit: limit))
            return Page(found, limit: limit)
        }
    }

    /// The providers with terms, each with what is owed to them now.
    package func list(
        after cursor: ProviderCursor? = nil, limit: Int
    ) async throws(LedgerError) -> Page<ProviderBalance, ProviderCursor> {
        try await reading {
            let listed = try await pools.reads.run(
                ProviderBalance.list(after: cursor?.provider, stripes: stripes, limit: limit))
            let terms = try await pools.reads.run(ProviderTerms.inForce(of: listed.map(\.provider)))
            let found = Dictionary(grouping: terms, by: \.provider)
            let balances = listed.compactMap { provider, payable in
                found[provider].map { ProviderBalance(terms: $0[0], ofItems: $0.dropFirst(), payable: payable) }
            }
            return Page(balances, limit: limit) { $0.last.map { ProviderCursor(provider: $0.terms.provider.rawValue) } }
        }
    }

    /// The won that are owed to a provider; below zero: a claim on the provider.
    package func payable(of provider: UserID) async throws(LedgerError) -> Int64 {
        try await reading { try await pools.reads.run(Account.balances(payables(of: provider))).reduce(0, +) }
    }

    /// What was earned by a provider with terms, came back and was paid out, newest first.
    package func accountLines(
        of provider: UserID, after cursor: ProviderAccountCursor? = nil, limit: Int
    ) async throws(LedgerError) -> Page<ProviderAccountLine, ProviderAccountCursor> {
        try await reading {
            let rows = try await pools.reads.run(
                ProviderAccountLine.list(of: provider, payables(of: provider), before: cursor, limit: limit))
            let page = Page(rows, limit: limit) { $0.last.map(ProviderAccountCursor.init(after:)) }
            return page
        }
    }

    private func payables(of provider: UserID) -> [AccountCode] {
        (0..<stripes).map { .payable(of: provider, Stripe(number: $0)) }
    }
}

extension ProviderTerms {
    fileprivate func isEqual(to draft: ProviderTermsDraft) -> Bool {
        item == draft.item && share == draft.share && role == draft.role
            && (draft.withholding == nil || withholding == draft.withholding)
    }
}

/// Where the next page of providers begins: after this one.
package struct ProviderCursor: Sendable, Codable, Equatable {
    /// The last provider.
    package let provider: String
}

/// A provider with terms.
package struct ProviderBalance: Sendable, Equatable {
    /// The terms that apply now to all items without terms of their own.
    package let terms: ProviderTerms
    /// The terms that apply now to single items, by name.
    package let ofItems: [ProviderTerms]
    /// The won that are owed to the provider; below zero: a claim.
    package let payable: Int64

    init(terms: ProviderTerms, ofItems: some Sequence<ProviderTerms>, payable: Int64) {
        self.terms = terms
        self.ofItems = ofItems.map { $0.withholding(terms.withholding) }
        self.payable = payable
    }
}
