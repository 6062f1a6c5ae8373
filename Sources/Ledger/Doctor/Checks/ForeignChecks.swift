extension Doctor.Check {
    /// Payments in foreign currencies agree with their rates, their entries and what is open.
    static let foreign: [Doctor.Check] = [
        Doctor.Check(
            "foreign_payment_misfits_rate",
            proves: "the won of each payment in a foreign currency are its worth at the rate of the payment",
            sql: """
                SELECT 'purchase:' || purchase.id AS subject,
                    'paid ' || foreign_amount || ' of ' || foreign_currency || ' at ' || paid_at || ' for '
                        || purchase.amount || ' ' || purchase.currency || ', at rate ' || rate_id || coalesce(
                            ' of ' || rate.currency || ' for ' || rate.day || ': ' || rate.value || ' with ' || rate.scale
                                || ' decimals for ' || rate.per, ', which does not exist') AS detail
                FROM purchase
                LEFT JOIN rate ON rate.id = purchase.rate_id
                WHERE foreign_currency IS NOT NULL AND NOT is_worth_of_payment(purchase)
                """),
        Doctor.Check(
            "foreign_payment_misfits_entry",
            proves:
                "each payment in a foreign currency is posted as owed by its gateway, with its mirror, and nothing else is",
            sql: """
                SELECT 'entry:' || coalesce(told.entry_id, posted.entry_id) AS subject,
                    coalesce(told.amount || ' of ' || told.currency, 'nothing')
                        || ' was paid, went back or was settled; it posts '
                        || coalesce(posted.owed || ' as owed and ' || posted.mirrored || ' as its mirror in '
                            || posted.currency, 'nothing') AS detail
                FROM (
                    SELECT journal_entry_id AS entry_id, gateway, foreign_currency AS currency, foreign_amount AS amount
                    FROM purchase WHERE foreign_currency IS NOT NULL
                    UNION ALL
                    SELECT reversal.journal_entry_id, gateway, foreign_currency, -reversal.foreign_amount
                    FROM purchase_reversal AS reversal JOIN purchase ON purchase.id = reversal.purchase_id
                    WHERE reversal.foreign_amount IS NOT NULL
                    UNION ALL
                    SELECT row.journal_entry_id, gateway, row.foreign_currency, -row.foreign_gross
                    FROM settlement_row AS row JOIN purchase ON purchase.id = row.purchase_id
                    WHERE row.status = 'settled' AND row.foreign_gross <> 0
                ) AS told
                FULL JOIN (
                    SELECT posting.journal_entry_id AS entry_id, account.currency,
                        max(split_part(account.code, '/', 1)) FILTER (WHERE account.code NOT LIKE 'fx:%') AS account,
                        coalesce(sum(CASE side WHEN 'D' THEN amount ELSE -amount END)
                            FILTER (WHERE account.code NOT LIKE 'fx:%'), 0) AS owed,
                        coalesce(sum(CASE side WHEN 'C' THEN amount ELSE -amount END)
                            FILTER (WHERE account.code LIKE 'fx:%'), 0) AS mirrored
                    FROM account
                    JOIN posting ON posting.account_id = account.id
                    WHERE account.owner IS NULL AND account.currency NOT IN ('KRW', 'COIN')
                    GROUP BY 1, 2
                ) AS posted ON posted.entry_id = told.entry_id AND posted.currency = told.currency
                WHERE NOT coalesce(
                    posted.owed = told.amount AND posted.mirrored = told.amount AND posted.account =
                        \(SystemAccount.receivableInSQL(of: "told.gateway")) || ':' || told.currency, false)
                """),
        Doctor.Check(
            "foreign_refunds_differ",
            proves: "what went back of each payment in a foreign currency is what its reversals say",
            sql: """
                SELECT 'purchase:' || purchase.id AS subject,
                    foreign_refunded || ' of ' || foreign_amount || ' ' || foreign_currency
                        || ' went back; its reversals have ' || coalesce(told.amount, 0) AS detail
                FROM purchase
                LEFT JOIN (
                    SELECT purchase_id, sum(foreign_amount) AS amount FROM purchase_reversal GROUP BY purchase_id
                ) AS told ON told.purchase_id = purchase.id
                WHERE foreign_refunded <> coalesce(told.amount, 0)
                    OR foreign_refunded IS NULL AND told.amount IS NOT NULL
                """),
        Doctor.Check(
            "foreign_refund_misfits_payment",
            proves:
                "each refund by us is in the currency of its payment, and its won are those at the rate of the payment",
            sql: """
                SELECT 'refund:' || refund.id AS subject,
                    refund.amount || ' won and a fee of ' || refund.fee || ' for '
                        || coalesce(refund.foreign_amount || ' and a fee of ' || refund.foreign_fee || ' of '
                            || refund.foreign_currency || ', of ' || refund.foreign_balance || ' left', 'nothing foreign')
                        || '; paid were ' || coalesce(purchase.foreign_amount || ' of ' || purchase.foreign_currency, 'won')
                        || ' for ' || purchase.amount AS detail
                FROM refund
                JOIN purchase ON purchase.id = refund.purchase_id
                CROSS JOIN LATERAL (
                    SELECT purchase.foreign_amount - refund.foreign_balance AS gone
                ) AS before
                WHERE (refund.foreign_currency IS NOT NULL OR purchase.foreign_currency IS NOT NULL) AND NOT coalesce(
                    refund.foreign_currency = purchase.foreign_currency AND refund.method = 'gateway'
                    AND refund.foreign_balance <= purchase.foreign_amount
                    AND refund.foreign_amount + refund.foreign_fee <= refund.foreign_balance
                    AND refund.amount = div(
                            purchase.amount * (before.gone + refund.foreign_amount)::numeric, purchase.foreign_amount)
                        - div(purchase.amount * before.gone::numeric, purchase.foreign_amount)
                    AND refund.value = div(
                            purchase.amount * (before.gone + refund.foreign_amount + refund.foreign_fee)::numeric,
                            purchase.foreign_amount)
                        - div(purchase.amount * before.gone::numeric, purchase.foreign_amount), false)
                """),
        Doctor.Check(
            "foreign_clearing_differs",
            proves: "what is open in each foreign currency, and its carrying amount, are those of its payments",
            sql: """
                SELECT 'currency:' || foreign_currency.code AS subject,
                    'open are ' || coalesce(open.amount, 0) || ' for ' || coalesce(open.won, 0) || ' won; posted are '
                        || coalesce(posted.owed, 0) || ', their mirror ' || coalesce(posted.mirrored, 0) || ' and '
                        || coalesce(posted.won, 0) || ' won' AS detail
                FROM foreign_currency
                LEFT JOIN (
                    SELECT foreign_currency AS code,
                        sum(foreign_amount - foreign_refunded - coalesce(foreign_settled, 0)) AS amount,
                        sum(amount - refunded_amount - settled_amount) AS won
                    FROM purchase WHERE foreign_currency IS NOT NULL GROUP BY 1
                ) AS open USING (code)
                LEFT JOIN (
                    SELECT split_part(split_part(account.code, '/', 1), ':', 3) AS code,
                        sum(balance) FILTER (WHERE account.code NOT LIKE 'fx:%') AS owed,
                        sum(balance) FILTER (WHERE account.code LIKE 'fx:%' AND account.currency <> 'KRW') AS mirrored,
                        sum(balance) FILTER (WHERE account.code LIKE 'fx:%' AND account.currency = 'KRW') AS won
                    FROM account
                    WHERE owner IS NULL AND (code LIKE 'fx:clearing:%' OR code LIKE '%:receivable:%')
                    GROUP BY 1
                ) AS posted USING (code)
                WHERE (coalesce(open.amount, 0), coalesce(open.amount, 0), coalesce(open.won, 0)) IS DISTINCT FROM
                    (coalesce(posted.owed, 0), coalesce(posted.mirrored, 0), coalesce(posted.won, 0))
                """),
        Doctor.Check(
            "revaluation_differs",
            proves:
                "each revaluation is of the worth at its rate, and its two entries post it at the month's end and take it back",
            sql: """
                SELECT 'revaluation:' || revaluation.id AS subject,
                    revaluation.amount || ' won of ' || revaluation.currency || ' in ' || revaluation.month || ', for '
                        || coalesce(basis.open || ', carried at ' || basis.carried || ' and worth ' || basis.worth, 'nothing')
                        || '; its entries carry ' || coalesce(posted.ends, 0) || ' and ' || coalesce(posted.begins, 0)
                        || ', and have ' || coalesce(posted.unrealised, 0) || ' unrealised in both' AS detail
                FROM revaluation
                LEFT JOIN revaluation_basis AS basis ON basis.id = revaluation.basis_id
                LEFT JOIN rate ON rate.id = basis.rate_id
                LEFT JOIN LATERAL (
                    SELECT sum(moved.won) FILTER (WHERE moved.is_carrying AND moved.entry_id = revaluation.journal_entry_id
                            AND moved.effective_at = basis.ends_at - interval '1 microsecond') AS ends,
                        sum(moved.won) FILTER (WHERE moved.is_carrying AND moved.entry_id = revaluation.reversal_entry_id
                            AND moved.effective_at = basis.ends_at) AS begins,
                        sum(CASE moved.entry_id WHEN revaluation.journal_entry_id THEN -moved.won ELSE moved.won END)
                            FILTER (WHERE moved.is_unrealised) AS unrealised
                    FROM (
                        SELECT entry.id AS entry_id, entry.effective_at,
                            account.code = \(ForeignAccount.carryingInSQL(of: "revaluation.currency")) || '/0' AS is_carrying,
                            account.code = 'fx:unrealised:' || revaluation.currency || '/0' AS is_unrealised,
                            CASE posting.side WHEN 'D' THEN posting.amount ELSE -posting.amount END AS won
                        FROM journal_entry AS entry
                        JOIN posting ON posting.journal_entry_id = entry.id
                        JOIN account ON account.id = posting.account_id
                        WHERE entry.id IN (revaluation.journal_entry_id, revaluation.reversal_entry_id)
                            AND entry.recorded_at = revaluation.recorded_at
                    ) AS moved
                ) AS posted ON true
                WHERE NOT coalesce(
                    basis.currency = revaluation.currency AND basis.month = revaluation.month
                    AND rate.currency = revaluation.currency
                    AND basis.worth = converted(
                        basis.open, currency_decimals(rate.currency), rate.value, rate.scale, rate.per, 0)
                    AND revaluation.amount = basis.worth - basis.carried
                    AND coalesce(posted.ends, 0) = revaluation.amount
                    AND coalesce(posted.begins, 0) = -revaluation.amount
                    AND coalesce(posted.unrealised, 0) = 2 * revaluation.amount, false)
                """),
        Doctor.Check(
            "revaluation_basis_differs",
            proves:
                "each revaluation is of what entries left open by the end of its month, at the last rate of its last seven days",
            sql: """
                -- What was measured before its snapshot was kept can't be added up again.
                WITH measured AS MATERIALIZED (
                    SELECT revaluation.id, revaluation.journal_entry_id, basis.currency, basis.ends_at, basis.snapshot,
                        basis.open, basis.carried, basis.rate_id, basis.last_rate_id, basis.measured_at, (
                            date_trunc('month', (basis.month || '-01')::date + 31))::date AS next_day
                    FROM revaluation
                    JOIN revaluation_basis AS basis ON basis.id = revaluation.basis_id
                    WHERE basis.snapshot IS NOT NULL
                ), known AS MATERIALIZED (
                    -- Each posting is read once, for all revaluations.
                    SELECT measured.id,
                        sum(posted.amount) FILTER (WHERE posted.currency <> 'KRW') AS open,
                        -sum(posted.amount) FILTER (WHERE posted.currency = 'KRW') AS carried
                    FROM (
                        SELECT account.currency, split_part(split_part(account.code, '/', 1), ':', 3) AS code,
                            CASE posting.side WHEN 'C' THEN posting.amount ELSE -posting.amount END AS amount,
                            entry.id AS entry_id, entry.effective_at, entry.transaction_id
                        FROM account
                        JOIN posting ON posting.account_id = account.id
                        JOIN journal_entry AS entry ON entry.id = posting.journal_entry_id
                        WHERE account.owner IS NULL AND (
                            \(ForeignAccount.isClearing("split_part(account.code, '/', 1)"))
                            OR \(ForeignAccount.isCarrying("split_part(account.code, '/', 1)")))
                    ) AS posted
                    JOIN measured ON measured.currency = posted.code AND posted.effective_at < measured.ends_at
                        AND posted.entry_id IS DISTINCT FROM measured.journal_entry_id
                        AND pg_visible_in_snapshot(posted.transaction_id, measured.snapshot)
                    GROUP BY measured.id
                )
                SELECT 'revaluation:' || measured.id AS subject,
                    'measured ' || measured.open || ' of ' || measured.currency || ', carried at ' || measured.carried
                        || ', at rate ' || measured.rate_id || '; entries left ' || coalesce(known.open, 0)
                        || ', carried at ' || coalesce(known.carried, 0) || ', and the rate was '
                        || coalesce(last.id::text, 'not there') AS detail
                FROM measured
                LEFT JOIN known ON known.id = measured.id
                -- Rates of a currency are published one after the other, and their ids tell the order, which clocks don't. Of what was
                -- measured before the last id was kept, the clock tells what came after the rate that was found.
                LEFT JOIN LATERAL (
                    SELECT id FROM rate
                    WHERE rate.currency = measured.currency AND (
                            rate.id <= coalesce(measured.last_rate_id, measured.rate_id)
                            OR measured.last_rate_id IS NULL AND rate.published_at <= measured.measured_at)
                        AND rate.day < measured.next_day AND measured.next_day - rate.day <= 7
                    ORDER BY rate.day DESC, rate.version DESC LIMIT 1
                ) AS last ON true
                WHERE (measured.open, measured.carried, measured.rate_id)
                    IS DISTINCT FROM (coalesce(known.open, 0), coalesce(known.carried, 0), last.id)
                """),
        Doctor.Check(
            "foreign_currency_without_rate", proves: "each open foreign currency has a rate, and each rate's is open",
            sql: """
                SELECT 'currency:' || code AS subject,
                    CASE WHEN rated.code IS NULL THEN 'has no rate' ELSE 'has a rate, and no accounts' END AS detail
                FROM (SELECT code, true AS is_open FROM foreign_currency) AS opened
                FULL JOIN (SELECT DISTINCT currency AS code FROM rate) AS rated USING (code)
                WHERE opened.is_open IS NULL OR rated.code IS NULL
                """),
    ]
}
