import Hummingbird
import Ledger
import LedgerWire
import WireFormats

/// What the coin shop sells, for everybody.
struct ProductsController: Sendable {
    let window: ShopWindow

    func addRoutes(to group: RouterGroup<LedgerdRequestContext>) {
        group.get("products", use: list)
    }

    /// `GET /v1/products`: what is on sale, cheapest first, as it was within the last second.
    private func list(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try await window.view().response
    }
}

extension ProductBody {
    /// What clients read of a product.
    init(_ product: Product) {
        self.init(
            code: product.code, title: product.title, price: product.price.amount,
            currency: product.price.currency.code, coins: product.coins.count,
            bonusCoins: product.bonusCoins?.count ?? 0)
    }
}

extension ProductBody: JSONWritten {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("bonus_coins", bonusCoins)
        json.member("code", code)
        json.member("coins", coins)
        json.member("currency", currency)
        json.member("price", price)
        json.member("title", title)
        json.endObject()
    }
}
