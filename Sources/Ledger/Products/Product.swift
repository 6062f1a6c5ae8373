package import Foundation

/// One version of something the coin shop sells.
///
/// A change closes a version and opens the next.
package struct Product: Sendable, Equatable {
    /// Its stable name: `coins_100`.
    package let code: String
    /// What people read: `100 Coin`.
    package let title: String
    /// What it costs.
    package let price: Price
    /// Coins bought.
    package let coins: Coins
    /// Coins given on top, if any.
    package let bonusCoins: Coins?
    /// Since when this version is sold.
    package let activeFrom: Date
    /// Since when it is not sold any more; nil: it is.
    package let activeUntil: Date?
}

/// What a new product, or a new version of one, is to be.
package struct ProductDraft: Sendable, Equatable {
    /// Its stable name: 1 to 64 letters, digits, `_`, `.` or `-`.
    package var code: String
    /// What people read: 1 to 40 characters (the gateway's limit for an order's name).
    package var title: String
    /// What it costs.
    package var price: Price
    /// Coins bought.
    package var coins: Coins
    /// Coins given on top, if any.
    package var bonusCoins: Coins?

    /// A product to sell.
    package init(code: String, title: String, price: Price, coins: Coins, bonusCoins: Coins? = nil) {
        self.code = code
        self.title = title
        self.price = price
        self.coins = coins
        self.bonusCoins = bonusCoins
    }
}
