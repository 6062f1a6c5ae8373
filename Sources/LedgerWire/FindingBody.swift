public import Foundation

/// A payment that the books can't follow by themselves.
public struct FindingBody: Codable, Hashable, Sendable {
    /// The finding's id.
    public let id: Int64
    /// What is the matter, such as `paid_unclaimed` or `amount_mismatch`: of several things the one that tells most.
    public let kind: String
    /// All that is the matter, as it was found.
    public let kinds: [String]
    /// Through which gateway was paid: `portone-v1` or `portone-v2`.
    public let gateway: String
    /// The gateway's name of the payment.
    public let impUID: String
    /// The merchant's name of the payment.
    public let merchantUID: String
    /// V2's name of the payment.
    public let paymentID: String?
    /// Who presented the receipt or made the order.
    public let user: String?
    /// Who presented the receipt and had it kept, and when first; the first one first, at most 100.
    public let claims: [ClaimBody]
    /// What was paid, in minor units of the currency.
    public let amount: Int64
    /// The currency's ISO 4217 code.
    public let currency: String
    /// When it was paid, as the gateway says.
    public let paidAt: Date?
    /// When it was found.
    public let foundAt: Date

    private enum CodingKeys: String, CodingKey {
        case id, kind, kinds, gateway, user, claims, amount, currency
        case impUID = "imp_uid"
        case merchantUID = "merchant_uid"
        case paymentID = "payment_id"
        case paidAt = "paid_at"
        case foundAt = "found_at"
    }

    /// Creates a finding of its members.
    public init(
        id: Int64, kind: String, kinds: [String], gateway: String, impUID: String, merchantUID: String,
        paymentID: String?, user: String?, claims: [ClaimBody], amount: Int64, currency: String, paidAt: Date?,
        foundAt: Date
    ) {
        self.id = id
        self.kind = kind
        self.kinds = kinds
        self.gateway = gateway
        self.impUID = impUID
        self.merchantUID = merchantUID
        self.paymentID = paymentID
        self.user = user
        self.claims = claims
        self.amount = amount
        self.currency = currency
        self.paidAt = paidAt
        self.foundAt = foundAt
    }
}

/// That a user has presented a payment.
public struct ClaimBody: Codable, Hashable, Sendable {
    /// Who presented it.
    public let user: String
    /// When first.
    public let claimedAt: Date

    private enum CodingKeys: String, CodingKey {
        case user
        case claimedAt = "claimed_at"
    }

    /// Creates a claim of its members.
    public init(user: String, claimedAt: Date) {
        self.user = user
        self.claimedAt = claimedAt
    }
}

extension FindingBody: ListedBody {
    /// `findings`.
    public static let listName = "findings"
}
