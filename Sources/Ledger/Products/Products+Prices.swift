package import Foundation
import Postgres

/// Prices in foreign currencies, planned as sales are.
extension Products {
    /// Products on sale, cheapest first, each with its prices in foreign currencies.
    package func listWithPrices() async throws(LedgerError) -> [Product] {
        try await reading {
            let (products, prices) = try await pools.lookups.withConnection { connection in
                try await connection.pipeline(Product.onSale, ProductPrice.onSale)
            }
            let byProduct = Dictionary(grouping: prices, by: \.product)
            return products.map { product in
                var product = product
                product.prices = byProduct[product.code] ?? []
                return product
            }
        }
    }

    /// Prices that are on sale, by product and currency, also of products that are not: they hold if the code is sold again.
    package func foreignPrices() async throws(LedgerError) -> [ProductPrice] {
        try await reading { try await pools.lookups.run(ProductPrice.onSale) }
    }

    /// Prices whose sale is to come, the next one first.
    package func plannedPrices() async throws(LedgerError) -> [ProductPrice] {
        try await reading { try await pools.lookups.run(ProductPrice.planned) }
    }

    /// The price of a product that is on sale in a currency; nil: it has none.
    package func price(
        of product: String, in currency: ForeignCurrency
    ) async throws(LedgerError) -> ForeignPrice? {
        try await reading { try await pools.lookups.run(ProductPrice.onSale(of: product, in: currency)) }.first?.price
    }

    /// Whether the books can have the worth of a price at the last published rate.
    package func canBook(_ price: ForeignPrice) async throws(LedgerError) -> Bool {
        try await reading { try await pools.lookups.run(Rate.last(of: price.currency)) }?.price(of: price.amount) != nil
    }

    /// Sells a product at a price in a foreign currency, now or at a moment to come, in place of its price there.
    ///
    /// Without an end, it is sold until the planned end of the price that it replaces. A price that ends before leaves a gap.
    ///
    /// - Throws: ``LedgerError/Code/invalid`` when no sale of the product has begun or is planned, when the currency has no
    ///   published rate, when the price is worth no won at the last one or more than ``Price/highest``, when the sale would
    ///   begin in the past or end before it begins, or when the product has another price in the currency at some moment of
    ///   it.
    package func setPrice(
        _ price: ForeignPrice, of product: String, _ sale: SalePeriod = SalePeriod()
    ) async throws(LedgerError) -> ProductPrice {
        try await reading {
            try await pools.writes.withConnection { connection in
                try await connection.transaction { connection in
                    guard try connection.run(Product.isSold(code: product)) else { throw Self.notOnSale(product) }
                    if let rate = try connection.run(Rate.last(of: price.currency)), rate.price(of: price.amount) == nil
                    {
                        throw Self.notBookable(price)
                    }
                    var sale = sale
                    if let current = try connection.run(ProductPrice.lock(of: product, in: price.currency)).first {
                        if let end = current.activeUntil, sale.from.map({ $0 < end }) ?? true {
                            sale.until = sale.until ?? end
                        }
                        let close = ProductPrice.close(
                            of: product, in: price.currency, at: sale.from, isFollowed: true)
                        guard try connection.run(close).first != nil else { throw Self.invalidPeriod }
                    }
                    guard let set = try connection.run(ProductPrice.insert(price, of: product, sale)).first else {
                        throw Self.invalidPeriod
                    }
                    return set
                }
            }
        }
    }

    private static func notBookable(_ price: ForeignPrice) -> LedgerError {
        LedgerError(
            .invalid,
            "at the last rate, \(price.text) \(price.currency.code) is not worth 1 to \(Price.highest) won: what is paid "
                + "could not be booked")
    }

    /// Ends the sale of a product in a currency, now or at a moment to come.
    ///
    /// Orders that were made before are still credited.
    ///
    /// - Throws: ``LedgerError/Code/invalid`` when it has no price there, or when the moment is past.
    package func endPrice(
        of product: String, in currency: ForeignCurrency, at moment: Date? = nil
    ) async throws(LedgerError) -> ProductPrice {
        let close = ProductPrice.close(of: product, in: currency, at: moment)
        guard let ended = try await reading({ try await pools.writes.run(close) }).first else {
            guard try await price(of: product, in: currency) == nil else { throw Self.invalidPeriod }
            throw LedgerError(.invalid, "\(product) has no price in \(currency.code)")
        }
        return ended
    }

    /// Withdraws the planned prices of a product in a currency.
    ///
    /// The present price takes over the time of those that were to follow it without a gap.
    ///
    /// - Returns: what was planned.
    /// - Throws: ``LedgerError/Code/invalid`` when nothing is planned.
    package func withdrawPrices(
        of product: String, in currency: ForeignCurrency
    ) async throws(LedgerError) -> [ProductPrice] {
        try await reading {
            try await pools.writes.withConnection { connection in
                try await connection.transaction { connection in
                    let planned = try connection.run(ProductPrice.lockPlanned(of: product, in: currency))
                    guard !planned.isEmpty else {
                        throw LedgerError(.invalid, "no price of \(product) in \(currency.code) is planned")
                    }
                    _ = try connection.run(ProductPrice.withdraw(of: product, in: currency))
                    guard let current = try connection.run(ProductPrice.lock(of: product, in: currency)).first else {
                        return planned
                    }
                    let end = current.activeUntil.takingOver(planned.map { ($0.activeFrom, $0.activeUntil) })
                    _ = try connection.run(ProductPrice.end(of: product, in: currency, at: end))
                    return planned
                }
            }
        }
    }
}

extension Date? {
    /// The end of a sale that takes over the time of withdrawn ones that were to follow it without a gap.
    func takingOver(_ withdrawn: [(from: Date, until: Date?)]) -> Date? {
        withdrawn.reduce(self) { end, next in next.from == end ? next.until : end }
    }
}
