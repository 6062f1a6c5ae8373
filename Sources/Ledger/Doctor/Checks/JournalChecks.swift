extension Doctor.Check {
    /// Entries balance and fit their postings.
    static let journal: [Doctor.Check] = [
        Doctor.Check(
            "entry_out_of_order",
            proves: "each entry's transaction id is lower than the server's next one, so the chain includes it",
            sql: """
                SELECT 'entry:' || id AS subject,
                    'has transaction id ' || transaction_id || ', but the server''s next one is '
                    || pg_snapshot_xmax(pg_current_snapshot()) AS detail
                FROM journal_entry
                WHERE transaction_id >= pg_snapshot_xmax(pg_current_snapshot())
                """),
        Doctor.Check(
            "trial_balance_differs", proves: "over all accounts, debits equal credits in each currency",
            sql: """
                SELECT 'currency:' || currency AS subject,
                    'debits of ' || sum(debits) || ' against credits of ' || sum(credits) AS detail
                FROM account
                GROUP BY currency
                HAVING sum(debits) <> sum(credits)
                """),
        Doctor.Check(
            "entry_unbalanced", proves: "each journal entry's debits equal its credits in each currency",
            sql: """
                SELECT 'entry:' || journal_entry_id AS subject,
                    'debits less credits are ' || sum(CASE side WHEN 'D' THEN amount ELSE -amount END)
                        || ' ' || currency AS detail
                FROM posting
                GROUP BY journal_entry_id, currency
                HAVING sum(CASE side WHEN 'D' THEN amount ELSE -amount END) <> 0
                """),
        Doctor.Check(
            "entry_without_postings", proves: "each journal entry has postings",
            sql: """
                SELECT 'entry:' || id AS subject, 'a ' || kind || ' without postings' AS detail
                FROM journal_entry
                WHERE NOT EXISTS (SELECT FROM posting WHERE posting.journal_entry_id = journal_entry.id)
                """),
        Doctor.Check(
            "posting_misfits_entry", proves: "each posting's journal entry exists and has the posting's stripe",
            sql: """
                SELECT 'posting:' || posting.account_id || '/' || posting.seq AS subject,
                    'of entry ' || posting.journal_entry_id || ', '
                        || CASE WHEN entry.id IS NULL THEN 'which does not exist' ELSE 'in another stripe' END AS detail
                FROM posting
                LEFT JOIN journal_entry AS entry ON entry.id = posting.journal_entry_id
                WHERE entry.id IS NULL OR entry.stripe <> posting.stripe
                """),
        Doctor.Check(
            "reversal_misfits",
            proves: "each reversal names an earlier entry of its stripe, or of one that a merged user had",
            sql: """
                WITH RECURSIVE merged AS (\(UserAliases.steps))
                SELECT 'entry:' || entry.id AS subject, 'reverses entry ' || entry.reverses || ', which '
                    || CASE WHEN reversed.id IS NULL THEN 'does not exist' ELSE 'is no earlier entry of its stripe' END AS detail
                FROM journal_entry AS entry
                LEFT JOIN journal_entry AS reversed ON reversed.id = entry.reverses
                WHERE entry.reverses IS NOT NULL
                    AND (reversed.id IS NULL OR reversed.id = entry.id
                        OR reversed.stripe <> entry.stripe AND NOT EXISTS (
                            SELECT FROM merged WHERE former_stripe = reversed.stripe AND stripe = entry.stripe)
                        OR reversed.recorded_at > entry.recorded_at)
                """),
        Doctor.Check(
            "entry_in_closed_period", proves: "no entry is effective in a period that was closed when it was recorded",
            sql: """
                SELECT 'entry:' || id AS subject, 'effective at ' || effective_at || ', recorded at ' || recorded_at AS detail
                FROM journal_entry AS entry
                WHERE effective_at < (SELECT max(until) FROM closed_period WHERE closed_at < entry.recorded_at)
                """),
    ]
}
