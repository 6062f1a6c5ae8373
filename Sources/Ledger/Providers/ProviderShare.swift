import Foundation
import Postgres

/// A provider's share of the won that a capture recognised.
package struct ProviderShare: Sendable, Equatable, Codable {
    /// The version of the terms.
    package let termsID: Int64
    /// The provider's share by these terms, in basis points.
    package let basisPoints: Int64
    package let role: ProviderTerms.Role
    /// The won that are owed to the provider.
    package let amount: Int64
}

extension ProviderShare {
    init(of won: Int64, by terms: ProviderTerms) {
        self.init(termsID: terms.id, basisPoints: terms.share, role: terms.role, amount: terms.share(of: won))
    }

    /// The part that comes back when `won` of the capture become `left`.
    ///
    /// Afterwards the provider has the share of a capture of what is left.
    func reversed(from won: Int64, to left: Int64) -> ProviderShare {
        let amount = won.share(basisPoints, of: ProviderTerms.whole) - left.share(basisPoints, of: ProviderTerms.whole)
        return ProviderShare(termsID: termsID, basisPoints: basisPoints, role: role, amount: amount)
    }

    /// What the provider supplied of the won of each use, if we are the agent: it is no supply of ours.
    ///
    /// The share is divided in the order of the uses, so the first uses have the same part of a smaller capture.
    func supplied(of uses: [LotUse]) -> [Int64] {
        guard role == .agent else { return uses.map { _ in 0 } }
        var won: Int64 = 0
        return uses.map { use in
            let before = won.share(basisPoints, of: ProviderTerms.whole)
            won += use.amount
            return won.share(basisPoints, of: ProviderTerms.whole) - before
        }
    }
}

/// The fact of a provider's share of a capture, or of what came back of one.
struct ProviderShareRecord: Sendable, Equatable {
    /// The entry of the capture or reversal.
    let journalEntryID: Int64
    /// The entry of the capture.
    let captureID: Int64
    let provider: UserID
    /// What the provider sold, as the capture names it; nil: not named, or a reversal.
    let item: String?
    let stripe: Stripe
    /// The won that were recognised, or deferred again.
    let won: Int64
    let share: ProviderShare
    /// The VAT of our commission, if we are the agent.
    let commissionVAT: Int64
    let recordedAt: Date
}

extension ProviderShareRecord {
    static let insert = BulkInsert<ProviderShareRecord>(
        into: "provider_share",
        [
            .init("journal_entry_id", \.journalEntryID), .init("capture_id", \.captureID),
            .init("provider", \.provider), .init("product", \.item), .init("stripe", \.stripe),
            .init("terms_id", \.share.termsID), .init("amount", \.won), .init("share", \.share.amount),
            .init("vat", \.commissionVAT), .init("recorded_at", \.recordedAt),
        ])
}

/// A plan's providers: their terms, and their shares to insert.
struct PlannedProviders: Sendable {
    private let terms: [UserID: [ProviderTerms]]
    /// Shares to insert.
    private(set) var shares: [ProviderShareRecord] = []
    /// Repayments to insert.
    private(set) var repayments: [ProviderRepaymentRecord] = []

    init(_ terms: [ProviderTerms]) {
        self.terms = Dictionary(grouping: terms, by: \.provider)
    }

    /// The terms of what a provider sells; nil: none, the provider earns coins only.
    ///
    /// - Parameter item: nil: not named.
    func terms(of provider: UserID, item: String?) -> ProviderTerms? {
        let found = terms[provider] ?? []
        return found.first { $0.item == item } ?? found.first { $0.item == nil }
    }

    mutating func insert(_ share: ProviderShareRecord) { shares.append(share) }

    mutating func insert(_ repayment: ProviderRepaymentRecord) { repayments.append(repayment) }
}

extension PlannedProviders {
    static func lookUps(of providers: Set<UserID>, items: Set<String>) -> [PostgresQuery<SnapshotPart>] {
        [ProviderTerms.inForce(of: Array(providers), items: Array(items)).into(\.terms)]
    }

    /// To be written after the postings: the database checks them against each other.
    var facts: [PostgresQuery<Int>] {
        PostgresQuery.facts(shares, ProviderShareRecord.insert)
            + PostgresQuery.facts(repayments, ProviderRepaymentRecord.insert)
    }
}
