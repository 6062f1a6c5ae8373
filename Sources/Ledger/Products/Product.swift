package import Foundation

/// A version of a product of the coin shop.
///
/// Changing a product ends a version and starts the next one.
package struct Product: Sendable, Equatable {
    /// Stable name, such as `coins_100`.
    package let code: String
    /// Title for people, such as `100 Coin`.
    package let title: String
    package let price: Price
    /// Paid coins, without the bonus.
    package let coins: Coins
    /// Bonus coins; nil: none.
    package let bonusCoins: Coins?
    /// When the sale of this version begins.
    package let activeFrom: Date
    /// When the sale of this version ends; nil: no end is planned.
    package let activeUntil: Date?
    /// How long the coins live.
    package var lifetimes = ProductLifetimes()
    /// Whether the coins are taxable, and when their VAT arises, if the ledger books VAT.
    package var vat = VATRule.atUse
    /// Its prices in foreign currencies that are on sale, if they were read (``Products/listWithPrices()``).
    package var prices: [ProductPrice] = []
}

/// When a product is sold.
package struct SalePeriod: Sendable, Equatable {
    /// The first moment of the sale; nil: now.
    package var from: Date?
    /// The end of the sale; nil: none is planned.
    package var until: Date?

    package init(from: Date? = nil, until: Date? = nil) {
        self.from = from
        self.until = until
    }
}

/// A new product, or a new version of a product.
package struct ProductDraft: Sendable, Equatable {
    /// Stable name: 1 to 64 letters, digits, `_`, `.` or `-`.
    package var code: String
    /// Title for people: 1 to 40 characters (the gateway's limit for an order's name).
    package var title: String
    package var price: Price
    /// Paid coins, without the bonus.
    package var coins: Coins
    /// Bonus coins; nil: none.
    package var bonusCoins: Coins?
    /// When it is sold.
    package var sale: SalePeriod
    /// How long the coins live.
    package var lifetimes: ProductLifetimes
    /// Whether the coins are taxable, and when their VAT arises, if the ledger books VAT.
    package var vat: VATRule

    /// Creates a draft, sold from now on without an end unless told otherwise.
    package init(
        code: String, title: String, price: Price, coins: Coins, bonusCoins: Coins? = nil,
        sale: SalePeriod = SalePeriod(), lifetimes: ProductLifetimes = ProductLifetimes(),
        vat: VATRule = .atUse
    ) {
        self.code = code
        self.title = title
        self.price = price
        self.coins = coins
        self.bonusCoins = bonusCoins
        self.sale = sale
        self.lifetimes = lifetimes
        self.vat = vat
    }
}
