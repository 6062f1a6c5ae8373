import Ledger
import LedgerWire
import WireFormats

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
