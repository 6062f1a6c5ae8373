package import Foundation
import Postgres

/// What the ledger knows of the stores: their products, and the tokens of users.
package struct Stores: Sendable {
    let pools: Pools

    init(_ pools: Pools) { self.pools = pools }

    /// The products of stores that are ours, by store, app and id.
    package func products() async throws(LedgerError) -> [StoreProduct] {
        try await reading { try await pools.lookups.run(StoreProduct.list) }
    }

    /// Sets what a product of a store is of ours, for purchases from now on, and for those from before anybody had said it.
    ///
    /// - Returns: nil: we have no such product.
    package func set(
        _ name: StoreProductName, to product: String, by person: String
    ) async throws(LedgerError) -> StoreProduct? {
        try await reading { try await pools.writes.run(StoreProduct.set(name, to: product, by: person)) }
    }

    /// The version of our product that a store's product was when it was bought; nil: nobody has said what it is.
    package func product(soldAs name: StoreProductName, at moment: Date) async throws(LedgerError) -> Product? {
        try await reading { try await pools.lookups.run(Product.sold(as: name, at: moment)) }.first
    }

    /// A page of the purchases in a store that were paid in a period, have an order there, and did not go back whole.
    ///
    /// - Parameter id: the last one of the page before, of those paid when the period begins; 0: none.
    package func sold(
        by store: String, in period: Range<Date>, after id: Int64, limit: Int = 1000
    ) async throws(LedgerError) -> [StoreSaleOfPeriod] {
        try await reading {
            try await pools.reads.run(StoreSaleOfPeriod.list(of: store, in: period, after: id, limit: limit))
        }
    }

    /// The token that an app passes with purchases of the user; the first call makes it.
    package func token(of user: UserID) async throws(LedgerError) -> UUID {
        try await reading { try await pools.writes.run(Self.token(of: user)) }
    }

    /// The user whom a token names, as the user is called now; nil: it is no token of ours, or of a user who was forgotten.
    ///
    /// A device can keep the token longer than that, and who buys there has another account by now.
    package func user(of token: UUID) async throws(LedgerError) -> UserID? {
        let user = try await reading { try await pools.lookups.run(Self.user(of: token)) }
        return user.flatMap { $0.isForgotten ? nil : $0 }
    }
}

extension Stores {
    private static func token(of user: UserID) -> PostgresQuery<UUID> {
        PostgresQuery<String>.one(
            """
            WITH known AS (
                SELECT token FROM store_account WHERE user_id = $1 ORDER BY made_at, token LIMIT 1
            ), made AS (
                INSERT INTO store_account (user_id) SELECT $1 WHERE NOT EXISTS (SELECT FROM known) RETURNING token
            )
            SELECT token::text FROM known UNION ALL SELECT token::text FROM made
            """, [user.rawValue]
        ).map { text in
            guard let token = UUID(uuidString: text) else { throw LedgerError.unexpected("a token is no UUID") }
            return token
        }
    }

    private static func user(of token: UUID) -> PostgresQuery<UserID?> {
        .first("SELECT user_behind(user_id) FROM store_account WHERE token = $1::text::uuid", [token.uuidString])
    }
}
