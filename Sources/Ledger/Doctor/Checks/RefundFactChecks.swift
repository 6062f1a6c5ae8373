extension Doctor.Check {
    /// Refunds are as they were decided.
    static let refundFacts: [Doctor.Check] = [
        Doctor.Check(
            "refund_differs_from_decision",
            proves: "each refund is as far as was decided of it, and tells what was said then",
            sql: """
                SELECT 'refund:' || coalesce(refund.id, decided.refund_id) AS subject,
                    coalesce(refund.status, 'does not exist') || ' at ' || coalesce(refund.decided_at::text, 'no time')
                        || '; decided: ' || coalesce(decided.status || ' at ' || decided.at, 'nothing') AS detail
                FROM refund
                FULL JOIN (
                    SELECT DISTINCT ON (decision.refund_id) decision.*, entry.recorded_at AS at,
                        max(decision.paid_at) OVER (PARTITION BY decision.refund_id) AS last_paid_at,
                        max(decision.bank_reference) OVER (PARTITION BY decision.refund_id) AS last_bank_reference
                    FROM refund_decision AS decision
                    LEFT JOIN journal_entry AS entry ON entry.id = decision.journal_entry_id
                    -- Of two at the same time, as after a failover, the later one has the higher id.
                    ORDER BY decision.refund_id, entry.recorded_at DESC, entry.id DESC
                ) AS decided ON decided.refund_id = refund.id
                WHERE refund.id IS NULL
                    OR refund.status <> coalesce(
                        decided.status, CASE refund.method WHEN 'gateway' THEN 'pending' ELSE 'approved' END)
                    OR (refund.decided_at, refund.refusal, refund.refusal_code, refund.cancellation_id, refund.paid_at,
                        refund.bank_reference, refund.repaid_at, refund.repayment_reference)
                    IS DISTINCT FROM (
                        decided.at, decided.refusal, decided.refusal_code, decided.cancellation_id, decided.last_paid_at,
                        decided.last_bank_reference, decided.repaid_at, decided.repayment_reference)
                """),
        Doctor.Check(
            "refund_differs_from_outcome",
            proves: "each refund has the coins, the value and the fee that its caller was told",
            sql: """
                SELECT 'refund:' || refund.id AS subject,
                    'differs from the recorded outcome of its request: '
                        || concat_ws(', ', refund.coins, refund.bonus_coins, refund.bonus_charged) || ' coins for '
                        || concat_ws(', ', refund.value, refund.fee, refund.believed_balance) || ' won, expired '
                        || concat_ws(', ', refund.expired_coins, refund.expired_value, refund.expired_fee) AS detail
                FROM refund
                JOIN (
                    SELECT journal_entry_id, outcome #> '{refundBegun,_0,refund}' AS told
                    FROM idempotency
                    WHERE command = 'refund'
                ) AS recorded ON recorded.journal_entry_id = refund.journal_entry_id
                CROSS JOIN LATERAL (VALUES
                    ('id', refund.id), ('purchaseID', refund.purchase_id), ('coins', refund.coins),
                    ('bonusCoins', refund.bonus_coins), ('charged', refund.bonus_charged), ('value', refund.value),
                    ('fee', refund.fee), ('believedBalance', refund.believed_balance), ('feeVAT', refund.fee_vat),
                    ('expiryReversalID', refund.expiry_reversal_id), ('expiredWon', refund.expired_won),
                    ('expired,coins', refund.expired_coins), ('expired,value', refund.expired_value),
                    ('expired,fee', refund.expired_fee), ('foreign,amount', refund.foreign_amount),
                    ('foreign,fee', refund.foreign_fee), ('foreign,balance', refund.foreign_balance)
                ) AS figure (path, value)
                -- Outcomes of before a figure existed do not tell it.
                WHERE told #> string_to_array(figure.path, ',') <> coalesce(to_jsonb(figure.value), 'null')
                    OR told ->> 'feeRule' <> refund.fee_rule OR told ->> 'feeWaiver' IS DISTINCT FROM refund.fee_waiver
                    OR told ->> 'explanation' <> refund.explanation
                    OR refund.expired_coins = 0
                        AND (refund.expired_value <> 0 OR refund.expired_fee <> 0 OR refund.expired_won IS NOT NULL)
                GROUP BY refund.id
                """),
    ]
}
