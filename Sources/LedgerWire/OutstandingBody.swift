public import Foundation

/// An outstanding payment: the gateway owes money for it, or is owed money.
public struct OutstandingBody: Codable, Hashable, Sendable {
    /// The id of the purchase.
    public let purchase: Member.ID
    /// The gateway of the payment.
    public let gateway: Member.Gateway
    /// The gateway's payment id.
    public let impUID: String
    /// The merchant's payment id.
    public let merchantUID: String
    /// V2's payment id.
    public let paymentID: String?
    /// When the payment was made.
    public let paidAt: Date
    /// The amount paid, in won.
    public let credited: Int64
    /// The refunded amount, in won.
    public let refunded: Int64
    /// The settled amount, in won.
    public let settled: Int64
    /// The amount that the gateway owes, in won; negative: the amount that it is owed.
    public let outstanding: Int64

    private enum CodingKeys: String, CodingKey {
        case purchase, gateway, credited, refunded, settled, outstanding
        case impUID = "imp_uid"
        case merchantUID = "merchant_uid"
        case paymentID = "payment_id"
        case paidAt = "paid_at"
    }

    /// Creates it from its members.
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

/// What the gateways of an account owe.
public struct OwedBalanceBody: Codable, Hashable, Sendable {
    /// The account: `gateway:receivable`, that of a store, or `fx:clearing:USD:KRW`, the won of what gateways owe in dollars.
    public let account: String
    /// What is owed, in won; negative: more was paid out.
    public let balance: Int64

    /// Creates it from its members.
    public init(account: String, balance: Int64) {
        self.account = account
        self.balance = balance
    }
}

/// A page of outstanding payments, with what the gateways owe, which is the sum of all pages.
public struct OutstandingPageBody: Codable, Hashable, Sendable {
    /// The moment of the list; all pages have the same.
    public let asOf: Date
    /// What all gateways owe at that moment, in won; all pages add up to it.
    public let balance: Int64
    /// The same by account: `gateway:receivable` first, then the stores that owe something, then foreign currencies.
    public let accounts: [OwedBalanceBody]
    /// The payments.
    public let outstanding: [OutstandingBody]
    /// Whether another page follows.
    public let hasMore: Bool
    /// The `cursor` of the next page; nil on the last one.
    public let nextCursor: String?

    private enum CodingKeys: String, CodingKey {
        case balance, accounts, outstanding
        case asOf = "as_of"
        case hasMore = "has_more"
        case nextCursor = "next_cursor"
    }

    /// Creates it from its members.
    public init(
        asOf: Date, balance: Int64, accounts: [OwedBalanceBody], outstanding: [OutstandingBody], hasMore: Bool,
        nextCursor: String?
    ) {
        self.asOf = asOf
        self.balance = balance
        self.accounts = accounts
        self.outstanding = outstanding
        self.hasMore = hasMore
        self.nextCursor = nextCursor
    }
}
