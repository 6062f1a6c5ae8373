/// SQL for purchases, of a table named `purchase`.
enum PurchaseSQL {
    /// The status of a purchase with these refunded won and paid coins.
    static func status(refunded amount: String, coins: String) -> String {
        """
        CASE
            WHEN \(amount) = purchase.amount OR \(coins) = purchase.coins THEN 'refunded'
            WHEN \(amount) > 0 THEN 'partially_refunded'
            ELSE 'credited'
        END
        """
    }

    /// Joins the refunded part of each purchase as `refunded (amount, coins)`, from entries (named `reversal`) that
    /// meet a condition; nil: all so far.
    static func refunded(by condition: String?) -> String {
        guard let condition else {
            return """
                CROSS JOIN LATERAL (
                    SELECT purchase.refunded_amount AS amount, purchase.refunded_coins AS coins
                ) AS refunded
                """
        }
        // Of any stripe, as a merge may have given the purchase another one.
        // OFFSET 0 keeps the planner from scanning all postings of the account, and all refunds, for each purchase.
        return """
            CROSS JOIN LATERAL (
                SELECT coalesce(sum(reversal.sign * posting.amount) FILTER (
                        WHERE \(SystemAccount.isReceivable("account.code"))
                            OR split_part(account.code, '/', 1) IN (
                                '\(SystemAccount.refundsPayable.rawValue)', '\(SystemAccount.bank.rawValue)')
                    ), 0)::bigint AS amount,
                    coalesce(sum(reversal.sign * posting.amount) FILTER (
                        WHERE split_part(account.code, '/', 1) = '\(SystemAccount.coinsIssued.rawValue)'
                    ), 0)::bigint AS coins
                FROM (
                    SELECT reversal.id, 'C' AS side, 1 AS sign FROM journal_entry AS reversal
                    WHERE purchase.refunded_amount > 0 AND reversal.reverses = purchase.journal_entry_id
                        AND reversal.kind IN ('refund', 'claw_back') AND \(condition)
                    UNION ALL
                    -- A refund that is reversed was refunded before, and was not afterwards.
                    SELECT reversal.id, entry.side, entry.sign
                    FROM (
                        SELECT reversal_entry_id, status FROM refund WHERE refund.purchase_id = purchase.id OFFSET 0
                    ) AS refund
                    CROSS JOIN LATERAL (
                        SELECT refund.reversal_entry_id AS id, 'C' AS side, 1 AS sign WHERE purchase.refunded_amount = 0
                        UNION ALL
                        SELECT DISTINCT journal_entry_id, 'D', -1 FROM coin_return
                        WHERE redemption_id = refund.reversal_entry_id
                    ) AS entry
                    JOIN journal_entry AS reversal ON reversal.id = entry.id
                    WHERE refund.status = 'reversed' AND \(condition)
                    UNION ALL
                    -- So was what a dispute took that is won after it was booked as lost.
                    SELECT reversal.id, CASE decision.outcome WHEN 'lost' THEN 'C' ELSE 'D' END,
                        CASE decision.outcome WHEN 'lost' THEN 1 ELSE -1 END
                    FROM (
                        SELECT id FROM dispute WHERE dispute.purchase_id = purchase.id OFFSET 0
                    ) AS dispute
                    JOIN dispute_decision AS decision ON decision.dispute_id = dispute.id
                        AND (decision.outcome = 'won' OR purchase.refunded_amount = 0)
                    JOIN journal_entry AS reversal ON reversal.id = decision.journal_entry_id
                    WHERE \(condition)
                    UNION ALL
                    -- So was what was clawed back for a refund that the store took back.
                    SELECT reversal.id, entry.side, entry.sign
                    FROM (
                        SELECT journal_entry_id, claw_back_id FROM claw_back_reversal
                        WHERE claw_back_reversal.purchase_id = purchase.id OFFSET 0
                    ) AS undone
                    CROSS JOIN LATERAL (
                        SELECT undone.journal_entry_id AS id, 'D' AS side, -1 AS sign
                        UNION ALL
                        SELECT undone.claw_back_id, 'C', 1 WHERE purchase.refunded_amount = 0
                    ) AS entry
                    JOIN journal_entry AS reversal ON reversal.id = entry.id
                    WHERE \(condition)
                ) AS reversal
                CROSS JOIN LATERAL (
                    SELECT account_id, amount FROM posting
                    WHERE posting.journal_entry_id = reversal.id AND posting.side = reversal.side OFFSET 0
                ) AS posting
                JOIN account ON account.id = posting.account_id
            ) AS refunded
            """
    }
}
