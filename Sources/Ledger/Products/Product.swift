public import Foundation

/// One version of something the coin shop sells.
///
/// A change closes a version and opens the next.
public struct Product: Sendable, Equatable {
    /// Its stable name: `coins_100`.
    public let code: String
    /// What people read: `100 Coin`.
    public let title: String
    /// What it costs.
    public let price: Price
    /// Coins bought.
    public let coins: Coins
    /// Coins given on top, if any.
    public let bonusCoins: Coins?
    /// Since when this version is sold.
    public let activeFrom: Date
    /// Since when it is not sold any more; nil: it is.
    public let activeUntil: Date?
}

/// What a new product, or a new version of one, is to be.
public struct ProductDraft: Sendable, Equatable {
    /// Its stable name: 1 to 64 letters, digits, `_`, `.` or `-`.
    public var code: String
    /// What people read: 1 to 40 characters (the gateway's limit for an order's name).
    public var title: String
    /// What it costs.
    public var price: Price
    /// Coins bought.
    public var coins: Coins
    /// Coins given on top, if any.
    public var bonusCoins: Coins?

    /// A product to sell.
    public init(code: String, title: String, price: Price, coins: Coins, bonusCoins: Coins? = nil) {
        self.code = code
        self.title = title
        self.price = price
        self.coins = coins
        self.bonusCoins = bonusCoins
    }
}
