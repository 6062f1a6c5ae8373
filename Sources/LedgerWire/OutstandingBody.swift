public import Foundation

/// A payment of which the gateway owes something, or is owed.
public struct OutstandingBody: Codable, Hashable, Sendable {
    /// The purchase.
    public let purchase: Int64
    /// Through which gateway was paid: `portone-v1` or `portone-v2`.
    public let gateway: String
    /// The gateway's name of the payment.
    public let impUID: String
    /// The merchant's name of the payment.
    public let merchantUID: String
    /// V2's name of the payment.
    public let paymentID: String?
    /// When it was paid.
    public let paidAt: Date
    /// What was paid, in won.
    public let credited: Int64
    /// What of it went back, in won.
    public let refunded: Int64
    /// What of it was paid out, in won.
    public let settled: Int64
    /// What the gateway still owes, in won; below zero: is owed.
    public let outstanding: Int64

    private enum CodingKeys: String, CodingKey {
        case purchase, gateway, credited, refunded, settled, outstanding
        case impUID = "imp_uid"
        case merchantUID = "merchant_uid"
        case paymentID = "payment_id"
        case paidAt = "paid_at"
    }

    /// Creates it of its members.
    public init(
        purchase: Int64, gateway: String, impUID: String, merchantUID: String, paymentID: String?, paidAt: Date,
        credited: Int64, refunded: Int64, settled: Int64, outstanding: Int64
    ) {
        self.purchase = purchase
        self.gateway = gateway
        self.impUID = impUID
        self.merchantUID = merchantUID
        self.paymentID = paymentID
        self.paidAt = paidAt
        self.credited = credited
        self.refunded = refunded
        self.settled = settled
        self.outstanding = outstanding
    }
}

extension OutstandingBody: ListedBody {
    /// `outstanding`.
    public static let listName = "outstanding"
}

/// A page of what is outstanding, with the balance of `gateway:receivable` that all pages add up to.
public struct OutstandingPageBody: Codable, Hashable, Sendable {
    /// The moment.
    public let asOf: Date
    /// The account's balance at the moment, in won.
    public let balance: Int64
    /// The payments.
    public let outstanding: [OutstandingBody]
    /// Whether there are further pages.
    public let hasMore: Bool
    /// Where the next page starts; nil on the last one.
    public let nextCursor: String?

    private enum CodingKeys: String, CodingKey {
        case balance, outstanding
        case asOf = "as_of"
        case hasMore = "has_more"
        case nextCursor = "next_cursor"
    }

    /// Creates it of its members.
    public init(
        asOf: Date, balance: Int64, outstanding: [OutstandingBody], hasMore: Bool, nextCursor: String?
    ) {
        self.asOf = asOf
        self.balance = balance
        self.outstanding = outstanding
        self.hasMore = hasMore
        self.nextCursor = nextCursor
    }
}
