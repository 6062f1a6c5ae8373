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
                    -- A lost dispute was perhaps won before; never the other way round.
                    SELECT dispute_id, min(outcome) AS outcome FROM dispute_decision GROUP BY dispute_id
                ) AS decided ON decided.dispute_id = dispute.id
                WHERE dispute.status <> coalesce(decided.outcome, 'open')
                """),
        Doctor.Check(
            "lost_dispute_differs_from_entry", proves: "what a lost dispute took back is what its claw-back posted",
            sql: """
                SELECT 'dispute:' || decision.dispute_id AS subject,
                    'took back ' || decision.amount || '; entry ' || decision.journal_entry_id || ' '
                        || coalesce(reversal.amount, 0) AS detail
                FROM dispute_decision AS decision
                JOIN dispute ON dispute.id = decision.dispute_id
                LEFT JOIN purchase_reversal AS reversal ON reversal.journal_entry_id = decision.journal_entry_id
                WHERE decision.journal_entry_id IS NOT NULL AND (reversal.amount IS DISTINCT FROM decision.amount
                    OR reversal.purchase_id <> dispute.purchase_id)
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
                LEFT JOIN dispute_decision AS lost ON lost.dispute_id = win.dispute_id AND lost.outcome = 'lost'
                WHERE dispute.id IS NULL OR dispute.status <> 'lost' OR lost.decided_by IS NULL
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
