package import Foundation
import Postgres

/// Records that a provider paid back a claim, by a transfer to our bank.
///
/// ```
/// Dr bank  amount / Cr payable:<provider>  amount
/// ```
/// A claim is what `payable:<provider>` is below zero over all stripes. The entry lies in the provider's stripe. The
/// next payout to the provider nets it off against the reversals that made the claim.
package struct RepayClaim: KeyedAct, Equatable {
    package let idempotencyKey: CallerKey
    package let provider: UserID
    /// The won that were paid back: at most the claim.
    package let amount: Price
    /// When the money reached our bank.
    ///
    /// The entry is effective then, but not after it is recorded.
    package let paidAt: Date
    /// What the bank's statement says of the payment.
    package let bankReference: String

    package init(idempotencyKey: CallerKey, provider: UserID, amount: Price, paidAt: Date, bankReference: String) {
        self.idempotencyKey = idempotencyKey
        self.provider = provider
        self.amount = amount
        self.paidAt = paidAt
        self.bankReference = bankReference
    }

    /// The provider, who decides the stripe of the entry.
    package var user: UserID { provider }
}

/// The result of recording what a provider paid back.
package struct ClaimRepaid: Sendable, Equatable, Codable, PostedSuccess {
    /// The journal entry of the act.
    package let journalEntryID: Int64
    package let provider: UserID
    /// The won that were paid back.
    package let amount: Int64
    package let paidAt: Date
    package let bankReference: String
    /// What is owed to the provider after the act: zero, or below zero for the rest of the claim.
    package let payable: Int64
}

// MARK: - Planning

extension RepayClaim {
    package var touches: Touches { Touches(claimOn: provider) }

    package func plan(on books: inout Plan) -> Answer<ClaimRepaid> { books.repayClaim(self) }
}

extension Plan {
    fileprivate mutating func repayClaim(_ act: RepayClaim) -> Answer<ClaimRepaid> {
        let owed = journal.accounts.payable(of: act.provider)
        let amount = act.amount.amount
        guard amount <= -owed else { return .refused(.exceedsClaim(required: amount, available: max(0, -owed))) }
        let stripe = stripe(of: act.provider)
        let payable = openPayable(of: act.provider, in: stripe)
        let entryID = post(
            .providerRepayment, reference: "provider:\(act.provider.rawValue)", reason: act.bankReference,
            effectiveAt: min(act.paidAt, recordedAt), in: stripe,
            [
                Line(account: .system(.bank, stripe), side: .debit, amount: amount),
                Line(account: payable, side: .credit, amount: amount),
            ])
        let repaid = ClaimRepaid(
            journalEntryID: entryID, provider: act.provider, amount: amount, paidAt: act.paidAt,
            bankReference: act.bankReference, payable: owed + amount)
        providers.insert(ProviderRepaymentRecord(repaid: repaid, stripe: stripe, recordedAt: recordedAt))
        return .done(repaid)
    }
}

// MARK: - How it is recorded

extension RepayClaim {
    package static let name = "provider_repayment"
    package static let successName = "claimRepaid"

    package var fingerprint: Fingerprint {
        Fingerprint(
            Self.name, provider.rawValue, String(amount.amount), String(paidAt.microsecondsSince1970), bankReference)
    }
}

/// The fact of what a provider paid back.
struct ProviderRepaymentRecord: Sendable, Equatable {
    let repaid: ClaimRepaid
    let stripe: Stripe
    let recordedAt: Date

    /// To be written after the postings: the database checks them against each other.
    static let insert = BulkInsert<ProviderRepaymentRecord>(
        into: "provider_repayment",
        [
            .init("journal_entry_id", \.repaid.journalEntryID), .init("provider", \.repaid.provider),
            .init("stripe", \.stripe), .init("amount", \.repaid.amount), .init("paid_at", \.repaid.paidAt),
            .init("bank_reference", \.repaid.bankReference), .init("recorded_at", \.recordedAt),
        ])
}
