public import Foundation

/// A request to create an order.
public struct OrderRequest: Codable, Hashable, Sendable {
    /// The product's code.
    public var product: Member.Text
    /// The gateway to pay through; nil: the configured one, V1 before V2.
    public var gateway: Member.Gateway?
    /// The currency to pay in, one of the product's; nil: `KRW`.
    public var currency: Member.Currency?

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case product, gateway, currency
    }

    /// Creates a request for an order.
    public init(product: String, gateway: String? = nil, currency: String? = nil) {
        self.product = product
        self.gateway = gateway
        self.currency = currency
    }
}

/// An order: a product and its fixed price, with the id to pay it under.
public struct OrderBody: Codable, Hashable, Sendable {
    /// The id of the order.
    public let id: Member.ID
    /// The order id to pay under: V1's `merchant_uid`, V2's `paymentId`.
    public let merchantUID: String
    /// The gateway to pay through.
    public let gateway: Member.Gateway
    /// The product's code.
    public let product: String
    /// The amount to pay, in minor units of the currency.
    public let amount: Int64
    /// The currency's ISO 4217 code.
    public let currency: Member.Currency
    /// The number of paid coins.
    public let coins: Int64
    /// The number of bonus coins.
    public let bonusCoins: Int64
    /// `open`: it can be paid; `paid`: it is credited; `expired`: its price is no longer kept.
    ///
    /// - Values: `open`, `paid`, `expired`
    public let status: String
    /// When the order was created.
    public let createdAt: Date
    /// When the order expires.
    public let expiresAt: Date
    /// The id of the purchase that credited the order.
    ///
    /// - Null: written
    public let purchaseID: Int64?

    private enum CodingKeys: String, CodingKey {
        case id, gateway, product, amount, currency, coins, status
        case merchantUID = "merchant_uid"
        case bonusCoins = "bonus_coins"
        case createdAt = "created_at"
        case expiresAt = "expires_at"
        case purchaseID = "purchase_id"
    }

    /// Creates an order.
    public init(
        id: Int64, merchantUID: String, gateway: String, product: String, amount: Int64, currency: String,
        coins: Int64, bonusCoins: Int64, status: String, createdAt: Date, expiresAt: Date, purchaseID: Int64?
    ) {
        self.id = id
        self.merchantUID = merchantUID
        self.gateway = gateway
        self.product = product
        self.amount = amount
        self.currency = currency
        self.coins = coins
        self.bonusCoins = bonusCoins
        self.status = status
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.purchaseID = purchaseID
    }

    /// Writes it, with `null` for a missing purchase.
    public func encode(to encoder: any Encoder) throws {
        var body = encoder.container(keyedBy: CodingKeys.self)
        try body.encode(id, forKey: .id)
        try body.encode(merchantUID, forKey: .merchantUID)
        try body.encode(gateway, forKey: .gateway)
        try body.encode(product, forKey: .product)
        try body.encode(amount, forKey: .amount)
        try body.encode(currency, forKey: .currency)
        try body.encode(coins, forKey: .coins)
        try body.encode(bonusCoins, forKey: .bonusCoins)
        try body.encode(status, forKey: .status)
        try body.encode(createdAt, forKey: .createdAt)
        try body.encode(expiresAt, forKey: .expiresAt)
        try body.encode(purchaseID, forKey: .purchaseID)
    }
}

extension OrderBody: ListedBody {
    /// `orders`.
    public static let listName = "orders"
}
