import Foundation
import Postgres

extension Product {
    private static let columns = "code, title, price, coins, bonus_coins, active_from, active_until"

    /// Products on sale, cheapest first.
    static let onSale = PostgresQuery(
        "SELECT \(columns) FROM product WHERE active_until IS NULL ORDER BY price, code", [], row: decode)

    /// Product versions that were on sale at the moment or later: a payment made since then is for one of them.
    static func onSale(since moment: Date) -> PostgresQuery<[Product]> {
        PostgresQuery(
            "SELECT \(columns) FROM product WHERE active_until IS NULL OR active_until > $1 ORDER BY id", [moment],
            row: decode)
    }

    /// Locks and reads the version of a product that is on sale.
    static func onSale(code: String) -> PostgresQuery<[Product]> {
        PostgresQuery(
            "SELECT \(columns) FROM product WHERE active_until IS NULL AND code = $1 FOR UPDATE", [code], row: decode)
    }

    static func insert(_ draft: ProductDraft) -> PostgresQuery<[Product]> {
        PostgresQuery(
            """
            INSERT INTO product (code, title, price, currency, coins, bonus_coins, active_from)
            VALUES ($1, $2, $3, $4, $5, $6, now())
            RETURNING \(columns)
            """,
            [
                draft.code, draft.title, draft.price.amount, draft.price.currency.code, draft.coins.count,
                draft.bonusCoins?.count ?? 0,
            ],
            row: decode)
    }

    /// Ends the sale of the current version.
    static func close(code: String) -> PostgresQuery<[Product]> {
        PostgresQuery(
            "UPDATE product SET active_until = now() WHERE active_until IS NULL AND code = $1 RETURNING \(columns)",
            [code], row: decode)
    }

    private static func decode(_ row: borrowing PostgresRow) throws -> Product {
        Product(
            code: try row.decode(0, as: String.self),
            title: try row.decode(1, as: String.self),
            price: try row.decode(2, as: Price.self),
            coins: try row.decode(3, as: Coins.self),
            bonusCoins: Coins(try row.decode(4, as: Int64.self)),
            activeFrom: try row.decode(5, as: Date.self),
            activeUntil: try row.decode(6, as: Date?.self))
    }
}
