package import Foundation

/// A payout run: what is owed to providers up to a moment is paid to them.
package struct Payout: Sendable, Equatable, Identifiable {
    /// How far a payout is.
    package enum Status: String, Sendable, Codable, CaseIterable {
        /// Another person than the proposer has to approve it.
        case proposed
        /// The bank can pay it.
        case approved
        /// It is not paid; its captures are free for the next payout.
        case withdrawn
        /// The bank has paid it, and it is in the books.
        case paid

        /// Whether the bank may get a file of it: what is not approved, or was withdrawn, must not be paid.
        package var isForBank: Bool { self == .approved || self == .paid }
    }

    /// What a person decided.
    package struct Decision: Sendable, Equatable {
        package let by: String
        package let at: Date
        package let reason: String?
    }

    /// The bank's payment.
    package struct Payment: Sendable, Equatable {
        package let by: String
        package let at: Date
        /// When the bank paid.
        package let paidAt: Date
        package let bankReference: String
    }

    package let id: Int64
    /// Captures that were recorded before this moment are paid out; their reversals, and repayments, count until now.
    package let cutOff: Date
    package let note: String?
    package let proposedBy: String
    package let proposedAt: Date
    package let status: Status
    package let approval: Decision?
    package let withdrawal: Decision?
    package let payment: Payment?
    /// The number of providers.
    package let providers: Int64
    /// What is owed to them, before taxes.
    package let amount: Int64
    /// The taxes that are withheld.
    package let withheld: Int64

    package var proposer: Identity { Identity(proposedBy) }
}

/// What a payout pays to one provider.
package struct PayoutItem: Sendable, Equatable {
    package let provider: UserID
    /// What is owed, before taxes.
    package let amount: Int64
    package let incomeTax: Int64
    package let localTax: Int64
    /// The number of captures, reversals and repayments that it pays.
    package let shares: Int64

    /// What the bank pays.
    package var net: Int64 { amount - incomeTax - localTax }
}

/// The part of a payout that one entry books: one provider's won of one stripe.
///
/// It never changes after the payout was proposed.
struct PayoutPart: Sendable, Equatable {
    let provider: UserID
    let stripe: Stripe
    /// Below zero if more of the stripe's captures came back than the payout covers.
    let amount: Int64
    /// The taxes of the provider, all in the part with the largest amount.
    let tax: Int64
}

/// A payout to propose.
package struct PayoutDraft: Sendable, Equatable {
    package let key: CallerKey
    /// Captures that were recorded before this moment are paid; nil: now.
    package let cutOff: Date?
    /// nil: all providers to whom something is owed.
    package let providers: [UserID]?
    package let note: String?

    package init(key: CallerKey, cutOff: Date? = nil, providers: [UserID]? = nil, note: String? = nil) {
        self.key = key
        self.cutOff = cutOff
        self.providers = providers
        self.note = note
    }
}

/// Where the next page of a payout's items begins: after this provider.
package struct PayoutItemCursor: Sendable, Codable, Equatable {
    /// The last item's provider.
    package let provider: String
}
