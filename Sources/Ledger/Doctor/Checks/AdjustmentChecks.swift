extension Doctor.Check {
    /// What was adjusted at the ends of months follows from the policies and the cohorts.
    static let adjustments: [Doctor.Check] = [
        Doctor.Check(
            "adjusted_balance_differs",
            proves: "the accounts of expected breakage and bonus coins have what their last adjustment says",
            sql: """
                SELECT 'account:' || balance.name AS subject,
                    'balance ' || balance.won || ', the last adjustment says ' || coalesce(last.target, 0) AS detail
                FROM (
                    SELECT split_part(code, '/', 1) AS name, sum(balance) AS won,
                        CASE split_part(code, ':', 2)
                            WHEN 'expected-breakage/' || stripe THEN 'breakage' ELSE 'bonus' END AS subject,
                        bool_or(code LIKE 'revenue:bonus%') AS is_opposite
                    FROM account
                    WHERE owner IS NULL AND (code LIKE '%:expected-breakage/%' OR code LIKE 'coins:deferred-bonus/%'
                        OR code LIKE 'revenue:bonus-allocation/%')
                    GROUP BY 1, 3
                ) AS balance
                LEFT JOIN LATERAL (
                    SELECT target FROM adjustment WHERE adjustment.subject = balance.subject ORDER BY number DESC LIMIT 1
                ) AS last ON true
                WHERE balance.won <> coalesce(last.target, 0) * CASE WHEN balance.is_opposite THEN -1 ELSE 1 END
                """),
        Doctor.Check(
            "adjustment_misfits_entry",
            proves: "each adjustment that changes a balance has its entry, and each entry its adjustment",
            sql: """
                SELECT coalesce('adjustment:' || adjustment.id, 'entry:' || entry.id) AS subject,
                    CASE WHEN adjustment.id IS NULL THEN 'books no adjustment'
                        WHEN entry.id IS NULL THEN 'has no entry of ' || adjustment.amount || ' won'
                        ELSE 'changes the balance by ' || adjustment.amount || '; entry ' || entry.id || ' by '
                            || coalesce(posted.amount, 0) END AS detail
                FROM (SELECT * FROM adjustment WHERE amount <> 0) AS adjustment
                FULL JOIN (
                    SELECT * FROM journal_entry WHERE kind = 'adjustment' AND reference NOT LIKE 'revaluation:%'
                ) AS entry
                    ON entry.id = adjustment.journal_entry_id
                LEFT JOIN LATERAL (
                    SELECT sum(CASE WHEN (posting.side = 'D') = (account.normal_side = 'D') THEN amount ELSE -amount END)
                        AS amount
                    FROM posting JOIN account ON account.id = posting.account_id
                    WHERE posting.journal_entry_id = entry.id AND account.code = CASE adjustment.subject
                        WHEN 'breakage' THEN 'coins:expected-breakage/0' ELSE 'coins:deferred-bonus/0' END
                ) AS posted ON true
                WHERE adjustment.id IS NULL OR entry.id IS NULL OR posted.amount IS DISTINCT FROM adjustment.amount
                    OR entry.reference <> 'adjustment:' || adjustment.id OR entry.recorded_at <> adjustment.recorded_at
                    OR entry.effective_at <> adjustment.ends_at - interval '1 microsecond'
                """),
        Doctor.Check(
            "adjustment_out_of_order",
            proves: "adjustments follow each other by month, and change the balance from one target to the next",
            sql: """
                SELECT 'adjustment:' || id AS subject,
                    'of ' || month || ', changes ' || coalesce(before, 0) || ' by ' || amount || ' to ' || target
                        || coalesce('; the one before it is of ' || month_before, '') AS detail
                FROM (
                    SELECT *, lag(target) OVER earlier AS before, lag(month) OVER earlier AS month_before
                    FROM adjustment WINDOW earlier AS (PARTITION BY subject ORDER BY number)
                ) AS adjustment
                WHERE coalesce(before, 0) + amount <> target OR month < month_before OR recorded_at < ends_at
                """),
        Doctor.Check(
            "adjustment_misfits_policy", proves: "each adjustment follows the policy that was in force in its month",
            sql: """
                SELECT 'adjustment:' || adjustment.id AS subject,
                    'of ' || adjustment.month || ' follows policy '
                        || coalesce(asked.followed::text, 'none') || ', but ' || coalesce(policy.id::text, 'none')
                        || ' was in force' AS detail
                FROM adjustment
                CROSS JOIN LATERAL (VALUES
                    ('breakage', adjustment.breakage_policy_id, adjustment.subject = 'breakage'),
                    ('bonus', adjustment.bonus_policy_id, true)) AS asked (subject, followed, is_asked)
                LEFT JOIN LATERAL (
                    SELECT id FROM accounting_policy
                    WHERE accounting_policy.subject = asked.subject AND month <= adjustment.month
                    ORDER BY month DESC, id DESC LIMIT 1
                ) AS policy ON asked.is_asked
                WHERE asked.followed IS DISTINCT FROM policy.id
                """),
        Doctor.Check(
            "adjustment_misfits_cohorts",
            proves: "each cohort's target follows from its figures by the policy, and the adjustment adds them up",
            sql: """
                SELECT 'adjustment:' || coalesce(adjustment.id, part.adjustment_id) AS subject,
                    'has the target ' || coalesce(adjustment.target, 0) || ', its cohorts ' || coalesce(part.target, 0)
                        || ', by the policy ' || coalesce(part.expected, 0) AS detail
                FROM adjustment
                FULL JOIN (
                    SELECT cohort.adjustment_id, sum(cohort.target) AS target, sum(rule.target) AS expected,
                        bool_or(cohort.target <> rule.target) AS misfits
                    FROM adjustment_cohort AS cohort
                    LEFT JOIN adjustment AS made ON made.id = cohort.adjustment_id
                    LEFT JOIN accounting_policy AS policy ON policy.id = CASE made.subject
                        WHEN 'breakage' THEN made.breakage_policy_id ELSE made.bonus_policy_id END
                    CROSS JOIN LATERAL (
                        SELECT sold - refunded AS kept, div(
                            (sold - refunded)::numeric * least(policy.expected, policy.highly_probable), 1000) AS broken
                    ) AS share
                    CROSS JOIN LATERAL (
                        SELECT CASE policy.method
                            WHEN 'expected_pattern' THEN greatest(0, least(deferred, coalesce(div(
                                share.broken * least(used, share.kept - share.broken),
                                nullif(share.kept - share.broken, 0)) - expired, 0)))
                            WHEN 'relative_price' THEN allocated - deferred
                            ELSE 0 END AS target
                    ) AS rule
                    GROUP BY cohort.adjustment_id
                ) AS part ON part.adjustment_id = adjustment.id
                WHERE coalesce(adjustment.target, 0) <> coalesce(part.target, 0) OR adjustment.id IS NULL OR part.misfits
                """),
        Doctor.Check(
            "adjustment_misfits_basis",
            proves: "the cohorts of each adjustment add up to what was measured at the end of its month",
            sql: """
                SELECT 'adjustment:' || adjustment.id AS subject,
                    'has ' || part.purchases || ' purchases, ' || part.sold || ' won sold, ' || part.deferred
                        || ' deferred, ' || part.expired || ' expired; at the end of ' || adjustment.month || ' there were '
                        || coalesce(basis.purchases || ', ' || basis.sold || ', ' || basis.deferred || ', '
                            || basis.expired, 'none measured') AS detail
                FROM adjustment
                LEFT JOIN adjustment_basis AS basis ON basis.id = adjustment.basis_id AND basis.month = adjustment.month
                    AND basis.ends_at = adjustment.ends_at
                LEFT JOIN accounting_policy AS bonus ON bonus.id = adjustment.bonus_policy_id
                CROSS JOIN LATERAL (
                    SELECT coalesce(sum(purchases), 0) AS purchases, coalesce(sum(sold), 0) AS sold,
                        coalesce(sum(deferred), 0) AS deferred, coalesce(sum(expired), 0) AS expired
                    FROM adjustment_cohort WHERE adjustment_id = adjustment.id
                ) AS part
                CROSS JOIN LATERAL (
                    -- Of breakage, relative prices leave only a part to paid coins, each rounded down.
                    SELECT adjustment.subject = 'breakage' AND coalesce(bonus.bonus_price, 0) > 0 AS is_part
                ) AS rule
                WHERE adjustment.basis_id IS NOT NULL AND NOT coalesce(part.purchases = basis.purchases
                    AND (part.sold = basis.sold OR rule.is_part AND part.sold < basis.sold)
                    AND (part.deferred = basis.deferred OR rule.is_part AND part.deferred < basis.deferred)
                    AND (part.expired = basis.expired OR rule.is_part AND part.expired < basis.expired), false)
                """),
        Doctor.Check(
            "adjustment_basis_differs",
            proves:
                "what was measured for each adjustment is what purchases, postings and lots had at the end of its month",
            sql: basisAgainstEntries),
        Doctor.Check(
            "adjustment_cohort_differs",
            proves: "each cohort of a subject's last adjustment follows from the purchases of its month and their lots",
            sql: cohortAgainstLots),
    ]

    /// Adds up what all entries changed until the end of each month, and takes out what was not known at the measurement.
    ///
    /// That is only what was recorded in a later month than the one it belongs to.
    private static let basisAgainstEntries = """
        WITH used AS MATERIALIZED (
            SELECT * FROM adjustment_basis WHERE id IN (SELECT basis_id FROM adjustment)
        ), ends AS MATERIALIZED (
            SELECT array_agg(ends_at ORDER BY ends_at) AS moments FROM (SELECT DISTINCT ends_at FROM used) AS one
        ), entry AS MATERIALIZED (
            SELECT sum(purchases) AS purchases, sum(sold) AS sold, sum(deferred) AS deferred, sum(expired) AS expired,
                width_bucket(entry.effective_at, ends.moments) AS month,
                CASE WHEN width_bucket(entry.recorded_at, ends.moments) > width_bucket(entry.effective_at, ends.moments)
                    THEN entry.transaction_id END AS late_transaction,
                max(width_bucket(entry.recorded_at, ends.moments)) AS recorded
            FROM (
                SELECT journal_entry_id AS id, 1 AS purchases, amount AS sold, 0 AS deferred, 0 AS expired
                FROM lot WHERE kind = 'paid' AND purchase_id IS NOT NULL
                UNION ALL
                SELECT journal_entry_id, 0, 0, CASE side WHEN 'C' THEN posting.amount ELSE -posting.amount END, 0
                FROM account JOIN posting ON posting.account_id = account.id
                WHERE account.owner IS NULL AND account.code LIKE 'coins:deferred-revenue/%'
                UNION ALL
                SELECT journal_entry_id, 0, 0, 0,
                    coalesce(breakage, 0) - coalesce(lag(breakage) OVER (PARTITION BY lot_id ORDER BY seq), 0)
                FROM lot_movement
            ) AS change
            JOIN journal_entry AS entry USING (id)
            CROSS JOIN ends
            WHERE EXISTS (SELECT FROM used)
            GROUP BY month, late_transaction
        ), known AS (
            SELECT used.id, sum(entry.purchases) AS purchases, sum(entry.sold) AS sold, sum(entry.deferred) AS deferred,
                sum(entry.expired) AS expired
            FROM used
            CROSS JOIN ends
            JOIN entry ON entry.month < array_position(ends.moments, used.ends_at)
                AND (entry.late_transaction IS NULL
                    OR entry.recorded < array_position(ends.moments, used.ends_at)
                    OR pg_visible_in_snapshot(entry.late_transaction, used.snapshot))
            GROUP BY used.id
        )
        SELECT 'adjustment_basis:' || used.id AS subject,
            'measured ' || used.purchases || ' purchases, ' || used.sold || ' won sold, ' || used.deferred || ' deferred, '
                || used.expired || ' expired; there were ' || coalesce(known.purchases, 0) || ', '
                || coalesce(known.sold, 0) || ', ' || coalesce(known.deferred, 0) || ', ' || coalesce(known.expired, 0)
                AS detail
        FROM used
        LEFT JOIN known ON known.id = used.id
        WHERE (used.purchases, used.sold, used.deferred, used.expired) IS DISTINCT FROM (
            coalesce(known.purchases, 0), coalesce(known.sold, 0), coalesce(known.deferred, 0), coalesce(known.expired, 0))
        """

    /// Follows each purchase from its sale to the end of the month, by the entries that were known.
    ///
    /// An adjustment counts from the present back, so the two agree only if both are right. Later adjustments replace the
    /// target of earlier ones, so the last ones are what the balances depend on.
    private static let cohortAgainstLots = """
        WITH last AS MATERIALIZED (
            SELECT DISTINCT ON (adjustment.subject) adjustment.id, adjustment.subject, basis.zone, basis.ends_at,
                basis.snapshot, coalesce(policy.bonus_price, 0) AS bonus_price
            FROM adjustment
            JOIN adjustment_basis AS basis ON basis.id = adjustment.basis_id
            LEFT JOIN accounting_policy AS policy ON policy.id = adjustment.bonus_policy_id
            ORDER BY adjustment.subject, adjustment.number DESC
        ), change AS MATERIALIZED (
            -- Coins that were given away are of the same sale.
            SELECT coalesce(lot.origin_id, lot.id) AS lot_id, entry.effective_at, entry.transaction_id,
                moved.remaining + moved.held - lag(moved.remaining + moved.held, 1, lot.coins) OVER earlier AS coins,
                moved.deferred - lag(moved.deferred, 1, lot.amount) OVER earlier AS deferred,
                coalesce(moved.breakage, 0) - coalesce(lag(moved.breakage) OVER earlier, 0) AS expired
            FROM lot_movement AS moved
            JOIN lot ON lot.id = moved.lot_id AND coalesce(lot.purchase_id, lot.origin_purchase_id) IS NOT NULL
            JOIN journal_entry AS entry ON entry.id = moved.journal_entry_id
            WHERE EXISTS (SELECT FROM last)
            WINDOW earlier AS (PARTITION BY moved.lot_id ORDER BY moved.seq)
            UNION ALL
            SELECT lot.origin_id, entry.effective_at, entry.transaction_id, lot.coins, lot.amount, 0
            FROM lot
            JOIN journal_entry AS entry ON entry.id = lot.journal_entry_id
            WHERE lot.origin_purchase_id IS NOT NULL AND EXISTS (SELECT FROM last)
        ), state AS (
            SELECT last.id AS adjustment_id, lot.purchase_id, lot.kind, lot.coins, lot.amount,
                lot.coins + coalesce(sum(change.coins), 0) AS coins_left,
                lot.amount + coalesce(sum(change.deferred), 0) AS deferred, coalesce(sum(change.expired), 0) AS expired
            FROM last
            CROSS JOIN lot
            LEFT JOIN change ON change.lot_id = lot.id AND change.effective_at < last.ends_at
                AND pg_visible_in_snapshot(change.transaction_id, last.snapshot)
            WHERE lot.purchase_id IS NOT NULL
            GROUP BY last.id, lot.id
        ), given_back AS (
            SELECT last.id AS adjustment_id, back.purchase_id, sum(back.won) AS won
            FROM (
                SELECT purchase_id, journal_entry_id, amount AS won FROM purchase_reversal
                UNION ALL
                SELECT purchase_id, reversal_entry_id, fee FROM refund WHERE reversal_entry_id IS NOT NULL
                UNION ALL
                SELECT refund.purchase_id, decision.journal_entry_id, -refund.fee
                FROM refund_decision AS decision JOIN refund ON refund.id = decision.refund_id
                WHERE decision.status = 'reversed'
            ) AS back
            JOIN journal_entry AS entry ON entry.id = back.journal_entry_id
            JOIN last ON entry.effective_at < last.ends_at AND pg_visible_in_snapshot(entry.transaction_id, last.snapshot)
            GROUP BY last.id, back.purchase_id
        ), sale AS (
            SELECT last.id AS adjustment_id, last.subject,
                to_char(entry.effective_at AT TIME ZONE last.zone, 'YYYY-MM') AS sold_in, paid.amount AS sold,
                paid.deferred, paid.expired, paid.coins, paid.coins_left, bonus.coins AS bonus_coins,
                bonus.coins_left AS bonus_left,
                greatest(0, least(coalesce(given_back.won, 0), paid.amount - paid.deferred - paid.expired)) AS refunded,
                paid.amount - coalesce(div(paid.amount::numeric * bonus.coins * last.bonus_price,
                    paid.coins::numeric * 1000 + bonus.coins::numeric * last.bonus_price), 0) AS of_paid
            FROM last
            JOIN state AS paid ON paid.adjustment_id = last.id AND paid.kind = 'paid'
            JOIN purchase ON purchase.id = paid.purchase_id
            JOIN journal_entry AS entry ON entry.id = purchase.journal_entry_id AND entry.effective_at < last.ends_at
                AND pg_visible_in_snapshot(entry.transaction_id, last.snapshot)
            LEFT JOIN state AS bonus ON bonus.adjustment_id = last.id AND bonus.purchase_id = paid.purchase_id
                AND bonus.kind = 'bonus'
            LEFT JOIN given_back ON given_back.adjustment_id = last.id AND given_back.purchase_id = paid.purchase_id
        ), computed AS (
            SELECT adjustment_id, sold_in, count(*) AS purchases,
                sum(div(sold * part.counted, sold)) AS sold, sum(div(refunded * part.counted, sold)) AS refunded,
                sum(div(expired * part.counted, sold)) AS expired, sum(div(deferred * part.counted, sold)) AS deferred,
                sum(CASE WHEN subject = 'bonus' THEN CASE WHEN bonus_coins IS NULL THEN deferred ELSE least(
                    div(of_paid * coins_left, coins) + div((sold - of_paid) * bonus_left, bonus_coins), sold - refunded)
                    END END) AS allocated
            FROM sale
            CROSS JOIN LATERAL (
                SELECT CASE subject WHEN 'breakage' THEN of_paid ELSE sold END::numeric AS counted
            ) AS part
            GROUP BY adjustment_id, sold_in
        )
        SELECT 'adjustment:' || coalesce(cohort.adjustment_id, computed.adjustment_id) AS subject,
            coalesce(cohort.sold_in, computed.sold_in) || ' has '
                || \(figures("cohort")) || '; its purchases have ' || \(figures("computed")) AS detail
        FROM (SELECT * FROM adjustment_cohort WHERE adjustment_id IN (SELECT id FROM last)) AS cohort
        FULL JOIN computed ON computed.adjustment_id = cohort.adjustment_id AND computed.sold_in = cohort.sold_in
        WHERE (cohort.purchases, cohort.sold, cohort.refunded, cohort.expired, cohort.deferred, cohort.allocated)
            IS DISTINCT FROM (
                computed.purchases, computed.sold, computed.refunded, computed.expired, computed.deferred,
                computed.allocated)
        """

    /// The figures of a cohort as text.
    private static func figures(_ cohort: String) -> String {
        let names = ["purchases", "sold", "refunded", "expired", "deferred", "allocated"]
        let texts = names.map { "\(cohort).\($0) || ' \($0)'" }
        return "coalesce(nullif(concat_ws(', ', \(texts.joined(separator: ", "))), ''), 'none')"
    }
}
