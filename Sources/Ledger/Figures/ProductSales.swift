package import Foundation
import Postgres

/// What was sold of a product on a day, by the time of payment, and what came back of it since.
package struct ProductSales: Sendable, Equatable {
    /// The start of the day.
    package let day: Date
    /// The product's code.
    package let product: String
    package let currency: Currency
    package let purchases: Int64
    package let coins: Int64
    package let bonusCoins: Int64
    /// The price paid, in minor units of the currency.
    package let amount: Int64
    /// The part of it that went back to the users until now.
    package let refunded: Int64
}

extension Figures {
    /// The sales of each span between two neighbouring moments, which are ascending, by product.
    package func sales(between moments: [Date]) async throws(LedgerError) -> [ProductSales] {
        try await reading { try await pools.reads.run(ProductSales.list(between: moments)) }
    }
}

extension ProductSales {
    fileprivate static func list(between moments: [Date]) -> PostgresQuery<[ProductSales]> {
        PostgresQuery(
            """
            SELECT ($1::timestamptz[])[sold.day], sold.product, sold.currency, sold.purchases, sold.coins, sold.bonus,
                sold.amount, sold.refunded
            FROM (
                SELECT width_bucket(paid_at, $1::timestamptz[]) AS day, product, currency, count(*) AS purchases,
                    sum(coins)::bigint AS coins, sum(bonus_coins)::bigint AS bonus, sum(amount)::bigint AS amount,
                    sum(refunded_amount)::bigint AS refunded
                FROM purchase WHERE paid_at >= $2 AND paid_at < $3
                GROUP BY 1, 2, 3
            ) AS sold
            ORDER BY sold.day, sold.product, sold.currency
            """, [moments, moments.first, moments.last]
        ) { row in try row.make(ProductSales.init) }
    }
}
