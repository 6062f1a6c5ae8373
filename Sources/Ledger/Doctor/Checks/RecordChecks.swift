extension Doctor.Check {
    /// What people and services asked for is as it was told and counted when they did.
    static let records: [Doctor.Check] = [
        Doctor.Check(
            "record_differs_from_event",
            proves:
                "periods, payouts, disputes, seals, merges and expired orders are as their events told when they came about",
            sql: """
                SELECT record.subject,
                    'differs from its event ' || event.id || ' (' || event.type || ') in '
                        || string_agg(member.key, ', ' ORDER BY member.key) AS detail
                FROM (\(recorded)) AS record
                JOIN (
                    SELECT DISTINCT ON (type, subject) id, type, subject, detail FROM occurrence ORDER BY type, subject, id
                ) AS event ON event.type = record.type AND event.subject = record.subject
                CROSS JOIN LATERAL jsonb_each(record.detail) AS member
                -- An event has no member that was nothing, or that came later.
                WHERE event.detail ? member.key AND event.detail -> member.key <> member.value
                    OR NOT event.detail ?| ARRAY(SELECT jsonb_object_keys(record.detail))
                GROUP BY record.subject, event.id, event.type
                """),
        Doctor.Check(
            "record_lost", proves: "the period, payout, dispute, seal or merge of each event is there",
            sql: """
                SELECT event.subject, 'was told by event ' || event.id || ' (' || event.type || '), and does not exist'
                    AS detail
                FROM occurrence AS event
                LEFT JOIN (\(recorded)) AS record ON record.type = event.type AND record.subject = event.subject
                WHERE event.type IN (
                        'period.closed', 'payout.proposed', 'payout.approved', 'payout.withdrawn', 'payout.paid',
                        'purchase.disputed', 'seal.made', 'order.expired', 'user.merged')
                    AND record.subject IS NULL
                """),
        Doctor.Check(
            "dispute_decided_otherwise", proves: "each dispute that ended did when one of its decisions says",
            sql: """
                SELECT 'dispute:' || dispute.id AS subject,
                    dispute.status || ' at ' || dispute.decided_at || '; nothing was decided then' AS detail
                FROM dispute
                LEFT JOIN dispute_decision AS decision ON decision.dispute_id = dispute.id
                    AND decision.decided_at = dispute.decided_at AND decision.outcome = dispute.status
                WHERE dispute.status <> 'open' AND decision.dispute_id IS NULL
                """),
        Doctor.Check(
            "policy_starts_otherwise", proves: "each accounting policy starts with its month, in some time zone",
            sql: """
                SELECT 'accounting_policy:' || id AS subject, 'of ' || month || ' starts at ' || starts_at AS detail
                FROM accounting_policy
                -- Zones are at most 14 hours from UTC, in quarters of an hour.
                WHERE starts_at NOT BETWEEN (month || '-01 00:00Z')::timestamptz - interval '14 hours'
                        AND (month || '-01 00:00Z')::timestamptz + interval '14 hours'
                    OR extract(epoch FROM starts_at) % 900 <> 0
                """),
        Doctor.Check(
            "grants_counted_differ",
            proves: "what each caller gave on a day, for its limit, is the sum of what was counted",
            sql: """
                SELECT 'grant_day:' || coalesce(given.day, counted.day) AS subject,
                    'has ' || coalesce(given.coins, 0) || ' coins; counted were ' || coalesce(counted.coins, 0) AS detail
                FROM grant_day AS given
                FULL JOIN (
                    SELECT caller, day, sum(coins) AS coins FROM grant_counted GROUP BY caller, day
                ) AS counted ON counted.caller = given.caller AND counted.day = given.day
                WHERE coalesce(given.coins, 0) <> coalesce(counted.coins, 0)
                """),
        Doctor.Check(
            "grant_differs_from_request",
            proves: "each grant has the user, coins, reason, issuer and expiry of the request under its key",
            sql: """
                SELECT 'lot:' || lot.id AS subject,
                    'of ' || lot.coins || ' coins, expiring ' || coalesce(first.expires_at::text, 'never')
                        || ', is not what the request with the fingerprint ' || recorded.fingerprint || ' asked for' AS detail
                FROM lot
                JOIN idempotency AS recorded
                    ON recorded.journal_entry_id = lot.journal_entry_id AND recorded.command = 'grant'
                JOIN journal_entry AS entry ON entry.id = lot.journal_entry_id
                LEFT JOIN (
                    SELECT lot_id, min(expired_at) AS expired_at FROM coin_return
                    WHERE expired_at IS NOT NULL
                    GROUP BY lot_id
                ) AS extended ON extended.lot_id = lot.id
                CROSS JOIN LATERAL (SELECT coalesce(extended.expired_at, lot.expires_at) AS expires_at) AS first
                -- Under any name of the user, if there was a merge since.
                WHERE NOT EXISTS (
                    SELECT FROM (SELECT \(UserAliases.now("lot.user_id")) AS id) AS present
                    CROSS JOIN LATERAL unnest(\(UserAliases.names(of: "present.id"))) AS called (name)
                    CROSS JOIN LATERAL (
                        -- Each part is preceded by its length in bytes; a part that is missing is a dash.
                        SELECT string_agg(coalesce(octet_length(convert_to(part, 'UTF8')) || ':' || part, '-'), '' ORDER BY place)
                            AS content
                        FROM unnest(ARRAY['grant', called.name, lot.coins::text, entry.reason, lot.issuer,
                            trim_scale(extract(epoch FROM first.expires_at) * 1000000)::text])
                            WITH ORDINALITY AS parts (part, place)
                    ) AS asked
                    WHERE recorded.fingerprint = encode(sha256(convert_to(asked.content, 'UTF8')), 'hex'))
                    -- Of a user who was forgotten, or whose reason named one, neither is left.
                    AND NOT EXISTS (SELECT FROM entry_salt WHERE entry_id = lot.journal_entry_id AND salt IS NULL)
                """),
    ]

    /// What events told when it came about, as the tables have it: type, subject and members.
    private static let recorded = """
        SELECT 'period.closed' AS type, 'period:' || id AS subject,
            jsonb_build_object('until', \(microseconds("until")), 'closed_by', closed_by) AS detail
        FROM closed_period
        UNION ALL
        SELECT 'user.merged', 'user:' || former,
            jsonb_build_object(
                'former_id', former, 'new_user', is_rename, 'coins', coins, 'debt', debt, 'merged_by', merged_by,
                'reason', reason)
        FROM user_merge
        UNION ALL
        SELECT 'seal.made', 'seal:' || id, jsonb_build_object('id', id, 'statement', statement) FROM seal
        UNION ALL
        SELECT told.type, 'payout:' || payout.id,
            jsonb_build_object(
                'id', payout.id, 'cut_off', \(microseconds("payout.cut_off")), 'by', told.by, 'providers', item.providers,
                'amount', item.amount, 'withheld', item.withheld, 'paid_at', \(microseconds("told.paid_at")),
                'bank_reference', told.bank_reference)
        FROM payout
        JOIN (
            SELECT payout_id, count(*) AS providers, sum(amount)::bigint AS amount,
                sum(income_tax + local_tax)::bigint AS withheld
            FROM payout_item
            GROUP BY payout_id
        ) AS item ON item.payout_id = payout.id
        JOIN (
            SELECT id AS payout_id, 'payout.proposed' AS type, proposed_by AS by, NULL::timestamptz AS paid_at,
                NULL AS bank_reference
            FROM payout
            UNION ALL
            SELECT payout_id, 'payout.' || decision, decided_by, paid_at, bank_reference FROM payout_decision
        ) AS told ON told.payout_id = payout.id
        UNION ALL
        SELECT told.type, 'dispute:' || dispute.id,
            jsonb_build_object(
                'id', dispute.id, 'purchase_id', purchase.id, 'gateway', purchase.gateway, 'imp_uid', purchase.imp_uid,
                'merchant_uid', purchase.merchant_uid, 'payment_id', purchase.payment_id, 'amount', purchase.amount,
                'currency', purchase.currency, 'reason', dispute.reason,
                'opened_at', \(microseconds("dispute.opened_at")))
        FROM dispute
        JOIN purchase ON purchase.id = dispute.purchase_id
        CROSS JOIN (VALUES ('purchase.disputed')) AS told (type)
        UNION ALL
        SELECT 'order.expired', 'order:' || id,
            jsonb_build_object(
                'id', id, 'gateway', gateway, 'merchant_uid', merchant_uid, 'product', product, 'amount', amount,
                'currency', currency, 'expires_at', \(microseconds("expires_at")))
        FROM "order"
        """

    private static func microseconds(_ moment: StaticString) -> String {
        "extract(epoch FROM \(moment)) * 1000000"
    }
}
