/// A product on sale.
public struct ProductBody: Codable, Hashable, Sendable {
    /// The product's code, by which it is ordered.
    public let code: String
    /// Its name, for people.
    public let title: String
    /// What it costs, in minor units of the currency.
    public let price: Int64
    /// The currency's ISO 4217 code.
    public let currency: String
    /// How many coins it buys.
    public let coins: Int64
    /// How many more are given with them.
    public let bonusCoins: Int64

    private enum CodingKeys: String, CodingKey {
        case code, title, price, currency, coins
        case bonusCoins = "bonus_coins"
    }

    /// Creates a product of its members.
    public init(code: String, title: String, price: Int64, currency: String, coins: Int64, bonusCoins: Int64) {
        self.code = code
        self.title = title
        self.price = price
        self.currency = currency
        self.coins = coins
        self.bonusCoins = bonusCoins
    }
}

/// What is on sale, cheapest first.
public struct ProductsBody: Codable, Hashable, Sendable {
    /// The products.
    public let products: [ProductBody]

    /// Creates an answer of products.
    public init(products: [ProductBody]) {
        self.products = products
    }
}
