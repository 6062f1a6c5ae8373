extension Doctor.Check {
    /// Events are complete and in order.
    static let events: [Doctor.Check] = [
        Doctor.Check(
            "event_gap", proves: "events are numbered 1, 2, 3, …",
            sql: """
                SELECT 'event:' || seq AS subject, 'follows event ' || before AS detail
                FROM (SELECT seq, coalesce(lag(seq) OVER (ORDER BY seq), 0) AS before FROM event) AS numbered
                WHERE seq <> before + 1
                """),
        Doctor.Check(
            "event_of_nothing", proves: "each event is of an entry or an occurrence",
            sql: """
                SELECT 'event:' || event.seq AS subject, 'of ' || event.id || ', which does not exist' AS detail
                FROM event
                LEFT JOIN journal_entry AS entry ON entry.id = event.id
                LEFT JOIN occurrence ON occurrence.id = event.id
                WHERE entry.id IS NULL AND occurrence.id IS NULL
                """),
        Doctor.Check(
            "event_missing", proves: "everything that was committed when the last events were numbered has an event",
            sql: """
                SELECT subject, 'recorded at ' || recorded_at || ', has no event' AS detail
                FROM (
                    SELECT 'entry:' || id AS subject, id, transaction_id, recorded_at FROM journal_entry
                    UNION ALL
                    SELECT 'occurrence:' || id, id, transaction_id, recorded_at FROM occurrence
                ) AS happened
                LEFT JOIN event USING (id)
                WHERE event.id IS NULL AND pg_visible_in_snapshot(
                    transaction_id, (SELECT snapshot FROM event WHERE snapshot IS NOT NULL ORDER BY seq DESC LIMIT 1))
                """),
        Doctor.Check(
            "event_out_of_order", proves: "no account's history runs backwards in the events",
            sql: """
                SELECT 'event:' || seq AS subject,
                    'posts to account ' || account_id || ' after what event ' || before || ' posts' AS detail
                FROM (
                    SELECT event.seq, posting.account_id,
                        lag(coalesce(event.seq, 9223372036854775807)) OVER (
                            PARTITION BY posting.account_id ORDER BY posting.seq) AS before
                    FROM posting
                    LEFT JOIN event ON event.id = posting.journal_entry_id
                ) AS line
                WHERE seq < before
                """),
        Doctor.Check(
            "crossing_untrue", proves: "each event of a threshold has the available coins before and after its entry",
            sql: """
                SELECT 'occurrence:' || event.id AS subject,
                    event.type || ' ' || threshold || ' from ' || told.before || ' to ' || told.available || ', but entry '
                        || journal_entry_id || ' led to ' || coalesce(found.available::text, 'nothing') AS detail
                FROM occurrence AS event
                CROSS JOIN LATERAL jsonb_to_record(event.detail)
                    AS told (threshold bigint, before bigint, available bigint, journal_entry_id bigint)
                LEFT JOIN journal_entry AS entry ON entry.id = journal_entry_id AND entry.recorded_at = event.recorded_at
                LEFT JOIN LATERAL (
                    SELECT CASE WHEN sum(balance) FILTER (WHERE is_debt) > 0 THEN 0
                            ELSE coalesce(sum(balance) FILTER (WHERE NOT is_debt), 0) END AS available,
                        CASE WHEN sum(balance - moved) FILTER (WHERE is_debt) > 0 THEN 0
                            ELSE coalesce(sum(balance - moved) FILTER (WHERE NOT is_debt), 0) END AS before
                    FROM (
                        SELECT line.balance, code LIKE 'debt:%' AS is_debt, CASE WHEN line.journal_entry_id = entry.id
                            THEN CASE line.side WHEN account.normal_side THEN line.amount ELSE -line.amount END ELSE 0 END AS moved
                        FROM account
                        CROSS JOIN LATERAL (
                            SELECT posting.journal_entry_id, posting.side, posting.amount, posting.balance FROM posting
                            WHERE posting.account_id = account.id
                                AND posting.seq <= posting_seq_as_of(account.id, entry.recorded_at)
                                -- Entries of one batch have one time.
                                AND (posting.journal_entry_id <= entry.id OR entry.recorded_at > (
                                    SELECT recorded_at FROM journal_entry WHERE id = posting.journal_entry_id))
                            ORDER BY posting.seq DESC LIMIT 1
                        ) AS line
                        WHERE account.owner = event.user_id AND (code LIKE 'wallet:%' OR code LIKE 'debt:%')
                    ) AS held
                ) AS found ON entry.id IS NOT NULL
                WHERE event.type IN ('balance.fell_below', 'balance.rose_above')
                    AND (event.subject <> 'user:' || event.user_id
                        OR (found.before, found.available) IS DISTINCT FROM (told.before, told.available)
                        OR NOT CASE event.type
                            WHEN 'balance.fell_below' THEN told.before >= threshold AND told.available < threshold
                            ELSE told.before <= threshold AND told.available > threshold END)
                """),
        Doctor.Check(
            "event_misfits", proves: "each event has the type of its entry, and the user whose coins it moves",
            sql: """
                SELECT 'event:' || event.seq AS subject, event.type || ' of ' || coalesce(event.user_id, 'no user')
                    || ', but entry ' || entry.id || ' is a ' || entry.kind || ' of '
                    || coalesce(owned.owner, 'no user') AS detail
                FROM event
                JOIN journal_entry AS entry ON entry.id = event.id
                LEFT JOIN (
                    SELECT posting.journal_entry_id, min(account.owner) AS owner
                    FROM posting
                    JOIN account ON account.id = posting.account_id
                    WHERE account.owner IS NOT NULL AND account.code NOT LIKE 'earnings:%'
                        AND account.code NOT LIKE 'payable:%'
                    GROUP BY posting.journal_entry_id
                ) AS owned ON owned.journal_entry_id = entry.id
                WHERE (event.user_id IS DISTINCT FROM owned.owner
                    -- A claw-back of a payment whose coins are all held or gone moves none of the user's; neither do the won of
                    -- given coins that were used, and the payment of a refund.
                    AND NOT (owned.owner IS NULL AND entry.kind IN (
                        'claw_back', 'claw_back_reversal', 'gift_taken_back', 'gift_returned', 'refund_payment'))) OR event.type <> \(EntryKind.eventTypeSQL(of: "entry"))
                """),
        Doctor.Check(
            "event_misfits_occurrence", proves: "each event of something else than an entry has its type and its user",
            sql: """
                SELECT 'event:' || event.seq AS subject,
                    event.type || ' of occurrence ' || occurrence.id || ', which is a ' || occurrence.type
                        || CASE WHEN event.user_id IS DISTINCT FROM occurrence.user_id THEN ' of another user' ELSE '' END
                    AS detail
                FROM event
                JOIN occurrence ON occurrence.id = event.id
                WHERE event.type <> occurrence.type OR event.user_id IS DISTINCT FROM occurrence.user_id
                """),
    ]
}
