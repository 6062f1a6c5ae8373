public import Foundation

/// A request to propose a payout.
public struct PayoutRequest: Codable, Hashable, Sendable {
    /// Captures that were recorded before this moment are paid: an RFC 3339 time, or a day of the service's time zone;
    /// not in the future; nil: now.
    ///
    /// - Null: refused
    public var cutOff: Member.Moment?
    /// The providers; nil: all to whom something is owed.
    ///
    /// - Null: refused
    /// - Count: `1...1000`
    public var providers: [Member.Owner]?
    /// A note for people.
    public var note: Member.Text?

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case providers, note
        case cutOff = "cut_off"
    }

    /// The most providers of a payout.
    public static let mostProviders = 1000

    /// Proposes to pay what was recorded before a time, or before the start of a day.
    public init(cutOff: String? = nil, providers: [String]? = nil, note: String? = nil) {
        self.cutOff = cutOff
        self.providers = providers
        self.note = note
    }
}

/// A request to withdraw a payout.
public struct PayoutWithdrawalRequest: Codable, Hashable, Sendable {
    /// The reason.
    public var reason: Member.Text?

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable { case reason }

    /// Creates a request to withdraw a payout.
    public init(reason: String? = nil) { self.reason = reason }
}

/// A request to book that the bank has paid a payout.
public struct PayoutPaymentRequest: Codable, Hashable, Sendable {
    /// When the bank paid: an RFC 3339 time, or a day of the service's time zone; not in the future, and not before the
    /// day of the cut-off.
    public var paidAt: Member.Moment
    /// The bank's reference.
    public var bankReference: Member.Text

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case paidAt = "paid_at"
        case bankReference = "bank_reference"
    }

    /// The bank paid at a time, or on a day.
    public init(paidAt: String, bankReference: String) {
        self.paidAt = paidAt
        self.bankReference = bankReference
    }
}

/// A payout to providers.
public struct PayoutBody: Codable, Hashable, Sendable {
    /// What a person decided about a payout.
    public struct Decision: Codable, Hashable, Sendable {
        /// Who decided.
        public let by: String
        /// When.
        public let at: Date
        /// Why.
        public let reason: String?

        /// Creates it from its members.
        public init(by: String, at: Date, reason: String? = nil) {
            self.by = by
            self.at = at
            self.reason = reason
        }
    }

    /// The bank's payment of a payout.
    public struct Payment: Codable, Hashable, Sendable {
        /// Who booked it.
        public let by: String
        /// When it was booked.
        public let at: Date
        /// When the bank paid.
        public let paidAt: Date
        /// The bank's reference.
        public let bankReference: String

        private enum CodingKeys: String, CodingKey {
            case by, at
            case paidAt = "paid_at"
            case bankReference = "bank_reference"
        }

        /// Creates it from its members.
        public init(by: String, at: Date, paidAt: Date, bankReference: String) {
            self.by = by
            self.at = at
            self.paidAt = paidAt
            self.bankReference = bankReference
        }
    }

    /// The payout's id.
    public let id: Member.ID
    /// The state of the payout.
    ///
    /// - Values: `proposed`, `approved`, `withdrawn`, `paid`
    public let status: String
    /// Captures that were recorded before this moment are paid.
    public let cutOff: Date
    /// The number of providers.
    public let providers: Member.ID
    /// What is owed to them before taxes, in minor units of the currency.
    public let amount: Member.ID
    /// The taxes that are withheld.
    public let withheld: Member.Natural
    /// What the bank pays.
    public let net: Member.Natural
    /// The currency's ISO 4217 code.
    public let currency: String
    /// The note.
    public let note: String?
    /// Who proposed it.
    public let proposedBy: String
    /// When it was proposed.
    public let proposedAt: Date
    /// The approval; nil: none.
    public let approval: Decision?
    /// The withdrawal; nil: it is not withdrawn.
    public let withdrawal: Decision?
    /// The bank's payment; nil: it is not paid.
    public let payment: Payment?

    private enum CodingKeys: String, CodingKey {
        case id, status, providers, amount, withheld, net, currency, note, approval, withdrawal, payment
        case cutOff = "cut_off"
        case proposedBy = "proposed_by"
        case proposedAt = "proposed_at"
    }

    /// Creates it from its members.
    public init(
        id: Int64, status: String, cutOff: Date, providers: Int64, amount: Int64, withheld: Int64, net: Int64,
        currency: String = Member.won, note: String? = nil, proposedBy: String, proposedAt: Date,
        approval: Decision? = nil, withdrawal: Decision? = nil, payment: Payment? = nil
    ) {
        self.id = id
        self.status = status
        self.cutOff = cutOff
        self.providers = providers
        self.amount = amount
        self.withheld = withheld
        self.net = net
        self.currency = currency
        self.note = note
        self.proposedBy = proposedBy
        self.proposedAt = proposedAt
        self.approval = approval
        self.withdrawal = withdrawal
        self.payment = payment
    }
}

extension PayoutBody: ListedBody {
    /// `payouts`.
    public static let listName = "payouts"
}

/// What a payout pays to one provider.
public struct PayoutItemBody: Codable, Hashable, Sendable {
    /// The provider.
    public let provider: String
    /// What is owed, before taxes.
    public let amount: Member.ID
    /// The income tax that is withheld.
    public let incomeTax: Member.Natural
    /// The local income tax that is withheld.
    public let localTax: Member.Natural
    /// What the bank pays.
    public let net: Member.Natural
    /// The number of captures, reversals and repayments that it pays.
    public let shares: Member.Natural

    private enum CodingKeys: String, CodingKey {
        case provider, amount, net, shares
        case incomeTax = "income_tax"
        case localTax = "local_tax"
    }

    /// Creates it from its members.
    public init(
        provider: String, amount: Int64, incomeTax: Int64, localTax: Int64, net: Int64, shares: Int64
    ) {
        self.provider = provider
        self.amount = amount
        self.incomeTax = incomeTax
        self.localTax = localTax
        self.net = net
        self.shares = shares
    }
}

extension PayoutItemBody: ListedBody {
    /// `items`.
    public static let listName = "items"
}

/// A capture, a reversal of one, or a repayment of a claim, that a payout pays or nets off.
public struct PayoutShareBody: Codable, Hashable, Sendable {
    /// The provider.
    public let provider: String
    /// The id of the capture's, reversal's or repayment's journal entry.
    public let journalEntryID: Member.ID
    /// The id of the capture's journal entry; nil for a repayment.
    public let captureID: Member.ID?
    /// The version of the terms; nil for a repayment.
    public let termsID: Member.ID?
    /// The won that were recognised, deferred again or paid back.
    public let amount: Member.Natural
    /// What it adds to the payout: below zero for a reversal.
    public let change: Int64
    /// When it was recorded.
    public let recordedAt: Date

    private enum CodingKeys: String, CodingKey {
        case provider, amount, change
        case journalEntryID = "journal_entry_id"
        case captureID = "capture_id"
        case termsID = "terms_id"
        case recordedAt = "recorded_at"
    }

    /// Creates it from its members.
    public init(
        provider: String, journalEntryID: Int64, captureID: Int64? = nil, termsID: Int64? = nil, amount: Int64,
        change: Int64, recordedAt: Date
    ) {
        self.provider = provider
        self.journalEntryID = journalEntryID
        self.captureID = captureID
        self.termsID = termsID
        self.amount = amount
        self.change = change
        self.recordedAt = recordedAt
    }
}

extension PayoutShareBody: ListedBody {
    /// `shares`.
    public static let listName = "shares"
}
