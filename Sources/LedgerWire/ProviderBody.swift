public import Foundation

/// A request to set a provider's terms.
public struct ProviderTermsRequest: Codable, Hashable, Sendable {
    /// What the provider sells, as captures name it, if the provider has terms of all products; nil: all products
    /// without terms of their own.
    ///
    /// - Null: refused
    public var product: Member.Text?
    /// The provider's share of the won that captures recognise, in basis points; the share is rounded down.
    public var shareBasisPoints: Member.BasisPoints
    /// Our role (K-IFRS 1115, B34–B38): an agent's revenue is the commission; a principal's is the whole amount, and
    /// the share is a cost.
    public var role: Member.ProviderRole
    /// The tax that is withheld from payouts: `business_income` is 3 % income tax and 10 % of it as local income tax;
    /// the same for all products, so not with `product`; nil: as before, for first terms
    /// `LEDGERD_PROVIDER_WITHHOLDING`.
    public var withholding: Member.Withholding?

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case product, role, withholding
        case shareBasisPoints = "share_basis_points"
    }

    /// Creates terms.
    public init(product: String? = nil, shareBasisPoints: Int64, role: String, withholding: String? = nil) {
        self.product = product
        self.shareBasisPoints = shareBasisPoints
        self.role = role
        self.withholding = withholding
    }
}

/// A version of a provider's terms.
public struct ProviderTermsBody: Codable, Hashable, Sendable {
    /// The version.
    public let id: Member.ID
    /// What the provider sells, as captures name it; nil: all products without terms of their own.
    public let product: String?
    /// The provider's share of the won that captures recognise, in basis points.
    public let shareBasisPoints: Member.BasisPoints
    /// Our role.
    public let role: Member.ProviderRole
    /// The tax that is withheld from payouts.
    public let withholding: Member.Withholding
    /// Who set it.
    public let setBy: String
    /// From when on it applies.
    public let setAt: Date

    private enum CodingKeys: String, CodingKey {
        case id, product, role, withholding
        case shareBasisPoints = "share_basis_points"
        case setBy = "set_by"
        case setAt = "set_at"
    }

    /// Creates it from its members.
    public init(
        id: Int64, product: String? = nil, shareBasisPoints: Int64, role: String, withholding: String, setBy: String,
        setAt: Date
    ) {
        self.id = id
        self.product = product
        self.shareBasisPoints = shareBasisPoints
        self.role = role
        self.withholding = withholding
        self.setBy = setBy
        self.setAt = setAt
    }
}

extension ProviderTermsBody: ListedBody {
    /// `terms`.
    public static let listName = "terms"
}

/// A provider with terms.
public struct ProviderBody: Codable, Hashable, Sendable {
    /// The provider.
    public let provider: String
    /// The terms that apply now to all products without terms of their own.
    public let terms: ProviderTermsBody
    /// The terms that apply now to single products, by name; nil: there are none.
    public let productTerms: [ProviderTermsBody]?
    /// What is owed to the provider, in minor units of the currency; below zero: a claim on the provider.
    public let payable: Int64
    /// The currency's ISO 4217 code.
    public let currency: String

    private enum CodingKeys: String, CodingKey {
        case provider, terms, payable, currency
        case productTerms = "product_terms"
    }

    /// Creates it from its members.
    public init(
        provider: String, terms: ProviderTermsBody, productTerms: [ProviderTermsBody]? = nil, payable: Int64,
        currency: String = Member.won
    ) {
        self.provider = provider
        self.terms = terms
        self.productTerms = productTerms
        self.payable = payable
        self.currency = currency
    }
}

extension ProviderBody: ListedBody {
    /// `providers`.
    public static let listName = "providers"
}

/// A line of a provider's statement: a capture, a reversal of one, a repayment of a claim, or a payout.
public struct ProviderStatementLineBody: Codable, Hashable, Sendable {
    /// What happened.
    ///
    /// - Values: `capture`, `capture_reversal`, `repayment`, `payout`
    public let kind: String
    /// The id of the journal entry; of a payout, the first.
    public let journalEntryID: Member.ID
    /// The id of the capture's journal entry; nil for a repayment or payout.
    public let captureID: Member.ID?
    /// The payout that pays the share or nets the repayment off, or the payout itself; nil: in no payout yet.
    public let payoutID: Member.ID?
    /// The version of the terms; nil for a repayment or payout.
    public let termsID: Member.ID?
    /// What was sold, if the capture names it.
    public let product: String?
    /// The won that were recognised, deferred again or paid back; of a payout, what is paid before taxes.
    public let amount: Member.Natural
    /// What is added to what is owed: below zero for reversals and payouts.
    public let change: Int64
    /// What is owed after it; below zero: a claim on the provider.
    public let payable: Int64
    /// When it was recorded.
    public let recordedAt: Date

    private enum CodingKeys: String, CodingKey {
        case kind, product, amount, change, payable
        case journalEntryID = "journal_entry_id"
        case captureID = "capture_id"
        case payoutID = "payout_id"
        case termsID = "terms_id"
        case recordedAt = "recorded_at"
    }

    /// Creates it from its members.
    public init(
        kind: String, journalEntryID: Int64, captureID: Int64? = nil, payoutID: Int64? = nil, termsID: Int64? = nil,
        product: String? = nil, amount: Int64, change: Int64, payable: Int64, recordedAt: Date
    ) {
        self.kind = kind
        self.journalEntryID = journalEntryID
        self.captureID = captureID
        self.payoutID = payoutID
        self.termsID = termsID
        self.product = product
        self.amount = amount
        self.change = change
        self.payable = payable
        self.recordedAt = recordedAt
    }
}

extension ProviderStatementLineBody: ListedBody {
    /// `lines`.
    public static let listName = "lines"
}

/// What a provider paid back of a claim, by a transfer to our bank.
public struct RepaymentRequest: Codable, Hashable, Sendable {
    /// The won that were paid back: at most the claim.
    public var amount: Member.Amount
    /// When the money reached our bank, not in the future; a date means its first moment.
    public var paidAt: Member.Moment
    /// What the bank's statement says of the payment; no account number.
    public var bankReference: Member.Text

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case amount
        case paidAt = "paid_at"
        case bankReference = "bank_reference"
    }

    /// Creates a request.
    public init(amount: Int64, paidAt: String, bankReference: String) {
        self.amount = amount
        self.paidAt = paidAt
        self.bankReference = bankReference
    }
}

/// A repayment of a claim, and what is owed after it.
public struct RepaymentBody: Codable, Hashable, Sendable {
    /// The provider.
    public let provider: String
    /// The id of the journal entry.
    public let journalEntryID: Member.ID
    /// The won that were paid back.
    public let amount: Int64
    /// When the money reached our bank.
    public let paidAt: Date
    /// What the bank's statement says of the payment.
    public let bankReference: String
    /// What is owed to the provider after it: zero, or below zero for the rest of the claim.
    public let payable: Int64

    private enum CodingKeys: String, CodingKey {
        case provider, amount, payable
        case journalEntryID = "journal_entry_id"
        case paidAt = "paid_at"
        case bankReference = "bank_reference"
    }

    /// Creates it from its members.
    public init(
        provider: String, journalEntryID: Int64, amount: Int64, paidAt: Date, bankReference: String, payable: Int64
    ) {
        self.provider = provider
        self.journalEntryID = journalEntryID
        self.amount = amount
        self.paidAt = paidAt
        self.bankReference = bankReference
        self.payable = payable
    }
}
