extension Doctor.Check {
    /// Entries are of the kind, the reference and the times of what they book.
    static let facts: [Doctor.Check] = [
        Doctor.Check(
            "entry_misfits_facts", proves: "each entry has the kind and the reference of what it books",
            sql: """
                SELECT 'entry:' || entry.id AS subject,
                    'is a ' || entry.kind || ' of ' || entry.reference || '; it books '
                        || coalesce('a ' || fact.kind || coalesce(' of ' || fact.reference, ''), 'nothing known') AS detail
                FROM journal_entry AS entry
                LEFT JOIN (
                    \(ofRows)
                    UNION ALL
                    \(ofPostings)
                ) AS fact ON fact.id = entry.id
                WHERE entry.kind IS DISTINCT FROM fact.kind OR entry.reference <> fact.reference
                """),
        Doctor.Check(
            "effective_time_differs",
            proves: "each entry is effective when that happened which it books, or later if the books were closed",
            sql: """
                SELECT 'entry:' || entry.id AS subject,
                    'a ' || entry.kind || ' is effective at ' || coalesce(entry.late_for, entry.effective_at)
                        || '; it happened at ' || coalesce(happened.at, entry.recorded_at) AS detail
                FROM journal_entry AS entry
                LEFT JOIN (\(happened)) AS happened ON happened.id = entry.id
                WHERE CASE
                        WHEN entry.kind = 'debt_bank_payment'
                            -- A date counts as its beginning, and nothing was owed before the debt arose.
                            THEN coalesce(entry.late_for, entry.effective_at) NOT BETWEEN happened.at
                                AND happened.at + interval '1 day'
                        WHEN happened.id IS NOT NULL OR entry.kind IN (\(atOnce))
                            THEN coalesce(entry.late_for, entry.effective_at)
                                <> coalesce(happened.at, entry.recorded_at)
                        ELSE false END
                    OR entry.late_for IS NOT NULL AND entry.effective_at NOT IN (SELECT until FROM closed_period)
                """),
        Doctor.Check(
            "currency_differs", proves: "purchases, their lots and their refunds are in won, as their accounts",
            sql: """
                SELECT record.subject, 'is in ' || record.currency AS detail
                FROM (
                    SELECT 'purchase:' || id AS subject, currency FROM purchase
                    UNION ALL
                    SELECT 'lot:' || id, currency FROM lot
                    UNION ALL
                    SELECT 'refund:' || id, currency FROM refund
                ) AS record
                WHERE record.currency <> '\(SystemAccount.deferredRevenue.currency.code)'
                """),
        Doctor.Check(
            "recorded_time_differs", proves: "what an entry books was recorded at the time of the entry",
            sql: """
                SELECT fact.subject, 'was recorded at ' || fact.at || '; entry ' || entry.id || ' at '
                    || entry.recorded_at AS detail
                FROM (
                    SELECT 'purchase:' || id AS subject, journal_entry_id AS entry_id, credited_at AS at FROM purchase
                    UNION ALL
                    SELECT 'lot:' || id, journal_entry_id, acquired_at FROM lot
                    UNION ALL
                    SELECT 'gift:' || id, sent_entry_id, recorded_at FROM gift
                    UNION ALL
                    SELECT 'gift:' || id, received_entry_id, recorded_at FROM gift
                    UNION ALL
                    SELECT 'hold:' || id, journal_entry_id, placed_at FROM hold
                    UNION ALL
                    SELECT 'refund:' || id, journal_entry_id, requested_at FROM refund
                    UNION ALL
                    SELECT 'settlement_row:' || id, journal_entry_id, settled_at FROM settlement_row
                    UNION ALL
                    SELECT 'entry:' || journal_entry_id, journal_entry_id, recorded_at FROM provider_share
                    UNION ALL
                    SELECT 'dispute:' || dispute_id, journal_entry_id, recorded_at FROM dispute_decision
                    UNION ALL
                    SELECT 'entry:' || journal_entry_id, journal_entry_id, recorded_at FROM idempotency
                ) AS fact
                JOIN journal_entry AS entry ON entry.id = fact.entry_id
                WHERE entry.recorded_at <> fact.at
                """),
    ]

    /// The entries of rows: the kind and the reference that follow from the row.
    ///
    /// NULL as a reference: it does not follow.
    private static let ofRows = """
        SELECT journal_entry_id AS id, 'purchase' AS kind, 'purchase:' || id AS reference FROM purchase
        UNION ALL
        SELECT journal_entry_id, 'grant', 'lot:' || id FROM lot WHERE purchase_id IS NULL AND origin_id IS NULL
        UNION ALL
        SELECT sent_entry_id, CASE WHEN purchase_id IS NULL THEN 'gift_sent' ELSE 'gift_taken_back' END, 'gift:' || id
        FROM gift
        UNION ALL
        SELECT received_entry_id, CASE WHEN purchase_id IS NULL THEN 'gift_received' ELSE 'gift_returned' END, 'gift:' || id
        FROM gift
        UNION ALL
        SELECT journal_entry_id, 'grant_void', 'lot:' || lot_id FROM grant_void
        UNION ALL
        SELECT reversal.journal_entry_id,
            CASE WHEN decision.outcome = 'won' OR restored.claw_back_id IS NOT NULL THEN 'claw_back_reversal'
                WHEN reversal.amount < 0 THEN 'refund_reversal'
                WHEN refund.id IS NULL THEN 'claw_back' ELSE 'refund' END,
            CASE WHEN refund.id IS NOT NULL THEN 'refund:' || refund.id
                WHEN reversal.amount >= 0 OR decision.outcome = 'won' OR restored.claw_back_id IS NOT NULL THEN 'purchase:' || reversal.purchase_id END
        FROM purchase_reversal AS reversal
        LEFT JOIN refund ON refund.reversal_entry_id = reversal.journal_entry_id
        LEFT JOIN dispute_decision AS decision ON decision.journal_entry_id = reversal.journal_entry_id
        LEFT JOIN claw_back_reversal AS restored ON restored.journal_entry_id = reversal.journal_entry_id
        UNION ALL
        SELECT journal_entry_id, 'hold', 'hold:' || id FROM hold
        UNION ALL
        SELECT journal_entry_id, CASE WHEN captured > 0 THEN 'capture' ELSE 'void' END, 'hold:' || hold_id FROM hold_event
        UNION ALL
        SELECT journal_entry_id, CASE method WHEN 'gateway' THEN 'refund_hold' ELSE 'refund' END, 'refund:' || id
        FROM refund
        UNION ALL
        SELECT expiry_reversal_id, 'expiry_reversal', 'refund:' || id FROM refund WHERE expiry_reversal_id IS NOT NULL
        UNION ALL
        SELECT decision.journal_entry_id,
            CASE decision.status WHEN 'refused' THEN 'refund_release' WHEN 'reversed' THEN 'refund_reversal'
                ELSE CASE refund.method WHEN 'gateway' THEN 'refund' ELSE 'refund_payment' END END,
            'refund:' || decision.refund_id
        FROM refund_decision AS decision
        JOIN refund ON refund.id = decision.refund_id
        UNION ALL
        SELECT journal_entry_id, 'settlement', 'purchase:' || purchase_id FROM settlement_row WHERE status = 'settled'
        UNION ALL
        SELECT back.journal_entry_id, used.kind || '_reversal',
            CASE used.kind WHEN 'spend' THEN 'spend:' || used.id ELSE used.reference END
        FROM (SELECT DISTINCT journal_entry_id, redemption_id FROM coin_return) AS back
        JOIN journal_entry AS used ON used.id = back.redemption_id
        UNION ALL
        SELECT unnest(ARRAY[sent_entry_id, received_entry_id]), 'merge', 'merge:' || former FROM user_merge
        WHERE sent_entry_id IS NOT NULL
        UNION ALL
        SELECT journal_entry_id, 'debt_bank_payment', 'user:' || user_id FROM debt_bank_payment
        UNION ALL
        SELECT journal_entry_id, 'payout', 'payout:' || payout_id FROM payout_entry
        UNION ALL
        SELECT journal_entry_id, 'provider_repayment', 'provider:' || provider FROM provider_repayment
        UNION ALL
        SELECT journal_entry_id, 'dispute_' || act, 'purchase:' || purchase_id FROM coin_freeze
        UNION ALL
        SELECT journal_entry_id, 'adjustment', 'adjustment:' || id FROM adjustment WHERE journal_entry_id IS NOT NULL
        UNION ALL
        SELECT unnest(ARRAY[journal_entry_id, reversal_entry_id]), 'adjustment', 'revaluation:' || id FROM revaluation
        WHERE journal_entry_id IS NOT NULL
        """

    /// The entries without such a row: the kind that follows from their postings.
    private static let ofPostings = """
        SELECT id, kind, NULL
        FROM (
            SELECT id, CASE
                WHEN takes AND redeems THEN 'spend' WHEN takes AND expires THEN 'expiry'
                WHEN takes AND pays_debt THEN 'debt_payment' WHEN writes_off AND pays_debt THEN 'debt_write_off'
                WHEN writes_back THEN 'debt_write_off_reversal' END AS kind
            FROM (
                SELECT posting.journal_entry_id AS id,
                    bool_or(account.owner IS NOT NULL AND code LIKE 'wallet:%' AND side = 'D') AS takes,
                    bool_or(account.owner IS NOT NULL AND code LIKE 'debt:%' AND side = 'C') AS pays_debt,
                    bool_or(account.owner IS NULL AND code LIKE '\(SystemAccount.coinsRedeemed.rawValue)/%' AND side = 'C')
                        AS redeems,
                    bool_or(account.owner IS NULL AND code LIKE '\(SystemAccount.coinsExpired.rawValue)/%' AND side = 'C')
                        AS expires,
                    bool_or(account.owner IS NULL AND code LIKE '\(SystemAccount.coinsWrittenOff.rawValue)/%' AND side = 'D')
                        AS writes_off,
                    bool_or(account.owner IS NULL AND code LIKE '\(SystemAccount.coinsWrittenOff.rawValue)/%' AND side = 'C')
                        AS writes_back
                FROM posting
                JOIN account ON account.id = posting.account_id AND account.currency = 'COIN'
                GROUP BY posting.journal_entry_id
            ) AS posted
        ) AS entry
        -- The coins and the debt of a merged user leave by one entry.
        WHERE kind IS NOT NULL AND NOT EXISTS (SELECT FROM user_merge WHERE sent_entry_id = entry.id)
        """

    /// The kinds of what happens when it is recorded.
    private static let atOnce = """
        'grant', 'spend', 'hold', 'capture', 'void', 'spend_reversal', 'capture_reversal', 'refund_hold', 'refund_release',
        'debt_payment', 'debt_write_off', 'debt_write_off_reversal', 'dispute_hold', 'dispute_release', 'expiry_reversal',
        'grant_void', 'gift_sent', 'gift_received', 'gift_taken_back', 'gift_returned', 'merge'
        """

    /// When that happened which was recorded later, by entry.
    private static let happened = """
        SELECT journal_entry_id AS id, paid_at AS at FROM purchase
        UNION ALL
        SELECT journal_entry_id, paid_out_at FROM settlement_row WHERE status = 'settled'
        UNION ALL
        SELECT booked.journal_entry_id, least(decision.paid_at, entry.recorded_at)
        FROM payout_entry AS booked
        JOIN payout_decision AS decision ON decision.payout_id = booked.payout_id AND decision.decision = 'paid'
        JOIN journal_entry AS entry ON entry.id = booked.journal_entry_id
        UNION ALL
        SELECT journal_entry_id, least(paid_at, recorded_at) FROM provider_repayment
        UNION ALL
        SELECT entry.id, least(payment.paid_at, entry.recorded_at)
        FROM debt_bank_payment AS payment
        JOIN journal_entry AS entry ON entry.id = payment.journal_entry_id
        UNION ALL
        SELECT entry.id, least(entry.recorded_at, CASE
            WHEN decision.status = 'completed' THEN greatest(decision.paid_at, refund.requested_at)
            WHEN decision.repaid_at IS NOT NULL THEN greatest(decision.repaid_at, refund.paid_at, refund.requested_at)
            ELSE entry.recorded_at END)
        FROM refund_decision AS decision
        JOIN refund ON refund.id = decision.refund_id AND refund.method = 'bank_transfer'
        JOIN journal_entry AS entry ON entry.id = decision.journal_entry_id
        """
}
