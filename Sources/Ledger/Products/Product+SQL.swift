import Foundation
import Postgres

extension Product {
    private static let columns =
        "code, title, price, coins, bonus_coins, active_from, active_until, coin_days, bonus_coin_days, vat"

    /// Whether a version is on sale now, by the database's clock.
    static let isOnSale = "active_from <= now() AND (active_until IS NULL OR active_until > now())"
    /// Whether the sale of a version is planned; one that was withdrawn ends when it begins.
    static let isPlanned = "active_from > now() AND (active_until IS NULL OR active_until > active_from)"

    /// Products on sale, cheapest first.
    static let onSale = PostgresQuery(
        "SELECT \(columns) FROM product WHERE \(isOnSale) ORDER BY price, code", [], row: decode)

    /// Versions whose sale is to come, the next one first.
    static let planned = PostgresQuery(
        "SELECT \(columns) FROM product WHERE \(isPlanned) ORDER BY active_from, price", [], row: decode)

    /// Locks and reads the versions of a product whose sale is to come, the next one first.
    static func planned(code: String) -> PostgresQuery<[Product]> {
        PostgresQuery(
            "SELECT \(columns) FROM product WHERE \(isPlanned) AND code = $1 ORDER BY active_from FOR UPDATE", [code],
            row: decode)
    }

    /// Product versions that were on sale at the moment or later: a payment made since then is for one of them.
    ///
    /// An end that is to come is left out. So are sales that were withdrawn.
    static func onSale(since moment: Date) -> PostgresQuery<[Product]> {
        versions(
            """
            WHERE active_from <= now() AND (active_until IS NULL OR active_until > greatest(active_from, $1))
            ORDER BY id
            """,
            [moment])
    }

    /// The prices on sale at the moment, lowest first.
    ///
    /// A moment to come counts as now: what is planned is not told. Each price is told once, because
    /// `product_price_sold_once` refuses two sales at a price at the same moment.
    static func prices(at moment: Date, limit: Int) -> PostgresQuery<[Price]> {
        PostgresQuery(
            """
            SELECT price FROM product
            WHERE active_from <= least($1, now()) AND (active_until IS NULL OR active_until > least($1, now()))
            ORDER BY price LIMIT $2
            """,
            [moment, Int64(limit)])
    }

    /// Versions that meet a condition; an end that is to come is left out.
    ///
    /// - Parameter condition: what follows FROM.
    static func versions(_ condition: String, _ parameters: [any PostgresEncodable]) -> PostgresQuery<[Product]> {
        PostgresQuery(
            """
            SELECT code, title, price, coins, bonus_coins, active_from,
                CASE WHEN active_until <= now() THEN active_until END, coin_days, bonus_coin_days, vat
            FROM product \(condition)
            """, parameters, row: decode)
    }

    /// The product version whose sale at the price was nearest to the moment; no row if none has begun.
    ///
    /// An end that is to come is left out. So are sales that were withdrawn.
    static func nearest(to moment: Date, at price: Price) -> PostgresQuery<[Product]> {
        versions(
            """
            WHERE price = $2 AND active_from <= now() AND (active_until IS NULL OR active_until > active_from)
            ORDER BY greatest(active_from - $1::timestamptz, $1::timestamptz - active_until, interval '0'), id LIMIT 1
            """,
            [moment, price.amount])
    }

    /// Whether a product is on sale, or will be.
    static func isSold(code: String) -> PostgresQuery<Bool> {
        .one("SELECT EXISTS (SELECT FROM product WHERE code = $1 AND (\(isOnSale) OR \(isPlanned)))", [code])
    }

    /// Locks and reads the version of a product that is on sale.
    static func onSale(code: String) -> PostgresQuery<[Product]> {
        PostgresQuery(
            "SELECT \(columns) FROM product WHERE \(isOnSale) AND code = $1 FOR UPDATE", [code], row: decode)
    }

    /// Inserts a version; no row if it would begin in the past, or end before it begins.
    static func insert(_ draft: ProductDraft) -> PostgresQuery<[Product]> {
        PostgresQuery(
            """
            INSERT INTO product (
                code, title, price, currency, coins, bonus_coins, active_from, active_until, coin_days, bonus_coin_days,
                vat)
            SELECT $1, $2, $3, $4, $5, $6, coalesce($7, now()), $8, $9, $10, $11
            WHERE coalesce($7, now()) >= now() AND ($8::timestamptz IS NULL OR $8 > coalesce($7, now()))
            RETURNING \(columns)
            """,
            [
                draft.code, draft.title, draft.price.amount, draft.price.currency.code, draft.coins.count,
                draft.bonusCoins?.count ?? 0, draft.sale.from, draft.sale.until, draft.lifetimes.paid?.days,
                draft.lifetimes.bonus?.days, draft.vat.rawValue,
            ],
            row: decode)
    }

    /// Ends the sale of the current version at a moment, nil for now; no row if the moment is past.
    static func close(code: String, at moment: Date?) -> PostgresQuery<[Product]> {
        PostgresQuery(
            """
            UPDATE product SET active_until = coalesce($2, now())
            WHERE \(isOnSale) AND code = $1 AND coalesce($2, now()) >= now()
            RETURNING \(columns)
            """,
            [code, moment], row: decode)
    }

    /// Withdraws the planned sales of a product.
    static func withdraw(code: String) -> PostgresQuery<Int> {
        .affected("UPDATE product SET active_until = active_from WHERE \(isPlanned) AND code = $1", [code])
    }

    /// Moves the end of the current version; nil: it has none.
    static func end(code: String, at moment: Date?) -> PostgresQuery<Int> {
        .affected("UPDATE product SET active_until = $2 WHERE \(isOnSale) AND code = $1", [code, moment])
    }

    private static func decode(_ row: borrowing PostgresRow) throws -> Product {
        Product(
            code: try row[0], title: try row[1], price: try row[2], coins: try row[3], bonusCoins: Coins(try row[4]),
            activeFrom: try row[5], activeUntil: try row[6], lifetimes: try ProductLifetimes(row, from: 7),
            vat: try row[9])
    }
}
