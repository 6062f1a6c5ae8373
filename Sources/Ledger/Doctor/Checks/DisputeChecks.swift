extension Doctor.Check {
    /// Disputes agree with their purchases, decisions and entries.
    static let disputes: [Doctor.Check] = [
        Doctor.Check(
            "dispute_misfits_purchase", proves: "each dispute's purchase exists and belongs to the dispute's user",
            sql: """
                SELECT 'dispute:' || dispute.id AS subject, 'does not fit purchase ' || dispute.purchase_id AS detail
                FROM dispute
                LEFT JOIN purchase ON purchase.id = dispute.purchase_id
                WHERE purchase.id IS NULL OR purchase.user_id <> dispute.user_id OR purchase.stripe <> dispute.stripe
                """),
        Doctor.Check(
            "dispute_differs_from_decisions", proves: "each dispute's status is that of its last decision",
            sql: """
                SELECT 'dispute:' || dispute.id AS subject,
                    dispute.status || ', but decided ' || coalesce(decided.outcome, 'nothing') AS detail
                FROM dispute
                LEFT JOIN (
                    SELECT DISTINCT ON (dispute_id) dispute_id, outcome FROM dispute_decision
                    ORDER BY dispute_id, seq DESC
                ) AS decided ON decided.dispute_id = dispute.id
                WHERE dispute.status <> coalesce(decided.outcome, 'open')
                """),
        Doctor.Check(
            "lost_dispute_differs_from_entry",
            proves: "what a lost dispute took back, or gave back when it was won after that, is what its entry posted",
            sql: """
                SELECT 'dispute:' || decision.dispute_id AS subject,
                    decision.outcome || ' ' || decision.amount || '; entry ' || decision.journal_entry_id || ' reverses '
                        || coalesce(reversal.amount, 0) AS detail
                FROM dispute_decision AS decision
                JOIN dispute ON dispute.id = decision.dispute_id
                LEFT JOIN purchase_reversal AS reversal ON reversal.journal_entry_id = decision.journal_entry_id
                WHERE decision.journal_entry_id IS NOT NULL AND (reversal.purchase_id <> dispute.purchase_id
                    OR reversal.amount IS DISTINCT FROM
                        CASE decision.outcome WHEN 'lost' THEN decision.amount ELSE -decision.amount END)
                """),
        Doctor.Check(
            "dispute_given_back_differs",
            proves:
                "each dispute that was won after its loss, and each refund that a store took back, gave back all, once, coin by coin",
            sql: """
                SELECT 'entry:' || coalesce(entry.id, decision.journal_entry_id) AS subject,
                    'gives back ' || coalesce(posted.wallet, 0) || ' coins and ends ' || coalesce(posted.debt, 0)
                        || ' of the debt; entry ' || coalesce(entry.reverses::text, 'none') || ' took '
                        || coalesce(taken.coins + taken.bonus_coins, 0) || ', and ' || coalesce(back.coins, 0)
                        || ' came back into lots' AS detail
                FROM (SELECT * FROM journal_entry WHERE kind = 'claw_back_reversal') AS entry
                FULL JOIN (
                    SELECT journal_entry_id, outcome, lag(journal_entry_id) OVER earlier AS lost_id,
                        lag(outcome) OVER earlier AS lost, NULL::int8 AS purchase_id
                    FROM dispute_decision
                    WINDOW earlier AS (PARTITION BY dispute_id ORDER BY seq)
                    UNION ALL
                    SELECT journal_entry_id, 'won', claw_back_id, 'lost', purchase_id FROM claw_back_reversal
                ) AS decision ON decision.journal_entry_id = entry.id
                LEFT JOIN purchase_reversal AS taken ON taken.journal_entry_id = entry.reverses
                LEFT JOIN (
                    SELECT posting.journal_entry_id, sum(amount) FILTER (WHERE code LIKE 'wallet:%') AS wallet,
                        sum(amount) FILTER (WHERE code LIKE 'debt:%') AS debt,
                        sum(amount) FILTER (WHERE \(isReceivable)) AS won
                    FROM posting JOIN account ON account.id = posting.account_id
                    -- Few of the entries, or all postings would be grouped.
                    WHERE posting.journal_entry_id IN (SELECT id FROM journal_entry WHERE kind = 'claw_back_reversal')
                    GROUP BY posting.journal_entry_id
                ) AS posted ON posted.journal_entry_id = entry.id
                LEFT JOIN (
                    SELECT coin_return.journal_entry_id, sum(coin_return.coins) AS coins,
                        bool_or(lot.purchase_id IS NULL OR 'purchase:' || lot.purchase_id <> mover.reference) AS is_others
                    FROM coin_return
                    JOIN journal_entry AS mover ON mover.id = coin_return.journal_entry_id
                    LEFT JOIN lot ON lot.id = coin_return.lot_id
                    GROUP BY coin_return.journal_entry_id
                ) AS back ON back.journal_entry_id = entry.id
                WHERE (entry.id IS NOT NULL OR decision.outcome = 'won' AND decision.journal_entry_id IS NOT NULL)
                    AND NOT coalesce(decision.outcome = 'won' AND decision.lost = 'lost'
                        AND decision.lost_id = entry.reverses AND posted.won = taken.amount
                        AND coalesce(decision.purchase_id, taken.purchase_id) = taken.purchase_id
                        AND coalesce(posted.wallet, 0) = coalesce(back.coins, 0) AND NOT coalesce(back.is_others, false)
                        AND coalesce(posted.wallet, 0) + coalesce(posted.debt, 0)
                            = taken.coins + taken.bonus_coins, false)
                """),
        Doctor.Check(
            "dispute_win_misfits_dispute",
            proves: "a dispute is won after its loss only if finance had booked it as lost",
            sql: """
                SELECT 'dispute:' || win.dispute_id AS subject,
                    coalesce('is ' || dispute.status || ', booked as lost '
                        || coalesce('by ' || lost.decided_by, 'by nobody'), 'does not exist') AS detail
                FROM dispute_win AS win
                LEFT JOIN dispute ON dispute.id = win.dispute_id
                LEFT JOIN (
                    SELECT dispute_id, max(decided_by) AS decided_by FROM dispute_decision WHERE outcome = 'lost'
                    GROUP BY dispute_id
                ) AS lost ON lost.dispute_id = win.dispute_id
                WHERE dispute.id IS NULL OR dispute.status = 'open' OR lost.decided_by IS NULL
                    OR win.resolved_at > win.recorded_at
                """),
        Doctor.Check(
            "freeze_differs_from_entry", proves: "each entry of a dispute moved the coins that were frozen or released",
            sql: """
                SELECT 'entry:' || coalesce(moved.journal_entry_id, posted.id) AS subject,
                    coalesce(moved.act, 'no fact') || ' of ' || coalesce(moved.coins + moved.bonus_coins, 0)
                        || ' coins; posted ' || coalesce(posted.coins, 0) AS detail
                FROM coin_freeze AS moved
                FULL JOIN (
                    SELECT entry.id, entry.kind, entry.reference,
                        sum(posting.amount) FILTER (WHERE account.code LIKE 'held:%') AS coins
                    FROM journal_entry AS entry
                    JOIN posting ON posting.journal_entry_id = entry.id
                    JOIN account ON account.id = posting.account_id
                    WHERE entry.kind IN ('dispute_hold', 'dispute_release')
                    GROUP BY entry.id
                ) AS posted ON posted.id = moved.journal_entry_id
                WHERE posted.coins IS DISTINCT FROM moved.coins + moved.bonus_coins
                    OR posted.kind <> 'dispute_' || moved.act OR posted.reference <> 'purchase:' || moved.purchase_id
                """),
        Doctor.Check(
            "coins_frozen_without_dispute", proves: "coins are frozen only while a dispute of their purchase is open",
            sql: """
                SELECT 'purchase:' || purchase_id AS subject,
                    total || ' coins are frozen, and no dispute is open' AS detail
                FROM (
                    SELECT purchase_id, sum(CASE act WHEN 'hold' THEN 1 ELSE -1 END * (coins + bonus_coins)) AS total
                    FROM coin_freeze
                    GROUP BY purchase_id
                ) AS frozen
                WHERE total < 0 OR total > 0 AND NOT EXISTS (
                    SELECT FROM dispute WHERE dispute.purchase_id = frozen.purchase_id AND dispute.status = 'open')
                """),
    ]
}
