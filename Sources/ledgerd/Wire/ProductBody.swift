import Ledger
import LedgerWire

extension ProductBody {
    /// What clients read of a product.
    init(_ product: Product) {
        self.init(
            code: product.code, title: product.title, price: product.price.amount,
            currency: product.price.currency.code, coins: product.coins.count,
            bonusCoins: product.bonusCoins?.count ?? 0)
    }
}
