extension Doctor.Check {
    /// What is owed to providers follows from captures, reversals and payouts.
    static let providers: [Doctor.Check] = [
        Doctor.Check(
            "payable_unexplained",
            proves:
                "what is owed to a provider is shares of captures less reversals, and repayments, less payouts, in each "
                + "stripe",
            sql: """
                SELECT 'account:' || account.code AS subject,
                    'has ' || account.balance || ' won; shares and repayments are ' || coalesce(earned.amount, 0)
                        || ', payouts '
                        || coalesce(paid.amount, 0) AS detail
                FROM account
                LEFT JOIN (
                    SELECT provider, stripe, sum(amount) AS amount FROM provider_due GROUP BY provider, stripe
                ) AS earned ON earned.provider = account.owner AND earned.stripe = account.stripe
                LEFT JOIN (
                    SELECT provider, stripe, sum(amount) AS amount FROM payout_entry GROUP BY provider, stripe
                ) AS paid ON paid.provider = account.owner AND paid.stripe = account.stripe
                WHERE account.owner IS NOT NULL AND account.code LIKE 'payable:%'
                    AND account.balance <> coalesce(earned.amount, 0) - coalesce(paid.amount, 0)
                """),
        Doctor.Check(
            "share_misfits_capture",
            proves: "a provider's share is that of the won which the capture recognised and did not defer again",
            sql: """
                SELECT 'entry:' || kept.capture_id AS subject,
                    'of ' || kept.amount || ' won at ' || terms.share || ' basis points the share is ' || kept.share
                        || '; the entries recognised ' || coalesce(kept.recognised, 0) AS detail
                FROM (
                    SELECT share.capture_id, max(share.terms_id) AS terms_id,
                        sum(CASE WHEN share.journal_entry_id = capture_id THEN amount ELSE -amount END) AS amount,
                        sum(CASE WHEN share.journal_entry_id = capture_id THEN share ELSE -share END) AS share,
                        sum(posted.recognised) AS recognised, count(DISTINCT provider) AS providers
                    FROM provider_share AS share
                    LEFT JOIN (
                        SELECT posting.journal_entry_id,
                            sum(CASE side WHEN 'D' THEN amount ELSE -amount END) AS recognised
                        FROM posting
                        JOIN account ON account.id = posting.account_id
                            AND account.owner IS NULL AND account.code LIKE 'coins:deferred-revenue/%'
                        WHERE posting.journal_entry_id IN (SELECT journal_entry_id FROM provider_share)
                        GROUP BY posting.journal_entry_id
                    ) AS posted ON posted.journal_entry_id = share.journal_entry_id
                    GROUP BY share.capture_id
                ) AS kept
                JOIN provider_terms AS terms ON terms.id = kept.terms_id
                WHERE kept.share <> div(kept.amount * terms.share, 10000)
                    OR kept.amount <> coalesce(kept.recognised, 0) OR kept.providers <> 1
                """),
        Doctor.Check(
            "share_by_other_terms",
            proves: "each share has the terms of its provider and product, or of all products if that had none",
            sql: """
                SELECT 'entry:' || share.journal_entry_id AS subject,
                    'has terms ' || terms.id || ' of ' || terms.provider || coalesce(', ' || terms.product, '')
                        || '; it is for ' || share.provider || coalesce(', ' || share.product, '') AS detail
                FROM provider_share AS share
                JOIN provider_terms AS terms ON terms.id = share.terms_id
                WHERE terms.provider <> share.provider
                    OR share.journal_entry_id = share.capture_id AND terms.product IS DISTINCT FROM share.product
                        AND (terms.product IS NOT NULL OR EXISTS (
                            SELECT FROM provider_terms AS own
                            WHERE own.provider = share.provider AND own.product = share.product
                                AND own.set_at < share.recorded_at))
                """),
        Doctor.Check(
            "capture_without_share",
            proves: "each capture for a provider with terms, and each reversal of one, has the provider's share",
            sql: """
                SELECT 'entry:' || entry.id AS subject,
                    'is for ' || recorded.provider || ', who had terms, and has no share' AS detail
                FROM (
                    SELECT journal_entry_id, recorded_at, coalesce(
                        outcome #>> '{holdCaptured,_0,provider}',
                        outcome #>> '{redemptionReversed,_0,provider}') AS provider,
                        outcome #>> '{redemptionReversed,_0,redemptionID}' AS redemption_id
                    FROM idempotency
                    WHERE command IN ('capture', 'reversal') AND EXISTS (SELECT FROM provider_terms)
                ) AS recorded
                JOIN journal_entry AS entry ON entry.id = recorded.journal_entry_id
                JOIN (SELECT provider, min(set_at) AS since FROM provider_terms GROUP BY provider) AS terms
                    ON terms.provider = recorded.provider
                LEFT JOIN journal_entry AS capture ON capture.id = recorded.redemption_id::bigint
                WHERE coalesce(capture.recorded_at, entry.recorded_at) > terms.since
                    AND NOT EXISTS (SELECT FROM provider_share WHERE journal_entry_id = entry.id)
                """),
        Doctor.Check(
            "payout_misfits_shares",
            proves: "a payout pays the shares that it covers, each share is in one payout at most, and taxes add up",
            sql: """
                SELECT 'payout:' || payout.id AS subject,
                    payout.status || ', pays ' || item.provider || ' ' || item.amount || ' won; its shares are '
                        || coalesce(covered.amount, 0) || ', it booked ' || coalesce(booked.amount, 0) || ' and '
                        || coalesce(booked.tax, 0) || ' of taxes' AS detail
                FROM payout
                JOIN payout_item AS item ON item.payout_id = payout.id
                LEFT JOIN (
                    SELECT payout_id, provider, sum(amount) AS amount FROM provider_due
                    WHERE payout_id IS NOT NULL GROUP BY payout_id, provider
                ) AS covered ON covered.payout_id = payout.id AND covered.provider = item.provider
                LEFT JOIN (
                    SELECT payout_id, provider, sum(amount) AS amount, sum(tax) AS tax
                    FROM payout_entry GROUP BY payout_id, provider
                ) AS booked ON booked.payout_id = payout.id AND booked.provider = item.provider
                WHERE coalesce(covered.amount, 0) <> CASE payout.status WHEN 'withdrawn' THEN 0 ELSE item.amount END
                    OR coalesce(booked.amount, 0) <> CASE payout.status WHEN 'paid' THEN item.amount ELSE 0 END
                    OR coalesce(booked.tax, 0)
                        <> CASE payout.status WHEN 'paid' THEN item.income_tax + item.local_tax ELSE 0 END
                """),
        Doctor.Check(
            "payout_part_misfits_shares",
            proves: "the parts of a payout, by provider and stripe, are the shares and repayments that it covers",
            sql: """
                SELECT 'payout:' || payout_id AS subject,
                    'the part of ' || provider || ' in stripe ' || stripe || ' is ' || coalesce(part.amount, 0)
                        || '; its shares are ' || coalesce(covered.amount, 0) AS detail
                FROM (
                    SELECT payout_id, provider, stripe, part.amount FROM payout_part AS part
                    JOIN payout ON payout.id = payout_id AND payout.status <> 'withdrawn'
                ) AS part
                FULL JOIN (
                    SELECT payout_id, provider, stripe, sum(amount) AS amount FROM provider_due
                    WHERE payout_id IS NOT NULL GROUP BY payout_id, provider, stripe
                ) AS covered USING (payout_id, provider, stripe)
                WHERE coalesce(part.amount, 0) <> coalesce(covered.amount, 0)
                """),
        Doctor.Check(
            "payout_shares_miscounted",
            proves: "a payout says of each provider how many shares and repayments it covers",
            sql: """
                SELECT 'payout:' || item.payout_id AS subject,
                    'covers ' || coalesce(covered.shares, 0) || ' shares and repayments of ' || item.provider || ', and says '
                        || item.shares AS detail
                FROM payout_item AS item
                JOIN payout ON payout.id = item.payout_id AND payout.status <> 'withdrawn'
                LEFT JOIN (
                    SELECT payout_id, provider, count(*) AS shares FROM provider_due
                    WHERE payout_id IS NOT NULL GROUP BY payout_id, provider
                ) AS covered ON covered.payout_id = item.payout_id AND covered.provider = item.provider
                -- NULL: it is from before they were kept.
                WHERE item.shares <> coalesce(covered.shares, 0)
                """),
        Doctor.Check(
            "share_of_another_provider",
            proves: "a provider's share is of a capture, or a reversal of one, of that provider's coins",
            sql: """
                SELECT 'entry:' || share.journal_entry_id AS subject,
                    'has a share for ' || share.provider || '; its coins are for ' || coalesce(earned.by, 'no provider')
                        AS detail
                FROM provider_share AS share
                LEFT JOIN (
                    SELECT posting.journal_entry_id, min(account.owner) AS by
                    FROM posting
                    JOIN account ON account.id = posting.account_id
                        AND account.owner IS NOT NULL AND account.code LIKE 'earnings:%'
                    GROUP BY posting.journal_entry_id
                ) AS earned ON earned.journal_entry_id = share.journal_entry_id
                WHERE share.provider IS DISTINCT FROM earned.by
                """),
        Doctor.Check(
            "provider_repayment_misfits",
            proves: "each repayment is of an entry that posts it, and each such entry has a repayment",
            sql: """
                SELECT 'entry:' || coalesce(entry.id, told.journal_entry_id) AS subject,
                    'posts ' || coalesce(posted.amount, 0) || ' won of ' || coalesce(posted.provider, 'no provider')
                        || '; told: ' || coalesce(told.amount, 0) || ' of ' || coalesce(told.provider, 'no provider') AS detail
                FROM (SELECT * FROM journal_entry WHERE kind = 'provider_repayment') AS entry
                FULL JOIN provider_repayment AS told ON told.journal_entry_id = entry.id
                LEFT JOIN (
                    SELECT posting.journal_entry_id, account.owner AS provider, posting.amount, posting.side
                    FROM posting
                    JOIN account ON account.id = posting.account_id
                        AND account.owner IS NOT NULL AND account.code LIKE 'payable:%'
                ) AS posted ON posted.journal_entry_id = entry.id
                WHERE entry.id IS NULL OR (told.amount, told.provider, told.stripe, told.recorded_at, 'C')
                    IS DISTINCT FROM (posted.amount, posted.provider, entry.stripe, entry.recorded_at, posted.side)
                    OR entry.reference <> 'provider:' || told.provider
                """),
        Doctor.Check(
            "payout_status_misfits",
            proves: "a payout is as far as was decided, and another person than the proposer approved it",
            sql: """
                SELECT 'payout:' || payout.id AS subject,
                    'is ' || payout.status || '; decided: ' || coalesce(decided.all, 'nothing') AS detail
                FROM payout
                LEFT JOIN (
                    SELECT payout_id, string_agg(decision, ', ' ORDER BY decided_at) AS all,
                        bool_or(decision = 'approved') AS is_approved, bool_or(decision = 'withdrawn') AS is_withdrawn,
                        bool_or(decision = 'paid') AS is_paid,
                        max(decided_by) FILTER (WHERE decision = 'approved') AS approved_by
                    FROM payout_decision GROUP BY payout_id
                ) AS decided ON decided.payout_id = payout.id
                WHERE payout.status <> CASE
                        WHEN decided.is_paid THEN 'paid' WHEN decided.is_withdrawn THEN 'withdrawn'
                        WHEN decided.is_approved THEN 'approved' ELSE 'proposed' END
                    OR decided.is_paid AND (decided.is_withdrawn OR NOT decided.is_approved)
                    OR \(person("decided.approved_by")) = \(person("payout.proposed_by"))
                """),
        Doctor.Check(
            "payout_entry_misfits",
            proves: "each payout entry posts what it pays out, and each share and payout is of an entry of its kind",
            sql: """
                SELECT 'entry:' || fact.id AS subject,
                    'is ' || coalesce(entry.kind, 'missing') || ' and posts ' || coalesce(posted.owed, 0)
                        || ' won to what is owed; told: ' || coalesce(fact.owed, 0) AS detail
                FROM (
                    SELECT journal_entry_id AS id, stripe, 'payout' AS kind, -amount AS owed FROM payout_entry
                    UNION ALL
                    SELECT journal_entry_id, stripe,
                        CASE WHEN journal_entry_id = capture_id THEN 'capture' ELSE 'capture_reversal' END,
                        CASE WHEN journal_entry_id = capture_id THEN share ELSE -share END
                    FROM provider_share
                    UNION ALL
                    SELECT id, stripe, 'payout', NULL FROM journal_entry
                    WHERE kind = 'payout' AND NOT EXISTS (SELECT FROM payout_entry WHERE journal_entry_id = id)
                ) AS fact
                LEFT JOIN journal_entry AS entry ON entry.id = fact.id
                LEFT JOIN (
                    SELECT posting.journal_entry_id,
                        sum(CASE side WHEN 'C' THEN amount ELSE -amount END) AS owed
                    FROM posting
                    JOIN account ON account.id = posting.account_id
                        AND account.owner IS NOT NULL AND account.code LIKE 'payable:%'
                    GROUP BY posting.journal_entry_id
                ) AS posted ON posted.journal_entry_id = fact.id
                WHERE entry.kind IS DISTINCT FROM fact.kind OR entry.stripe <> fact.stripe
                    OR fact.owed IS DISTINCT FROM coalesce(posted.owed, 0)
                """),
    ]

    /// SQL for the person of a caller, who is the same at every door.
    ///
    /// A reading of its own beside the judges' `person_of`, so that neither hides what the other one misses.
    private static func person(_ caller: String) -> String {
        "lower(regexp_replace(regexp_replace(\(caller), '^console:', ''), '^terminal:', ''))"
    }
}
