package import Foundation
package import Postgres

/// A product of a store, by the ids that the store has.
package struct StoreProductName: Hashable, Sendable {
    /// The gateway's name.
    package let store: String
    /// The app that sells it: its bundle id or package.
    package let app: String
    /// The store's id of the product.
    package let productID: String

    package init(store: String, app: String, productID: String) {
        self.store = store
        self.app = app
        self.productID = productID
    }

    /// The gateways that are stores.
    package static let stores = SystemAccount.stores
}

/// What a product of a store is of ours.
package struct StoreProduct: Sendable, Equatable {
    package let store: String
    package let app: String
    package let productID: String
    /// The code of our product.
    package let product: String
    /// Who set it.
    package let setBy: String
    package let setAt: Date
}

extension StoreProduct: PostgresReadable {
    private static let columns = "store, app, product_id, product, set_by, set_at"

    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> StoreProduct {
        try row.make(at: &column, StoreProduct.init)
    }

    /// All that are set now, by store, app and id.
    static let list = PostgresQuery<[StoreProduct]>(
        """
        SELECT DISTINCT ON (store, app, product_id) \(columns) FROM store_product
        ORDER BY store, app, product_id, set_at DESC, id DESC
        """, []
    ) { row in try row.make(StoreProduct.init) }

    /// Sets what a product is of ours, or finds that it is so already; no row if we have no such product.
    static func set(_ name: StoreProductName, to product: String, by person: String) -> PostgresQuery<StoreProduct?> {
        .first(
            """
            WITH present AS (
                SELECT \(columns) FROM store_product WHERE (store, app, product_id) = ($1, $2, $3)
                ORDER BY set_at DESC, id DESC LIMIT 1
            ), made AS (
                INSERT INTO store_product (store, app, product_id, product, set_by)
                SELECT $1, $2, $3, $4, $5
                WHERE EXISTS (SELECT FROM product WHERE code = $4) AND NOT EXISTS (SELECT FROM present WHERE product = $4)
                RETURNING \(columns)
            )
            SELECT * FROM made UNION ALL SELECT * FROM present WHERE product = $4
            """, [name.store, name.app, name.productID, product, person])
    }
}

extension Product {
    /// The version of our product that a store's product was when it was bought; no row if nobody has said what it is.
    ///
    /// For what was bought before anybody had said it, what is said last counts, so that a mistake can be corrected.
    /// Of the versions, it is the one whose sale was nearest to the moment: the store sells when it likes. An end that is to come
    /// is left out, and so are sales that were withdrawn.
    static func sold(as name: StoreProductName, at moment: Date) -> PostgresQuery<[Product]> {
        versions(
            """
            WHERE \(isNearest(
                to: "$4::timestamptz",
                of: """
                    coalesce((
                        SELECT product FROM store_product
                        WHERE (store, app, product_id) = ($1, $2, $3) AND set_at <= $4 ORDER BY set_at DESC, id DESC LIMIT 1
                    ), (
                        SELECT product FROM store_product
                        WHERE (store, app, product_id) = ($1, $2, $3) ORDER BY set_at DESC, id DESC LIMIT 1
                    ))
                    """))
            """, [name.store, name.app, name.productID, moment])
    }

    /// What follows WHERE: the version of a product in a store at a moment, all of them in SQL.
    static func isNearest(to moment: String, of code: String) -> String {
        """
        code = \(code) AND active_from <= now() AND (active_until IS NULL OR active_until > active_from)
        ORDER BY greatest(active_from - \(moment), \(moment) - active_until, interval '0'), active_from DESC, id DESC
        LIMIT 1
        """
    }
}
