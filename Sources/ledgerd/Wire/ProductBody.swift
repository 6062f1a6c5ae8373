import Ledger

/// A product on sale, as clients read it.
struct ProductBody: Encodable {
    let code: String
    let title: String
    let price: Int64
    let currency: String
    let coins: Int64
    let bonusCoins: Int64

    enum CodingKeys: String, CodingKey {
        case code, title, price, currency, coins
        case bonusCoins = "bonus_coins"
    }

    init(_ product: Product) {
        code = product.code
        title = product.title
        price = product.price.amount
        currency = product.price.currency.code
        coins = product.coins.count
        bonusCoins = product.bonusCoins?.count ?? 0
    }
}

/// What is on sale, cheapest first.
struct ProductsBody: Encodable {
    let products: [ProductBody]
}
