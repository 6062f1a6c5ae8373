import Ledger

/// The default products of a development ledger.
enum DemoShop {
    /// The amount of the demonstration's payment, in won: the price of the smallest product.
    static let price: Int64 = 1000

    /// Puts the products on sale if there are none.
    static func open(_ products: Products) async throws {
        guard try await products.list().isEmpty else { return }
        let shelf: [(code: String, title: String, won: Int64, coins: Int64, bonus: Int64)] = [
            ("coins_100", "100 Coin", price, 100, 0),
            ("coins_500", "500 Coin", 5000, 500, 25),
            ("coins_1000", "1000 Coin", 10_000, 1000, 100),
        ]
        for product in shelf {
            guard let price = Price(won: product.won), let coins = Coins(product.coins) else { continue }
            _ = try await products.add(
                ProductDraft(
                    code: product.code, title: product.title, price: price, coins: coins,
                    bonusCoins: Coins(product.bonus)))
        }
    }
}
