extension Doctor.Check {
    /// Users who were merged into others.
    static let merges: [Doctor.Check] = [
        Doctor.Check(
            "user_merge_misfits_entries",
            proves: "each merge's entries move the coins and debts of the former user into the other's accounts",
            sql: """
                SELECT 'user:' || told.former AS subject,
                    told.coins || ' coins and ' || told.debt || ' owed ones went to ' || told.user_id || '; its entry '
                        || coalesce(told.entry_id::text, 'is missing, and') || ' moves ' || coalesce(moved.coins, 0)
                        || ' and ' || coalesce(moved.debt, 0) AS detail
                FROM (
                    SELECT former, user_id, coins, debt, reason, merged_at, sent_entry_id AS entry_id, former AS owner, -1 AS sign
                    FROM user_merge
                    UNION ALL
                    SELECT former, user_id, coins, debt, reason, merged_at, received_entry_id, user_id, 1 FROM user_merge
                ) AS told
                LEFT JOIN journal_entry AS entry ON entry.id = told.entry_id
                LEFT JOIN (
                    SELECT posting.journal_entry_id, account.owner,
                        sum(CASE posting.side WHEN account.normal_side THEN posting.amount ELSE -posting.amount END)
                            FILTER (WHERE account.code NOT LIKE 'debt:%') AS coins,
                        sum(CASE posting.side WHEN account.normal_side THEN posting.amount ELSE -posting.amount END)
                            FILTER (WHERE account.code LIKE 'debt:%') AS debt
                    FROM journal_entry AS entry
                    JOIN posting ON posting.journal_entry_id = entry.id
                    JOIN account ON account.id = posting.account_id
                    WHERE entry.kind = 'merge' AND account.owner IS NOT NULL
                    GROUP BY posting.journal_entry_id, account.owner
                ) AS moved ON moved.journal_entry_id = told.entry_id AND moved.owner = told.owner
                WHERE told.sign * told.coins <> coalesce(moved.coins, 0) OR told.sign * told.debt <> coalesce(moved.debt, 0)
                    OR told.entry_id IS NOT NULL AND (entry.reason, entry.recorded_at)
                        IS DISTINCT FROM (told.reason, told.merged_at)
                """),
        Doctor.Check(
            "user_alias_misfits_merges", proves: "each former id refers to the user into whom it was merged in the end",
            sql: """
                WITH RECURSIVE merged AS (\(UserAliases.steps))
                SELECT 'user:' || coalesce(step.former, alias.former) AS subject,
                    'refers to ' || coalesce(alias.user_id, 'nobody') || '; it was merged into '
                        || coalesce(step.user_id, 'nobody') AS detail
                FROM (
                    SELECT * FROM merged WHERE NOT EXISTS (SELECT FROM user_merge WHERE user_merge.former = merged.user_id)
                ) AS step
                FULL JOIN user_alias AS alias ON alias.former = step.former
                WHERE (step.former_stripe, step.user_id, step.stripe)
                    IS DISTINCT FROM (alias.former_stripe, alias.user_id, alias.stripe)
                """),
        Doctor.Check(
            "former_user_has_something", proves: "an id that refers to another user has nothing any more",
            sql: """
                SELECT 'user:' || alias.former AS subject, 'has ' || had.what AS detail
                FROM user_alias AS alias
                JOIN user_merge AS merge ON merge.former = alias.former
                JOIN (
                    SELECT owner, 'account ' || id AS what, balance <> 0 AS is_left, posted_at FROM account
                    WHERE \(AccountSQL.isOfUser)
                    UNION ALL
                    SELECT user_id, 'lot ' || id, true, NULL FROM lot WHERE is_open
                    UNION ALL
                    SELECT user_id, 'purchase ' || id, true, NULL FROM purchase
                    UNION ALL
                    SELECT user_id, 'hold ' || id, true, NULL FROM hold
                    UNION ALL
                    SELECT user_id, 'refund ' || id, true, NULL FROM refund
                    UNION ALL
                    SELECT user_id, 'dispute ' || id, true, NULL FROM dispute
                ) AS had ON had.owner = alias.former
                WHERE had.is_left OR had.posted_at > merge.merged_at
                """),
    ]
}
