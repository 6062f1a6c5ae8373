import Batching
package import Foundation
import Postgres

/// Reads and changes the products of the shop.
package struct Products: Sendable {
    let pools: Pools
    private let offers: BatchQueue<Date, [Product]>

    init(_ pools: Pools) {
        self.pools = pools
        // The query starts after each of the receipts that share it arrived.
        self.offers = pools.sharedLookups(atMost: 8192) { moments in
            let products = try await pools.lookups.run(Product.onSale(since: moments.min() ?? .distantPast))
            return moments.map { _ in products }
        }
    }

    /// Products on sale, cheapest first.
    package func list() async throws(LedgerError) -> [Product] {
        try await reading { try await pools.lookups.run(Product.onSale) }
    }

    /// Products whose sale is planned, the next one first.
    package func planned() async throws(LedgerError) -> [Product] {
        try await reading { try await pools.lookups.run(Product.planned) }
    }

    /// Product versions that were on sale at the moment or later and have begun, oldest first.
    ///
    /// Each has the end of its sale only if that is over.
    package func list(since moment: Date) async throws(LedgerError) -> [Product] {
        try await reading { try await offers.submit(moment) }
    }

    /// The prices on sale at the moment, or now if it is to come, each once, lowest first.
    package func prices(at moment: Date, limit: Int) async throws(LedgerError) -> [Price] {
        try await reading { try await pools.lookups.run(Product.prices(at: moment, limit: limit)) }
    }

    /// The product version whose sale at the price was nearest to the moment; nil: no sale at the price has begun.
    ///
    /// It has the end of its sale only if that is over.
    package func nearest(to moment: Date, at price: Price) async throws(LedgerError) -> Product? {
        try await reading { try await pools.lookups.run(Product.nearest(to: moment, at: price)) }.first
    }

    /// Puts a new product on sale, now or at a moment to come.
    ///
    /// - Parameter keepsPrices: whether it may have prices in foreign currencies, from when its code was sold before.
    /// - Throws: ``LedgerError/Code/invalid`` when the sale would begin in the past or end before it begins, when
    ///   another product has the same code or price at some moment of it, or when it has such prices and may not.
    package func add(_ draft: ProductDraft, keepsPrices: Bool = false) async throws(LedgerError) -> Product {
        try await reading {
            try await pools.writes.withConnection { connection in
                try await connection.transaction { connection in
                    if !keepsPrices, try connection.run(ProductPrice.isSet(of: draft.code)) {
                        throw Self.hasPrices(draft.code)
                    }
                    guard let product = try connection.run(Product.insert(draft)).first else {
                        throw Self.invalidPeriod
                    }
                    return product
                }
            }
        }
    }

    /// Replaces the current version of a product with a changed one, now or at a moment to come.
    ///
    /// The draft is the current version, sold from now on until its planned end.
    ///
    /// - Parameter keepsPrices: whether its prices in foreign currencies may stay when the coins change.
    /// - Throws: ``LedgerError/Code/invalid`` when the product is not on sale, when it has such prices and other coins, and
    ///   as ``add(_:keepsPrices:)``.
    package func change(
        _ code: String, keepsPrices: Bool = false, _ change: @Sendable @escaping (inout ProductDraft) -> Void
    ) async throws(LedgerError) -> Product {
        try await reading {
            try await pools.writes.withConnection { connection in
                try await connection.transaction { connection in
                    guard let current = try connection.run(Product.onSale(code: code)).first else {
                        throw Self.notOnSale(code)
                    }
                    var draft = ProductDraft(
                        code: current.code, title: current.title, price: current.price, coins: current.coins,
                        bonusCoins: current.bonusCoins, sale: SalePeriod(until: current.activeUntil),
                        lifetimes: current.lifetimes, vat: current.vat)
                    change(&draft)
                    let areSameCoins = (draft.coins, draft.bonusCoins) == (current.coins, current.bonusCoins)
                    if !keepsPrices, !areSameCoins, try connection.run(ProductPrice.isSet(of: code)) {
                        throw Self.hasPrices(code)
                    }
                    guard try connection.run(Product.close(code: code, at: draft.sale.from)).first != nil,
                        let product = try connection.run(Product.insert(draft)).first
                    else { throw Self.invalidPeriod }
                    return product
                }
            }
        }
    }

    /// Ends the sale of a product, now or at a moment to come.
    ///
    /// Payments that were made before are still credited.
    ///
    /// - Throws: ``LedgerError/Code/invalid`` when the product is not on sale, when the moment is past, or when another
    ///   product has its code or price before the moment.
    package func retire(_ code: String, at moment: Date? = nil) async throws(LedgerError) -> Product {
        let closed = try await reading { try await pools.writes.run(Product.close(code: code, at: moment)) }.first
        if let closed { return closed }
        guard try await !list().contains(where: { $0.code == code }) else { throw Self.invalidPeriod }
        throw Self.notOnSale(code)
    }

    /// Withdraws the planned sales of a product.
    ///
    /// The version on sale takes over the time of those that were to follow it without a gap.
    ///
    /// - Returns: what was planned.
    /// - Throws: ``LedgerError/Code/invalid`` when nothing is planned, or when another product is to have the price in
    ///   the time that is taken over.
    package func withdraw(_ code: String) async throws(LedgerError) -> [Product] {
        try await reading {
            try await pools.writes.withConnection { connection in
                try await connection.transaction { connection in
                    let planned = try connection.run(Product.planned(code: code))
                    guard !planned.isEmpty else { throw LedgerError(.invalid, "no sale of \(code) is planned") }
                    _ = try connection.run(Product.withdraw(code: code))
                    guard let current = try connection.run(Product.onSale(code: code)).first else { return planned }
                    let end = current.activeUntil.takingOver(planned.map { ($0.activeFrom, $0.activeUntil) })
                    _ = try connection.run(Product.end(code: code, at: end))
                    return planned
                }
            }
        }
    }

    static let invalidPeriod = LedgerError(
        .invalid, "a sale begins and ends now or later, and ends after it has begun")

    private static func hasPrices(_ code: String) -> LedgerError {
        LedgerError(
            .invalid,
            "\(code) has prices in other currencies, which would buy these coins: end them first, or keep them")
    }

    static func notOnSale(_ code: String) -> LedgerError {
        LedgerError(.invalid, "no product on sale has the code \(code)")
    }
}
