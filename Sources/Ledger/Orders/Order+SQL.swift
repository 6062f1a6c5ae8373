import Foundation
import Postgres

extension Order {
    private static let columns = """
        "order".id, "order".merchant_uid, \(UserAliases.now("\"order\".user_id")), "order".gateway, "order".product, "order".amount,
        "order".currency, "order".coins, "order".bonus_coins, "order".created_at, "order".expires_at, purchase.id, purchase.gateway,
        purchase.imp_uid, "order".coin_days, "order".bonus_coin_days, coalesce("order".vat, 'at_use')
        """
    /// Orders with their purchases.
    ///
    /// `OFFSET 0` keeps the look-up by key in a plan that PostgreSQL made while the table was new (decision 0002).
    private static let selection = """
        SELECT \(columns) FROM "order"
        LEFT JOIN LATERAL (
            SELECT id, gateway, imp_uid FROM purchase WHERE purchase.merchant_uid = "order".merchant_uid OFFSET 0
        ) AS purchase ON true
        """

    /// Returns no row when the user has an order under the same key.
    static func insert(_ draft: OrderDraft) -> PostgresQuery<[Order]> {
        PostgresQuery(
            """
            WITH made AS (
                INSERT INTO "order" (
                    merchant_uid, user_id, gateway, product, amount, currency, coins, bonus_coins, idempotency_key,
                    expires_at, coin_days, bonus_coin_days, vat)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + $10 * interval '1 millisecond', $11, $12, $13)
                ON CONFLICT (idempotency_key, user_id) DO NOTHING
                RETURNING *)
            SELECT \(columns) FROM made AS "order" LEFT JOIN purchase ON purchase.merchant_uid = "order".merchant_uid
            """,
            [
                draft.merchantUID, draft.user.rawValue, draft.gateway, draft.product.code, draft.price.amount,
                draft.price.currency.code, draft.product.coins.count, draft.product.bonusCoins?.count ?? 0,
                draft.idempotencyKey?.text, draft.lifetime.milliseconds, draft.product.lifetimes.paid?.days,
                draft.product.lifetimes.bonus?.days, draft.product.vat.rawValue,
            ],
            row: decode)
    }

    /// Writes an occurrence for each order that expired unpaid.
    static func recordExpired(limit: Int) -> PostgresQuery<Int64> {
        .one("SELECT record_expired_orders($1)", [Int64(limit)])
    }

    /// The orders with these names.
    static func named(_ merchantUIDs: [String]) -> PostgresQuery<[Order]> {
        PostgresQuery("\(selection) WHERE \"order\".merchant_uid = ANY($1)", [merchantUIDs], row: decode)
    }

    /// The order with this id, if it is the user's.
    static func find(_ id: Int64, of user: UserID) -> PostgresQuery<[Order]> {
        PostgresQuery(
            "\(selection) WHERE \"order\".id = $1 AND \"order\".user_id = $2", [id, user.rawValue], row: decode)
    }

    /// The user's order with this idempotency key.
    static func made(under key: CallerKey) -> PostgresQuery<[Order]> {
        PostgresQuery(
            "\(selection) WHERE \"order\".idempotency_key = $1 AND \"order\".user_id = $2",
            [key.text, key.caller.rawValue], row: decode)
    }

    /// A user's orders that were made in the period, newest first.
    ///
    /// Returns up to `limit` + 1 rows, to show whether there are more.
    static func history(
        of user: UserID, in period: Period, _ status: Status?, at now: Date, after cursor: After<Int64>?, limit: Int
    ) -> PostgresQuery<[Order]> {
        PostgresQuery(
            """
            \(selection)
            WHERE "order".user_id = $1 AND "order".id < $2 AND "order".created_at >= $4 AND "order".created_at < $5
                AND ($6 IS NULL OR $6 = CASE WHEN purchase.id IS NOT NULL THEN 'paid'
                    WHEN "order".expires_at > $7 THEN 'open' ELSE 'expired' END)
            ORDER BY "order".id DESC
            LIMIT $3
            """,
            [
                user.rawValue, cursor?.id ?? Int64.max, Int64(limit + 1), period.from, period.to, status?.rawValue, now,
            ], row: decode)
    }

    /// Whether the user has `most` orders that have not expired.
    static func isFull(_ user: UserID, most: Int64) -> PostgresQuery<Bool> {
        // Orders expire in the order in which they were made, so the `most`-th newest order answers this without
        // counting.
        PostgresQuery.one(
            """
            SELECT coalesce((
                SELECT expires_at > now() FROM "order" WHERE user_id = $1 ORDER BY id DESC OFFSET $2 LIMIT 1), false)
            """,
            [user.rawValue, most - 1])
    }

    private static func decode(_ row: borrowing PostgresRow) throws -> Order {
        Order(
            id: try row[0], merchantUID: try row[1], user: try row[2], gateway: try row[3],
            product: try row[4], price: try AskedPrice(row, from: 5), coins: try row[7],
            bonusCoins: Coins(try row[8]), createdAt: try row[9], expiresAt: try row[10],
            payment: try row.decode(11, as: Int64?.self).map { id in
                Payment(purchaseID: id, gateway: try row[12], paymentID: try row[13])
            },
            lifetimes: try ProductLifetimes(row, from: 14), vat: try row[16])
    }
}
