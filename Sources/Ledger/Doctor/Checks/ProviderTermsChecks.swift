extension Doctor.Check {
    /// What providers get, and what is withheld of it, follows from their terms.
    static let providerTerms: [Doctor.Check] = [
        Doctor.Check(
            "share_misfits_role",
            proves:
                "an agent's capture posts our commission without its VAT, a principal's the provider's share as our cost",
            sql: """
                SELECT 'entry:' || share.journal_entry_id AS subject,
                    'of ' || share.amount || ' won the provider gets ' || share.share || ', with ' || share.vat
                        || ' VAT, by terms ' || share.terms_id || coalesce(' as ' || terms.role, ', which do not exist')
                        || '; posted as commission ' || coalesce(posted.commission, 0) || ', as cost '
                        || coalesce(posted.cost, 0) AS detail
                FROM provider_share AS share
                LEFT JOIN provider_terms AS terms ON terms.id = share.terms_id
                LEFT JOIN (
                    SELECT posting.journal_entry_id,
                        sum(CASE side WHEN 'C' THEN amount ELSE -amount END) FILTER (WHERE code LIKE '\(commission)/%')
                            AS commission,
                        sum(CASE side WHEN 'D' THEN amount ELSE -amount END) FILTER (WHERE code LIKE '\(costs)/%') AS cost
                    FROM account
                    JOIN posting ON posting.account_id = account.id
                    WHERE account.owner IS NULL AND (code LIKE '\(commission)/%' OR code LIKE '\(costs)/%')
                    GROUP BY posting.journal_entry_id
                ) AS posted ON posted.journal_entry_id = share.journal_entry_id
                CROSS JOIN LATERAL (
                    SELECT CASE WHEN share.journal_entry_id = share.capture_id THEN 1 ELSE -1 END AS sign
                ) AS way
                WHERE NOT coalesce(CASE terms.role
                    WHEN 'agent' THEN coalesce(posted.cost, 0) = 0
                        AND coalesce(posted.commission, 0) = way.sign * (share.amount::numeric - share.share - share.vat)
                    ELSE coalesce(posted.commission, 0) = 0 AND coalesce(posted.cost, 0) = way.sign * share.share END, false)
                """),
        Doctor.Check(
            "share_differs_from_outcome", proves: "each share of a capture is what the capture's caller was told",
            sql: """
                SELECT 'entry:' || share.journal_entry_id AS subject,
                    'the provider gets ' || share.share || ' by terms ' || share.terms_id || '; told: '
                        || coalesce(told.share, 0) || ' by terms ' || coalesce(told.terms_id, 0) AS detail
                FROM provider_share AS share
                JOIN (
                    SELECT journal_entry_id, outcome #>> '{holdCaptured,_0,provider}' AS provider,
                        outcome #>> '{holdCaptured,_0,product}' AS product,
                        \(number("holdCaptured._0.share.termsID", in: "outcome")) AS terms_id,
                        \(number("holdCaptured._0.share.amount", in: "outcome")) AS share
                    FROM idempotency
                    WHERE command = 'capture'
                ) AS told ON told.journal_entry_id = share.journal_entry_id
                WHERE (told.provider, told.product, told.terms_id, told.share)
                    IS DISTINCT FROM (share.provider, share.product, share.terms_id::numeric, share.share::numeric)
                """),
        Doctor.Check(
            "payout_tax_misfits_terms",
            proves: "each payout withholds what the provider's terms asked for when it was proposed",
            sql: """
                SELECT 'payout:' || item.payout_id AS subject,
                    'withholds ' || item.income_tax || ' and ' || item.local_tax || ' of ' || item.amount || ' for '
                        || item.provider || '; by its terms '
                        || coalesce(string_agg(terms.withholding || ': ' || tax.income, ', '), 'nothing is known') AS detail
                FROM payout_item AS item
                JOIN payout ON payout.id = item.payout_id
                LEFT JOIN (
                    SELECT provider, withholding, set_at,
                        row_number() OVER (PARTITION BY provider ORDER BY id) = 1 AS are_first,
                        lead(set_at, 1, 'infinity'::timestamptz) OVER (PARTITION BY provider ORDER BY id) AS replaced_at
                    FROM provider_terms
                -- The first ones are from before all that is owed. Terms that are set while a payout is proposed may come
                -- before it or after it: it has the time when it began to wait for others, and they that of their locks.
                ) AS terms ON terms.provider = item.provider
                    AND (terms.are_first OR terms.set_at <= payout.proposed_at + interval '1 hour')
                    AND terms.replaced_at > payout.proposed_at - interval '1 hour'
                CROSS JOIN LATERAL (
                    SELECT CASE terms.withholding
                        WHEN 'business_income' THEN div(item.amount::numeric * 3, 1000) * 10 ELSE 0 END AS income
                ) AS tax
                GROUP BY item.payout_id, item.provider
                HAVING NOT coalesce(bool_or(terms.withholding IS NOT NULL AND item.income_tax = tax.income
                    AND item.local_tax = div(tax.income, 100) * 10), false)
                """),
        Doctor.Check(
            "payout_beyond_cut_off",
            proves: "a payout covers captures of its providers from before its cut-off, and no others",
            sql: """
                SELECT 'payout:' || payout.id AS subject,
                    'until ' || payout.cut_off || ' covers entry ' || due.journal_entry_id || ' of ' || due.recorded_at
                        || ' for ' || due.provider AS detail
                FROM payout
                JOIN (
                    SELECT payout_id, provider, journal_entry_id, recorded_at, journal_entry_id = capture_id AS is_bounded
                    FROM provider_share
                    UNION ALL
                    -- What a provider paid back, and what came back of captures that were paid, is netted at once.
                    SELECT payout_id, provider, journal_entry_id, recorded_at, false FROM provider_repayment
                ) AS due ON due.payout_id = payout.id
                WHERE due.is_bounded AND due.recorded_at >= payout.cut_off OR due.provider <> ALL (payout.providers)
                """),
        Doctor.Check(
            "product_terms_misfit",
            proves:
                "what is withheld from a provider is the same for all products, and terms follow each other in time",
            sql: """
                SELECT 'provider_terms:' || id AS subject,
                    'of ' || provider || coalesce(', ' || product, '') || ' withhold ' || withholding || '; the ones before '
                        || coalesce(before, 'are none') AS detail
                FROM (
                    SELECT *, lag(withholding) OVER earlier AS before, lag(set_at) OVER earlier AS set_before
                    FROM provider_terms
                    WINDOW earlier AS (PARTITION BY provider ORDER BY id)
                ) AS terms
                WHERE product IS NOT NULL AND withholding IS DISTINCT FROM before OR set_at <= set_before
                """),
    ]

    private static let commission = SystemAccount.commission.rawValue
    private static let costs = SystemAccount.providerCosts.rawValue
}
