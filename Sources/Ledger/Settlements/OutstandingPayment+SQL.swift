import Foundation
import Postgres

extension OutstandingPayment {
    /// Payments outstanding at a moment, in the order in which they were paid.
    ///
    /// Returns up to `limit` + 1 rows, to show whether there are more.
    ///
    /// The query starts with the current state of purchases, and subtracts what was posted to the receivable after the
    /// moment. So a moment of last month costs as much as what was posted since, and the current moment costs only its
    /// own rows: those of the page by `purchase_unsettled_by_time`, and as many more as were posted to since, of which
    /// each may be outstanding only by that.
    static func list(
        asOf moment: Date, accounts: [Int64], after cursor: OutstandingCursor?, limit: Int
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
                    -- A revaluation is of no payment.
                    AND entry.kind <> 'adjustment'
                LEFT JOIN journal_entry AS reversed ON reversed.id = entry.reverses
                GROUP BY 1
            ), candidate AS (
                SELECT id, sum(credited)::bigint AS credited, sum(settled)::bigint AS settled,
                    sum(refunded)::bigint AS refunded
                FROM (
                    (
                        SELECT id, 0 AS credited, 0 AS settled, 0 AS refunded FROM purchase
                        WHERE \(OpenWork.unsettledPayments.condition)
                            AND (paid_at, id) > (coalesce($3, '-infinity'), $4)
                        ORDER BY \(OpenWork.unsettledPayments.order) LIMIT $5 + (SELECT count(*) FROM later)
                    )
                    UNION ALL
                    SELECT id, credited, settled, refunded FROM later
                ) AS part
                GROUP BY id
            )
            SELECT purchase.id, purchase.gateway, purchase.imp_uid, purchase.merchant_uid, purchase.payment_id,
                purchase.paid_at, purchase.amount - candidate.credited,
                purchase.refunded_amount - purchase.transferred_amount - candidate.refunded,
                purchase.settled_amount - candidate.settled
            FROM candidate
            -- Each is looked up by key: nothing is known of how many there are.
            CROSS JOIN LATERAL (SELECT * FROM purchase WHERE id = candidate.id OFFSET 0) AS purchase
            WHERE (purchase.paid_at, purchase.id) > (coalesce($3, '-infinity'), $4)
                AND purchase.amount - candidate.credited - purchase.refunded_amount + purchase.transferred_amount
                    + candidate.refunded - purchase.settled_amount + candidate.settled <> 0
            ORDER BY purchase.paid_at, purchase.id
            LIMIT $5
            """,
            [accounts, moment, cursor?.paidAt.date, cursor?.id ?? 0, Int64(limit + 1)]
        ) { row in try row.make(OutstandingPayment.init) }
    }

    /// The balances of accounts at a moment, by id; one without a posting is left out.
    static func balances(asOf moment: Date, accounts: [Int64]) -> PostgresQuery<[Int64: Int64]> {
        PostgresQuery<[(Int64, Int64)]>(
            """
            SELECT asked.account_id, posting.balance
            FROM unnest($1::int8[]) AS asked (account_id)
            JOIN posting ON posting.account_id = asked.account_id
                AND posting.seq = posting_seq_as_of(asked.account_id, $2)
            """,
            [accounts, moment]
        ) { row in (try row[0], try row[1]) }
        .map { Dictionary(uniqueKeysWithValues: $0) }
    }
}
