import Hummingbird
import Ledger
import LedgerWire
import WireFormats

/// The products on sale, without a token.
struct ProductsController: Sendable {
    let window: ShopWindow

    /// `GET /v1/products`: the products on sale, cheapest first, at most one second old.
    func list(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try await window.view().response
    }
}

extension ProductsController: Feature {
    static let routes: [Route<Self>] = [
        Route(
            .read(
                "listProducts", "/v1/products", .anyone, .shop,
                "List the products on sale, cheapest first",
                answers: [.ok(ProductsBody.self, "The products.", headers: [.cacheControl])])
        ) { $0.list }
    ]

    static func make(with deps: Deps) throws -> Self? {
        ProductsController(window: deps.window)
    }
}

extension ProductBody {
    init(_ product: Product) {
        self.init(
            code: product.code, title: product.title, price: product.price.amount,
            currency: product.price.currency.code, coins: product.coins.count,
            bonusCoins: product.bonusCoins?.count ?? 0, soldUntil: product.activeUntil,
            coinDays: product.lifetimes.paid?.days, bonusCoinDays: product.lifetimes.bonus?.days,
            vat: product.vat == .atUse ? nil : product.vat.rawValue,
            prices: product.prices.isEmpty ? nil : product.prices.map(ProductPriceBody.init))
    }
}

extension ProductBody: JSONWritten {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        if let bonusCoinDays { json.member("bonus_coin_days", bonusCoinDays) }
        json.member("bonus_coins", bonusCoins)
        json.member("code", code)
        if let coinDays { json.member("coin_days", coinDays) }
        json.member("coins", coins)
        json.member("currency", currency)
        json.member("price", price)
        if let prices { json.member("prices", prices) }
        if let soldUntil { json.member("sold_until", soldUntil) }
        json.member("title", title)
        if let vat { json.member("vat", vat) }
        json.endObject()
    }
}

extension ProductPriceBody {
    init(_ price: ProductPrice) {
        self.init(currency: price.price.currency.code, price: price.price.amount, soldUntil: price.activeUntil)
    }
}

extension ProductPriceBody: JSONWritten {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("currency", currency)
        json.member("price", price)
        if let soldUntil { json.member("sold_until", soldUntil) }
        json.endObject()
    }
}
