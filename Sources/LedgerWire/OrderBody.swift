public import Foundation

/// What a user orders.
public struct OrderRequest: Encodable, Hashable, Sendable {
    /// The product's code.
    public var product: String
    /// `portone-v1` or `portone-v2`; nil: the one that is on, V1 before V2.
    public var gateway: String?

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case product, gateway
    }

    /// Orders a product.
    public init(product: String, gateway: String? = nil) {
        self.product = product
        self.gateway = gateway
    }
}

/// An order: a product and its price, fixed under a name to pay it by.
public struct OrderBody: Codable, Hashable, Sendable {
    /// The order's id.
    public let id: Int64
    /// What to pay it under: V1's `merchant_uid`, V2's `paymentId`.
    public let merchantUID: String
    /// Through which gateway to pay: `portone-v1` or `portone-v2`.
    public let gateway: String
    /// The product's code.
    public let product: String
    /// What to pay, in minor units of the currency.
    public let amount: Int64
    /// The currency's ISO 4217 code.
    public let currency: String
    /// How many coins it buys.
    public let coins: Int64
    /// How many more are given with them.
    public let bonusCoins: Int64
    /// `open`, `paid` or `expired`.
    public let status: String
    /// When it was made.
    public let createdAt: Date
    /// Until when it is to be paid.
    public let expiresAt: Date
    /// As which purchase it was credited.
    public let purchaseID: Int64?

    private enum CodingKeys: String, CodingKey {
        case id, gateway, product, amount, currency, coins, status
        case merchantUID = "merchant_uid"
        case bonusCoins = "bonus_coins"
        case createdAt = "created_at"
        case expiresAt = "expires_at"
        case purchaseID = "purchase_id"
    }

    /// Creates an order of its members.
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

    /// Writes it, with `null` for the purchase that there is not yet.
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
