public import Foundation

/// A purchase: a credited payment.
public struct PurchaseBody: Codable, Hashable, Sendable {
    /// The purchase id; ids are unique, not consecutive.
    public let id: Member.ID
    /// The user who has the coins; only in responses to the scope `support`.
    public let user: String?
    /// The state of the purchase.
    ///
    /// - Values: `credited`, `partially_refunded`, `refunded`
    public let status: String
    /// The gateway of the payment.
    public let gateway: Member.Gateway
    /// The gateway's payment id.
    public let impUID: String
    /// The merchant's payment id.
    public let merchantUID: String
    /// V2's payment id.
    ///
    /// - Null: written
    public let paymentID: String?
    /// The product's code.
    public let product: String
    /// The amount paid, in minor units of the currency; of a payment in a foreign currency, its worth at the rate of the
    /// payment.
    public let amount: Int64
    /// The ISO 4217 code of the currency of the books.
    public let currency: Member.Currency
    /// The number of paid coins.
    public let coins: Int64
    /// The number of bonus coins.
    public let bonusCoins: Int64
    /// When the payment was made.
    public let paidAt: Date
    /// When the coins were credited.
    public let creditedAt: Date
    /// The refunded part of the amount, in minor units of the currency.
    public let refundedAmount: Int64
    /// The refunds, oldest first; nil in the response to a receipt.
    public let refunds: [RefundBody]?
    /// What was paid in a foreign currency; nil if the payment was in the currency of the books.
    public let foreign: Foreign?

    /// What was paid in a foreign currency.
    public struct Foreign: Codable, Hashable, Sendable {
        /// The amount paid, in minor units of the currency.
        public let amount: Int64
        /// The currency's ISO 4217 code.
        public let currency: Member.Currency
        /// The part of the amount that the gateway gave back.
        public let refundedAmount: Int64

        private enum CodingKeys: String, CodingKey {
            case amount, currency
            case refundedAmount = "refunded_amount"
        }

        /// Creates it from its members.
        public init(amount: Int64, currency: String, refundedAmount: Int64) {
            self.amount = amount
            self.currency = currency
            self.refundedAmount = refundedAmount
        }
    }

    private enum CodingKeys: String, CodingKey {
        case id, user, status, gateway, product, amount, currency, coins, refunds, foreign
        case impUID = "imp_uid"
        case merchantUID = "merchant_uid"
        case paymentID = "payment_id"
        case bonusCoins = "bonus_coins"
        case paidAt = "paid_at"
        case creditedAt = "credited_at"
        case refundedAmount = "refunded_amount"
    }

    /// Creates a purchase.
    public init(
        id: Int64, user: String? = nil, status: String, gateway: String, impUID: String, merchantUID: String,
        paymentID: String?, product: String, amount: Int64, currency: String, coins: Int64, bonusCoins: Int64,
        paidAt: Date, creditedAt: Date, refundedAmount: Int64, refunds: [RefundBody]? = nil, foreign: Foreign? = nil
    ) {
        self.id = id
        self.user = user
        self.status = status
        self.gateway = gateway
        self.impUID = impUID
        self.merchantUID = merchantUID
        self.paymentID = paymentID
        self.product = product
        self.amount = amount
        self.currency = currency
        self.coins = coins
        self.bonusCoins = bonusCoins
        self.paidAt = paidAt
        self.creditedAt = creditedAt
        self.refundedAmount = refundedAmount
        self.refunds = refunds
        self.foreign = foreign
    }

    /// Writes it, with `null` for a missing V2 payment id.
    public func encode(to encoder: any Encoder) throws {
        var body = encoder.container(keyedBy: CodingKeys.self)
        try body.encode(id, forKey: .id)
        try body.encodeIfPresent(user, forKey: .user)
        try body.encode(status, forKey: .status)
        try body.encode(gateway, forKey: .gateway)
        try body.encode(impUID, forKey: .impUID)
        try body.encode(merchantUID, forKey: .merchantUID)
        try body.encode(paymentID, forKey: .paymentID)
        try body.encode(product, forKey: .product)
        try body.encode(amount, forKey: .amount)
        try body.encode(currency, forKey: .currency)
        try body.encode(coins, forKey: .coins)
        try body.encode(bonusCoins, forKey: .bonusCoins)
        try body.encode(paidAt, forKey: .paidAt)
        try body.encode(creditedAt, forKey: .creditedAt)
        try body.encode(refundedAmount, forKey: .refundedAmount)
        try body.encodeIfPresent(refunds, forKey: .refunds)
        try body.encodeIfPresent(foreign, forKey: .foreign)
    }
}

extension PurchaseBody: ListedBody {
    /// `purchases`.
    public static let listName = "purchases"
}
