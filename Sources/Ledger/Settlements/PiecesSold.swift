import Foundation
import Postgres

/// What was sold of a product in a purchase, or given back of it, in a period.
struct PiecesSold: Sendable, Equatable {
    let purchaseID: Int64
    /// The store's id of the transaction.
    let payment: String
    /// The code of our product.
    let product: String
    /// In won; above zero, also if it was given back.
    let amount: Int64
    /// Nil: the coins or the amount are of no whole number of pieces.
    let pieces: Int64?
}

extension PiecesSold {
    /// What was sold at the gateway in the period.
    ///
    /// How many pieces a purchase has is how often it has its product's coins, of the version as ``Product/sold(as:at:)`` takes it.
    static func sold(at gateway: String, in period: Range<Date>) -> PostgresQuery<[PiecesSold]> {
        query(
            """
            SELECT purchase.*, purchase.amount AS part
            FROM purchase
            WHERE paid_at >= $2 AND paid_at < $3 AND gateway = $1
            """, gateway, period)
    }

    /// What the gateway gave back in the period, whenever it was sold.
    static func returned(at gateway: String, in period: Range<Date>) -> PostgresQuery<[PiecesSold]> {
        query(
            """
            SELECT purchase.*, reversal.part
            FROM (
                SELECT purchase_reversal.purchase_id, sum(purchase_reversal.amount)::bigint AS part
                FROM journal_entry AS entry
                CROSS JOIN LATERAL (
                    SELECT * FROM purchase_reversal WHERE journal_entry_id = entry.id OFFSET 0
                ) AS purchase_reversal
                WHERE entry.effective_at >= $2 AND entry.effective_at < $3 AND NOT is_transfer
                GROUP BY 1
            ) AS reversal
            CROSS JOIN LATERAL (SELECT * FROM purchase WHERE id = reversal.purchase_id OFFSET 0) AS purchase
            WHERE purchase.gateway = $1 AND reversal.part <> 0
            """, gateway, period)
    }

    private static func query(
        _ purchases: String, _ gateway: String, _ period: Range<Date>
    ) -> PostgresQuery<[PiecesSold]> {
        PostgresQuery(
            """
            SELECT sold.id, sold.imp_uid, sold.product, sold.part, sold.amount, sold.coins, version.coins
            FROM (\(purchases)) AS sold
            LEFT JOIN LATERAL (
                SELECT coins FROM product
                WHERE code = sold.product AND active_from <= now()
                    AND (active_until IS NULL OR active_until > active_from)
                ORDER BY greatest(active_from - sold.paid_at, sold.paid_at - active_until, interval '0'),
                    active_from DESC, id DESC
                LIMIT 1
            ) AS version ON true
            ORDER BY sold.paid_at, sold.id
            """,
            [gateway, period.lowerBound, period.upperBound]
        ) { row in
            PiecesSold(
                purchaseID: try row[0], payment: try row[1], product: try row[2], amount: try row[3],
                pieces: pieces(
                    of: try row[3], among: try row[4], coins: try row[5], each: try row.decode(6, as: Int64?.self)))
        }
    }

    /// How many pieces an amount of a purchase is.
    static func pieces(of part: Int64, among amount: Int64, coins: Int64, each: Int64?) -> Int64? {
        guard let each, part > 0, coins % each == 0 else { return nil }
        let (pieces, rest) = (Int128(part) * Int128(coins / each)).quotientAndRemainder(dividingBy: Int128(amount))
        return rest == 0 ? Int64(pieces) : nil
    }
}
