public import Foundation

/// A payment or an endpoint that needs a decision by a person.
public struct FindingBody: Codable, Hashable, Sendable {
    /// The finding's id.
    public let id: Int64
    /// The kind, such as `paid_unclaimed` or `amount_mismatch`; of several kinds, the most important.
    public let kind: String
    /// All kinds, in the order of discovery.
    public let kinds: [String]
    /// The gateway of the payment: `portone-v1` or `portone-v2`; nil: it is about an endpoint.
    public let gateway: String?
    /// The gateway's payment id; nil: it is about an endpoint.
    public let impUID: String?
    /// The merchant's payment id; nil: it is about an endpoint.
    public let merchantUID: String?
    /// V2's payment id.
    public let paymentID: String?
    /// The endpoint; nil: it is about a payment.
    public let endpointID: Int64?
    /// The user who presented the receipt or made the order.
    public let user: String?
    /// The users who presented the payment, the first one first, at most 100.
    public let claims: [ClaimBody]
    /// The amount paid, in minor units of the currency; nil: it is about an endpoint.
    public let amount: Int64?
    /// The currency's ISO 4217 code; nil: it is about an endpoint.
    public let currency: String?
    /// When it was paid, by the gateway's clock.
    public let paidAt: Date?
    /// When the finding was made.
    public let foundAt: Date

    private enum CodingKeys: String, CodingKey {
        case id, kind, kinds, gateway, user, claims, amount, currency
        case impUID = "imp_uid"
        case merchantUID = "merchant_uid"
        case paymentID = "payment_id"
        case endpointID = "endpoint_id"
        case paidAt = "paid_at"
        case foundAt = "found_at"
    }

    /// Creates a finding.
    public init(
        id: Int64, kind: String, kinds: [String], gateway: String?, impUID: String?, merchantUID: String?,
        paymentID: String?, endpointID: Int64? = nil, user: String?, claims: [ClaimBody], amount: Int64?,
        currency: String?, paidAt: Date?, foundAt: Date
    ) {
        self.id = id
        self.kind = kind
        self.kinds = kinds
        self.gateway = gateway
        self.impUID = impUID
        self.merchantUID = merchantUID
        self.paymentID = paymentID
        self.endpointID = endpointID
        self.user = user
        self.claims = claims
        self.amount = amount
        self.currency = currency
        self.paidAt = paidAt
        self.foundAt = foundAt
    }
}

/// A claim: a user has presented the payment.
public struct ClaimBody: Codable, Hashable, Sendable {
    /// The user who presented it.
    public let user: String
    /// When the user presented it first.
    public let claimedAt: Date

    private enum CodingKeys: String, CodingKey {
        case user
        case claimedAt = "claimed_at"
    }

    /// Creates a claim.
    public init(user: String, claimedAt: Date) {
        self.user = user
        self.claimedAt = claimedAt
    }
}

extension FindingBody: ListedBody {
    /// `findings`.
    public static let listName = "findings"
}
