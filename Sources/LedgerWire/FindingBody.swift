public import Foundation

/// A payment that the books can't follow by themselves.
public struct FindingBody: Codable, Hashable, Sendable {
    /// The finding's id.
    public let id: Int64
    /// What is the matter, such as `paid_unclaimed` or `amount_mismatch`.
    public let kind: String
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
    /// What was paid, in minor units of the currency.
    public let amount: Int64
    /// The currency's ISO 4217 code.
    public let currency: String
    /// When it was found.
    public let foundAt: Date

    private enum CodingKeys: String, CodingKey {
        case id, kind, gateway, user, amount, currency
        case impUID = "imp_uid"
        case merchantUID = "merchant_uid"
        case paymentID = "payment_id"
        case foundAt = "found_at"
    }

    /// Creates a finding of its members.
    public init(
        id: Int64, kind: String, gateway: String, impUID: String, merchantUID: String, paymentID: String?,
        user: String?, amount: Int64, currency: String, foundAt: Date
    ) {
        self.id = id
        self.kind = kind
        self.gateway = gateway
        self.impUID = impUID
        self.merchantUID = merchantUID
        self.paymentID = paymentID
        self.user = user
        self.amount = amount
        self.currency = currency
        self.foundAt = foundAt
    }
}

extension FindingBody: ListedBody {
    /// `findings`.
    public static let listName = "findings"
}
