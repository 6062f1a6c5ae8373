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
                FULL JOIN (SELECT * FROM journal_entry WHERE kind = 'adjustment') AS entry
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
    ]
}
