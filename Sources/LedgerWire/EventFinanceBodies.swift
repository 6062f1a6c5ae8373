public import Foundation

// What events of finance and operation are about, as it was then.

/// Owed coins that a user paid in won.
public struct EventDebtPaymentBody: Codable, Hashable, Sendable {
    /// The owed coins that were paid.
    public let coins: Int64
    /// The won that were paid for them.
    public let amount: Int64
    /// When the money reached our bank.
    public let paidAt: Date
    /// What the bank's statement says of the payment.
    public let bankReference: String

    private enum CodingKeys: String, CodingKey {
        case coins, amount
        case paidAt = "paid_at"
        case bankReference = "bank_reference"
    }

    /// Creates it from its members.
    public init(coins: Int64, amount: Int64, paidAt: Date, bankReference: String) {
        self.coins = coins
        self.amount = amount
        self.paidAt = paidAt
        self.bankReference = bankReference
    }
}

/// A line of a settlement file; amounts in won.
public struct EventSettlementBody: Codable, Hashable, Sendable {
    /// The gross amount; negative for a deduction.
    public let gross: Int64
    /// The gateway's fee.
    public let fee: Int64
    /// The tax on the fee.
    public let tax: Int64
    /// The amount that was paid out.
    public let net: Int64
    /// The settlement date in the file; of the file of a store, the day of the transaction or the last one of the period.
    public let paidOutOn: String

    private enum CodingKeys: String, CodingKey {
        case gross, fee, tax, net
        case paidOutOn = "paid_out_on"
    }

    /// Creates it from its members.
    public init(
        gross: Int64, fee: Int64, tax: Int64, net: Int64, paidOutOn: String
    ) {
        self.gross = gross
        self.fee = fee
        self.tax = tax
        self.net = net
        self.paidOutOn = paidOutOn
    }
}

/// A payout to providers, or its part of one provider.
public struct EventPayoutBody: Codable, Hashable, Sendable {
    /// The payout's id.
    public let id: Int64
    /// What is paid before taxes, in won; below zero for an entry that nets off what came back.
    public let amount: Int64
    /// The taxes that are withheld, in won.
    public let withheld: Int64
    /// The provider whom an entry pays; nil: the event is of the whole payout.
    public let provider: String?
    /// The number of providers of the whole payout.
    public let providers: Int64?
    /// Captures that were recorded before this moment are paid.
    public let cutOff: Date?
    /// Who did it.
    public let by: String?
    /// When the bank paid.
    public let paidAt: Date?
    /// The bank's reference.
    public let bankReference: String?

    private enum CodingKeys: String, CodingKey {
        case id, amount, withheld, provider, providers, by
        case cutOff = "cut_off"
        case paidAt = "paid_at"
        case bankReference = "bank_reference"
    }

    /// Creates it from its members.
    public init(
        id: Int64, amount: Int64, withheld: Int64, provider: String? = nil, providers: Int64? = nil,
        cutOff: Date? = nil, by: String? = nil, paidAt: Date? = nil, bankReference: String? = nil
    ) {
        self.id = id
        self.amount = amount
        self.withheld = withheld
        self.provider = provider
        self.providers = providers
        self.cutOff = cutOff
        self.by = by
        self.paidAt = paidAt
        self.bankReference = bankReference
    }
}

/// What a provider paid back of a claim.
public struct EventRepaymentBody: Codable, Hashable, Sendable {
    /// The provider.
    public let provider: String
    /// What was paid back, in won.
    public let amount: Int64
    /// When the money reached our bank.
    public let paidAt: Date
    /// What the bank's statement says of the payment.
    public let bankReference: String

    private enum CodingKeys: String, CodingKey {
        case provider, amount
        case paidAt = "paid_at"
        case bankReference = "bank_reference"
    }

    /// Creates it from its members.
    public init(provider: String, amount: Int64, paidAt: Date, bankReference: String) {
        self.provider = provider
        self.amount = amount
        self.paidAt = paidAt
        self.bankReference = bankReference
    }
}

/// An adjustment at the end of a month.
public struct EventAdjustmentBody: Codable, Hashable, Sendable {
    /// The adjustment's id.
    public let id: Int64
    /// What was adjusted.
    public let subject: Member.Subject
    /// The month.
    public let month: Member.Month
    /// The balance of the adjusted account afterwards, in won.
    public let target: Int64
    /// What the balance changed by, in won.
    public let amount: Int64

    /// Creates it from its members.
    public init(id: Int64, subject: String, month: String, target: Int64, amount: Int64) {
        self.id = id
        self.subject = subject
        self.month = month
        self.target = target
        self.amount = amount
    }
}

/// The revaluation of what is open in a foreign currency at the end of a month.
public struct EventRevaluationBody: Codable, Hashable, Sendable {
    /// The revaluation's id.
    public let id: Int64
    /// The currency.
    public let currency: Member.Currency
    /// The month.
    public let month: Member.Month
    /// What the entry at the month's end posts, in won; the one on the first of the next month takes it back.
    public let amount: Int64

    /// Creates it from its members.
    public init(id: Int64, currency: String, month: String, amount: Int64) {
        self.id = id
        self.currency = currency
        self.month = month
        self.amount = amount
    }
}

/// A finding.
public struct EventFindingBody: Codable, Hashable, Sendable {
    /// The finding id.
    public let id: Int64
    /// The kinds of problems.
    public let kinds: [String]
    /// The gateway of the payment: ``Member/Gateway``.
    public let gateway: String?
    /// The gateway's payment id.
    public let impUID: String?
    /// The merchant's payment id.
    public let merchantUID: String?
    /// V2's payment id.
    public let paymentID: String?
    /// The amount paid, in minor units of the currency.
    public let amount: Int64?
    /// The currency's ISO 4217 code.
    public let currency: String?
    /// The endpoint; nil: it is about something else.
    public let endpointID: Int64?
    /// The start of the hour in which more moved than a limit allows; nil: it is about something else.
    public let hour: Date?
    /// What moved in the hour until then: coins, or won of `liability_above_limit`.
    public let measured: Int64?
    /// The limit.
    public let limit: Int64?

    private enum CodingKeys: String, CodingKey {
        case id, kinds, gateway, amount, currency, hour, measured, limit
        case impUID = "imp_uid"
        case merchantUID = "merchant_uid"
        case paymentID = "payment_id"
        case endpointID = "endpoint_id"
    }
}

/// A reconciliation.
public struct EventReconciliationBody: Codable, Hashable, Sendable {
    /// The reconciliation id.
    public let id: Int64
    /// The first moment of its period.
    public let from: Date
    /// The first moment after its period.
    public let to: Date
    /// The number of payments of each kind.
    public let counts: [String: Int64]?
    /// Why it failed.
    public let failure: String?

    /// Creates it from its members.
    public init(
        id: Int64, from: Date, to: Date, counts: [String: Int64]? = nil, failure: String? = nil
    ) {
        self.id = id
        self.from = from
        self.to = to
        self.counts = counts
        self.failure = failure
    }
}

/// A closed period.
public struct EventPeriodBody: Codable, Hashable, Sendable {
    /// The first moment that is not closed.
    public let until: Date
    /// Who closed it.
    public let closedBy: String

    private enum CodingKeys: String, CodingKey {
        case until
        case closedBy = "closed_by"
    }
}

/// A seal.
public struct EventSealBody: Codable, Hashable, Sendable {
    /// The seal id.
    public let id: Int64
    /// When it was sealed.
    public let sealedAt: Date
    /// The number of sealed entries.
    public let entries: Int64
    /// The chain's hash after them, in hexadecimal digits.
    public let head: String

    private enum CodingKeys: String, CodingKey {
        case id, entries, head
        case sealedAt = "sealed_at"
    }

    /// Creates it from its members.
    public init(
        id: Int64, sealedAt: Date, entries: Int64, head: String
    ) {
        self.id = id
        self.sealedAt = sealedAt
        self.entries = entries
        self.head = head
    }
}

/// An endpoint of webhooks.
public struct EventEndpointBody: Codable, Hashable, Sendable {
    /// The id of the endpoint.
    public let id: Int64
    /// The URL.
    public let url: String
    /// Why it is not enabled: `requested`, `gone` or `failing`; nil: it is.
    public let reason: String?
}
