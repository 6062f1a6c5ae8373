import Currencies
package import Foundation
import Postgres

/// A price in a foreign currency: a positive amount that the books can have.
package struct ForeignPrice: Hashable, Sendable {
    /// The highest amount: gateways' amounts are read up to it.
    package static let highest: Int64 = 100_000_000_000_000

    /// In minor units of ``currency``.
    package let amount: Int64
    package let currency: ForeignCurrency

    /// - Returns: nil for zero, a negative number, or more than ``highest``.
    package init?(_ amount: Int64, in currency: ForeignCurrency) {
        guard (1...Self.highest).contains(amount) else { return nil }
        self.amount = amount
        self.currency = currency
    }

    /// Reads a price as people write it, in the currency's unit: `0.99`.
    ///
    /// - Returns: nil if it is no number, not a whole number of minor units, or no such amount.
    package init?(text: String, in currency: ForeignCurrency) {
        guard let amount = ForeignText.parse(text, of: currency) else { return nil }
        self.init(amount, in: currency)
    }

    /// The price in the currency's unit, with all its decimals: `0.99`.
    package var text: String { Currencies.Currency(currency.code)?.decimal(amount) ?? String(amount) }
}

/// What a user is asked to pay: won, or an amount of a foreign currency.
package enum AskedPrice: Hashable, Sendable {
    case won(Price)
    case foreign(ForeignPrice)

    /// In minor units of ``currency``.
    package var amount: Int64 {
        switch self {
        case .won(let price): price.amount
        case .foreign(let price): price.amount
        }
    }

    package var currency: Currency {
        switch self {
        case .won(let price): price.currency
        case .foreign(let price): Currency(price.currency)
        }
    }
}

/// A price of a product in a foreign currency, beside its price in won, while it is on sale.
///
/// Only an order is paid at it (docs/decisions/0226).
package struct ProductPrice: Sendable, Equatable {
    /// The product's code.
    package let product: String
    package let price: ForeignPrice
    /// When the sale at this price begins.
    package let activeFrom: Date
    /// When it ends; nil: no end is planned.
    package let activeUntil: Date?
}

// MARK: - SQL

extension ProductPrice {
    private static let columns = "product, amount, currency, active_from, active_until"

    /// Prices that are on sale, by product and currency.
    static let onSale = PostgresQuery(
        "SELECT \(columns) FROM product_price WHERE \(Product.isOnSale) ORDER BY product, currency", [], row: decode)

    /// Prices whose sale is to come, the next one first.
    static let planned = PostgresQuery(
        "SELECT \(columns) FROM product_price WHERE \(Product.isPlanned) ORDER BY active_from, product, currency", [],
        row: decode)

    /// Whether a product has a price that is on sale or planned, in any currency.
    static func isSet(of product: String) -> PostgresQuery<Bool> {
        .one(
            """
            SELECT EXISTS (
                SELECT FROM product_price WHERE product = $1 AND (\(Product.isOnSale) OR \(Product.isPlanned)))
            """, [product])
    }

    /// The price of a product that is on sale in a currency.
    static func onSale(of product: String, in currency: ForeignCurrency) -> PostgresQuery<[ProductPrice]> {
        PostgresQuery("\(selection) AND \(Product.isOnSale)", [product, currency], row: decode)
    }

    /// Locks and reads the same.
    static func lock(of product: String, in currency: ForeignCurrency) -> PostgresQuery<[ProductPrice]> {
        PostgresQuery("\(selection) AND \(Product.isOnSale) FOR UPDATE", [product, currency], row: decode)
    }

    /// Locks and reads the prices of a product in a currency whose sale is to come, the next one first.
    static func lockPlanned(of product: String, in currency: ForeignCurrency) -> PostgresQuery<[ProductPrice]> {
        PostgresQuery(
            "\(selection) AND \(Product.isPlanned) ORDER BY active_from FOR UPDATE", [product, currency], row: decode)
    }

    /// Inserts a price; no row if it would begin in the past, or end before it begins.
    static func insert(
        _ price: ForeignPrice, of product: String, _ sale: SalePeriod
    ) -> PostgresQuery<[ProductPrice]> {
        PostgresQuery(
            """
            INSERT INTO product_price (product, currency, amount, active_from, active_until)
            SELECT $1, $2, $3, coalesce($4, now()), $5
            WHERE coalesce($4, now()) >= now() AND ($5::timestamptz IS NULL OR $5 > coalesce($4, now()))
            RETURNING \(columns)
            """,
            [product, price.currency, price.amount, sale.from, sale.until], row: decode)
    }

    /// Ends the sale at the present price at a moment, nil for now; no row if the moment is past.
    ///
    /// - Parameter isFollowed: by another price: an end that comes before stays.
    static func close(
        of product: String, in currency: ForeignCurrency, at moment: Date?, isFollowed: Bool = false
    ) -> PostgresQuery<[ProductPrice]> {
        PostgresQuery(
            """
            UPDATE product_price
            SET active_until = least(coalesce($3, now()), CASE WHEN $4 THEN active_until END)
            WHERE \(isOf) AND \(Product.isOnSale) AND coalesce($3, now()) >= now()
            RETURNING \(columns)
            """,
            [product, currency, moment, isFollowed], row: decode)
    }

    /// Withdraws the planned prices.
    static func withdraw(of product: String, in currency: ForeignCurrency) -> PostgresQuery<Int> {
        .affected(
            "UPDATE product_price SET active_until = active_from WHERE \(isOf) AND \(Product.isPlanned)",
            [product, currency])
    }

    /// Moves the end of the present price; nil: it has none.
    static func end(of product: String, in currency: ForeignCurrency, at moment: Date?) -> PostgresQuery<Int> {
        .affected(
            "UPDATE product_price SET active_until = $3 WHERE \(isOf) AND \(Product.isOnSale)",
            [product, currency, moment])
    }

    private static let isOf = "product = $1 AND currency = $2"
    private static let selection = "SELECT \(columns) FROM product_price WHERE \(isOf)"

    private static func decode(_ row: borrowing PostgresRow) throws -> ProductPrice {
        ProductPrice(
            product: try row[0], price: try ForeignPrice(row, from: 1), activeFrom: try row[3], activeUntil: try row[4])
    }
}

extension ForeignPrice {
    /// From two columns: amount, currency.
    fileprivate init(_ row: borrowing PostgresRow, from column: Int) throws {
        guard let price = ForeignPrice(try row[column], in: try row[column + 1]) else {
            throw UnreadableColumn(column: column, type: "ForeignPrice")
        }
        self = price
    }
}

extension AskedPrice {
    /// From two columns: amount, currency.
    init(_ row: borrowing PostgresRow, from column: Int) throws {
        let currency: Currency = try row[column + 1]
        self = currency == .won ? .won(try row[column]) : .foreign(try ForeignPrice(row, from: column))
    }
}
