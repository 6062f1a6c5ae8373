import Foundation
import Postgres

extension OutstandingPayment {
    /// Payments outstanding at a moment.
    ///
    /// Returns up to `limit` + 1 rows, to show whether there are more.
    ///
    /// The query starts with the current state of purchases, and subtracts what was posted to the receivable after the
    /// moment. So a moment of last month costs as much as what was posted since, and the current moment costs only its
    /// own rows.
    static func list(
        asOf moment: Date, accounts: [Int64], after id: Int64, limit: Int
    ) -> PostgresQuery<[OutstandingPayment]> {
        PostgresQuery(
            """
            WITH later AS (
                -- 'purchase:17', of the entry or of the entry that it reverses.
                SELECT substr(coalesce(reversed.reference, entry.reference), 10)::bigint AS id,
                    coalesce(sum(posting.amount) FILTER (WHERE entry.kind = 'purchase'), 0)::bigint AS credited,
                    coalesce(sum(CASE posting.side WHEN 'C' THEN posting.amount ELSE -posting.amount END)
                        FILTER (WHERE entry.kind = 'settlement'), 0)::bigint AS settled,
                    coalesce(sum(CASE posting.side WHEN 'C' THEN posting.amount ELSE -posting.amount END)
                        FILTER (WHERE entry.kind NOT IN ('purchase', 'settlement')), 0)::bigint AS refunded
                FROM unnest($1::int8[]) AS asked (account_id)
                JOIN posting ON posting.account_id = asked.account_id
                    AND posting.seq > posting_seq_as_of(asked.account_id, $2)
                JOIN journal_entry AS entry ON entry.id = posting.journal_entry_id
                LEFT JOIN journal_entry AS reversed ON reversed.id = entry.reverses
                GROUP BY 1
            )
            SELECT purchase.id, purchase.gateway, purchase.imp_uid, purchase.merchant_uid, purchase.payment_id,
                purchase.paid_at, purchase.amount - coalesce(later.credited, 0),
                purchase.refunded_amount - purchase.transferred_amount - coalesce(later.refunded, 0),
                purchase.settled_amount - coalesce(later.settled, 0)
            FROM (
                SELECT id FROM purchase
                WHERE amount - refunded_amount + transferred_amount <> settled_amount AND id > $3
                UNION
                SELECT id FROM later WHERE id > $3
            ) AS candidate
            JOIN purchase ON purchase.id = candidate.id
            LEFT JOIN later ON later.id = candidate.id
            WHERE purchase.amount - coalesce(later.credited, 0) - purchase.refunded_amount + purchase.transferred_amount
                + coalesce(later.refunded, 0) - purchase.settled_amount + coalesce(later.settled, 0) <> 0
            ORDER BY purchase.id
            LIMIT $4
            """,
            [accounts, moment, id, Int64(limit + 1)]
        ) { row in try row.make(OutstandingPayment.init) }
    }

    /// The total balance of the accounts at a moment.
    static func balance(asOf moment: Date, accounts: [Int64]) -> PostgresQuery<Int64> {
        .one(
            """
            SELECT coalesce(sum(posting.balance), 0)::bigint
            FROM unnest($1::int8[]) AS asked (account_id)
            JOIN posting ON posting.account_id = asked.account_id
                AND posting.seq = posting_seq_as_of(asked.account_id, $2)
            """,
            [accounts, moment])
    }
}
