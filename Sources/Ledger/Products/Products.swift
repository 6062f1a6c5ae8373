import Batching
package import Foundation
import Postgres

/// Reads and changes the products of the shop.
package struct Products: Sendable {
    private let pools: Pools
    private let offers: BatchQueue<Date, [Product]>

    init(_ pools: Pools) {
        self.pools = pools
        // Concurrent receipts share one query, which starts after each of them arrived.
        self.offers = BatchQueue(capacity: 8192, batchLimit: 8192, patience: lookupPatience) { moments in
            await answering(moments) {
                let products = try await pools.lookups.run(Product.onSale(since: moments.min() ?? .distantPast))
                return moments.map { _ in products }
            }
        }
    }

    /// Products on sale, cheapest first.
    package func list() async throws(LedgerError) -> [Product] {
        try await reading { try await pools.lookups.run(Product.onSale) }
    }

    /// Product versions that were on sale at the moment or later, oldest first.
    package func list(since moment: Date) async throws(LedgerError) -> [Product] {
        try await reading { try await offers.submit(moment) }
    }

    /// Puts a new product on sale.
    ///
    /// - Throws: ``LedgerError/Code/invalid`` when another product on sale has the same code or price.
    package func add(_ draft: ProductDraft) async throws(LedgerError) -> Product {
        guard let product = try await reading({ try await pools.writes.run(Product.insert(draft)) }).first else {
            throw LedgerError(.fault, "the new product was not returned")
        }
        return product
    }

    /// Replaces the current version of a product with a changed one.
    ///
    /// - Throws: ``LedgerError/Code/invalid`` when the product is not on sale, or another product on sale has the new
    ///   price.
    package func change(
        _ code: String, _ change: @Sendable @escaping (inout ProductDraft) -> Void
    ) async throws(LedgerError) -> Product {
        try await reading {
            try await pools.writes.withConnection { connection in
                try await connection.transaction { connection in
                    guard let current = try connection.run(Product.onSale(code: code)).first else {
                        throw LedgerError(.invalid, "no product on sale has the code \(code)")
                    }
                    var draft = ProductDraft(
                        code: current.code, title: current.title, price: current.price, coins: current.coins,
                        bonusCoins: current.bonusCoins)
                    change(&draft)
                    _ = try connection.run(Product.close(code: code))
                    guard let product = try connection.run(Product.insert(draft)).first else {
                        throw LedgerError(.fault, "the new version was not returned")
                    }
                    return product
                }
            }
        }
    }

    /// Ends the sale of a product.
    ///
    /// Payments that were made before are still credited.
    ///
    /// - Throws: ``LedgerError/Code/invalid`` when the product is not on sale.
    package func retire(_ code: String) async throws(LedgerError) -> Product {
        guard let product = try await reading({ try await pools.writes.run(Product.close(code: code)) }).first else {
            throw LedgerError(.invalid, "no product on sale has the code \(code)")
        }
        return product
    }
}
