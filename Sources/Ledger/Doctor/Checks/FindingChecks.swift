extension Doctor.Check {
    /// What the books are said to have ended is ended.
    ///
    /// What people and the gateway's answers end has no second record.
    static let findings: [Doctor.Check] = [
        Doctor.Check(
            "finding_not_ended", proves: "a finding that the books ended has nothing left for people to decide",
            sql: """
                SELECT 'finding:' || finding.id AS subject,
                    CASE WHEN finding.resolved_at IS NULL THEN 'is marked as ended by the books, but is open'
                        ELSE 'was ended by the books, but ' || wrong.reason END AS detail
                FROM finding
                \(credited)
                CROSS JOIN LATERAL (
                    SELECT min(CASE
                        WHEN kind IN ('payment_disputed', 'dispute_won_after_loss', 'dispute_unreadable', 'refund_reversed',
                            'store_purchase_unconsumed', 'refund_question_unanswered', 'endpoint_failing', 'custody_short', 'liability_above_limit', 'bonus_above_limit', 'spends_above_limit')
                            THEN 'nothing in them ends ' || kind
                        -- A refund that was requested later has, in time, a finding that is opened again.
                        WHEN kind = 'refund_undecided' AND EXISTS (
                            SELECT FROM refund
                            WHERE refund.purchase_id = purchase.id AND refund.status = 'pending'
                                AND refund.requested_at < finding.resolved_at - interval '1 hour')
                            THEN 'its refund is undecided'
                        WHEN kind = 'refunded_twice' AND purchase.transferred_amount > purchase.amount
                                - least(coalesce(finding.cancelled_amount, purchase.amount), purchase.amount)
                            AND NOT EXISTS (
                            SELECT FROM refund
                            WHERE refund.purchase_id = purchase.id AND refund.method = 'bank_transfer'
                                AND refund.requested_at > finding.resolved_at - interval '1 hour')
                            THEN 'more goes back than was paid'
                        WHEN kind = 'paid_at_in_future' AND finding.found_at
                                >= coalesce((SELECT max(until) FROM closed_period), '-infinity')
                            THEN 'its period is open'
                        WHEN kind NOT IN ('refund_undecided', 'refunded_twice', 'paid_at_in_future')
                                AND purchase.id IS NULL
                            THEN 'its payment is not credited'
                        END) AS reason
                    FROM unnest(finding.kinds) AS found (kind)
                ) AS wrong
                WHERE finding.ended_by_books AND (finding.resolved_at IS NULL OR wrong.reason IS NOT NULL)
                """),
        // What came back is subtracted of what was measured, and not of what is added up here.
        Doctor.Check(
            "hourly_finding_without_cause", proves: "in an hour above a limit, at least what was measured moved",
            sql: """
                SELECT 'finding:' || finding.id AS subject,
                    'measured ' || measured || ', but ' || moved.amount || ' moved in the hour' AS detail
                FROM finding
                CROSS JOIN LATERAL (
                    SELECT coalesce(sum(posting.amount), 0) AS amount
                    FROM (
                        SELECT account.id, account.normal_side
                        FROM ledger CROSS JOIN generate_series(0, ledger.stripes - 1) AS of (number)
                        JOIN account ON account.code = CASE kinds[1]
                            WHEN 'liability_above_limit' THEN 'coins:deferred-revenue/'
                            WHEN 'bonus_above_limit' THEN 'coins:promotions/'
                            WHEN 'spends_above_limit' THEN 'coins:redeemed/' END || of.number
                        UNION ALL
                        SELECT account.id, account.normal_side FROM account
                        WHERE kinds[1] = 'spends_above_limit' AND owner IS NOT NULL AND code LIKE 'earnings:%'
                    ) AS account
                    JOIN posting ON posting.account_id = account.id AND posting.side = account.normal_side
                        AND posting.seq > posting_seq_as_of(account.id, hour - interval '1 microsecond')
                        AND posting.seq <= posting_seq_as_of(account.id, hour + interval '1 hour - 1 microsecond')
                ) AS moved
                WHERE hour IS NOT NULL AND moved.amount < measured
                """),
    ]

    /// Joins `finding` with the purchase of its payment: under the same name, or under the other one that a gateway's two APIs
    /// give to one payment.
    private static let credited = """
        LEFT JOIN purchase ON purchase.id = coalesce(
            (SELECT own.id FROM purchase AS own WHERE own.imp_uid = finding.imp_uid AND own.gateway = finding.gateway),
            (SELECT other.id FROM purchase AS other
            WHERE other.merchant_uid = finding.merchant_uid AND other.gateway <> finding.gateway
                AND other.amount = finding.amount AND other.currency = finding.currency
                AND other.paid_at > finding.paid_at - interval '2 seconds'
                AND other.paid_at < finding.paid_at + interval '2 seconds'))
        """

    /// That the service resolves what a credit has ended.
    static let findingsOverdue = Doctor.Check(
        "finding_overdue", proves: "no finding is open 15 minutes after its payment was credited",
        sql: """
            SELECT 'finding:' || finding.id AS subject, 'its payment was credited at ' || purchase.credited_at AS detail
            FROM finding
            \(credited)
            WHERE finding.resolved_at IS NULL
                AND greatest(purchase.credited_at, finding.found_at, finding.reopened_at) < now() - interval '15 minutes'
                AND purchase.id IS NOT NULL
                AND NOT finding.kinds && ARRAY['refund_undecided', 'refunded_twice', 'paid_at_in_future',
                    'payment_disputed', 'dispute_won_after_loss', 'dispute_unreadable', 'refund_reversed',
                    'store_purchase_unconsumed', 'refund_question_unanswered']
            """)
}
