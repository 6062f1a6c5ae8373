public import Foundation

/// A product on sale.
public struct ProductBody: Codable, Hashable, Sendable {
    /// The code to order the product by.
    public let code: String
    /// The name of the product, for people.
    public let title: String
    /// The price, in minor units of the currency.
    public let price: Int64
    /// The currency's ISO 4217 code.
    public let currency: Member.Currency
    /// The number of paid coins.
    public let coins: Int64
    /// The number of bonus coins.
    public let bonusCoins: Int64
    /// When the sale ends; nil: no end is planned.
    public let soldUntil: Date?
    /// The days after the credit until unused paid coins expire; 0: never; nil: the service's setting applies.
    public let coinDays: Member.Days?
    /// The days after the credit until unused bonus coins expire; 0: never; nil: the service's setting applies.
    public let bonusCoinDays: Member.Days?
    /// When VAT arises, if the service books it: `at_sale` when the coins are sold, `exempt` never; nil: when they are
    /// used.
    ///
    /// - Values: `at_sale`, `exempt`
    public let vat: String?
    /// The prices in other currencies, in which it can be ordered, too; nil: none.
    public let prices: [ProductPriceBody]?

    private enum CodingKeys: String, CodingKey {
        case code, title, price, currency, coins, vat, prices
        case bonusCoins = "bonus_coins"
        case soldUntil = "sold_until"
        case coinDays = "coin_days"
        case bonusCoinDays = "bonus_coin_days"
    }

    /// Creates a product.
    public init(
        code: String, title: String, price: Int64, currency: String, coins: Int64, bonusCoins: Int64,
        soldUntil: Date? = nil, coinDays: Int64? = nil, bonusCoinDays: Int64? = nil,
        vat: String? = nil, prices: [ProductPriceBody]? = nil
    ) {
        self.code = code
        self.title = title
        self.price = price
        self.currency = currency
        self.coins = coins
        self.bonusCoins = bonusCoins
        self.soldUntil = soldUntil
        self.coinDays = coinDays
        self.bonusCoinDays = bonusCoinDays
        self.vat = vat
        self.prices = prices
    }
}

/// A price of a product in another currency.
public struct ProductPriceBody: Codable, Hashable, Sendable {
    /// The currency's ISO 4217 code.
    public let currency: Member.Currency
    /// The price, in minor units of the currency.
    public let price: Int64
    /// When the sale at this price ends; nil: no end is planned.
    public let soldUntil: Date?

    private enum CodingKeys: String, CodingKey {
        case currency, price
        case soldUntil = "sold_until"
    }

    /// Creates a price.
    public init(currency: String, price: Int64, soldUntil: Date? = nil) {
        self.currency = currency
        self.price = price
        self.soldUntil = soldUntil
    }
}

/// The products on sale, cheapest first.
public struct ProductsBody: Codable, Hashable, Sendable {
    /// The products.
    public let products: [ProductBody]

    /// Creates a response with products.
    public init(products: [ProductBody]) {
        self.products = products
    }
}
