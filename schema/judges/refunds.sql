-- The judges of refunds and of debts that are paid.

-- A refund sets its coins aside, and one by bank transfer takes them at once. A refund of expired coins has an entry that
-- took them back, of as many. A fee is booked without its VAT.
CREATE OR REPLACE FUNCTION judge_refunds() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    salt bigint := tally_salt();
    begun record;
BEGIN
    SELECT min(refund.id) FILTER (
            WHERE entry.id IS NULL OR entry.stripe <> refund.stripe
                OR entry.reference <> 'refund:' || refund.id OR entry.transaction_id <> pg_current_xact_id()
                OR purchase.id IS NULL OR purchase.user_id <> refund.user_id OR purchase.stripe <> refund.stripe
                -- In a foreign currency, its won are those of the part that goes back next (docs/decisions/0230).
                OR (purchase.foreign_currency IS NOT NULL OR refund.foreign_currency IS NOT NULL) AND NOT coalesce(
                    refund.foreign_currency = purchase.foreign_currency
                    AND purchase.gateway <> 'app-store'
                    AND refund.foreign_balance = purchase.foreign_amount - purchase.foreign_refunded
                    AND refund.amount = div(
                        purchase.amount::numeric * (purchase.foreign_refunded + refund.foreign_amount),
                        purchase.foreign_amount) - purchase.refunded_amount
                    AND refund.value = div(
                        purchase.amount::numeric
                            * (purchase.foreign_refunded + refund.foreign_amount + refund.foreign_fee),
                        purchase.foreign_amount) - purchase.refunded_amount, false)
                OR CASE refund.method
                    WHEN 'bank_transfer' THEN refund.status <> 'approved' OR entry.kind <> 'refund'
                        OR refund.reversal_entry_id IS DISTINCT FROM entry.id
                        OR NOT coalesce(
                            reversal.is_transfer AND reversal.purchase_id = refund.purchase_id
                            AND reversal.amount = refund.amount AND reversal.charged_coins = refund.bonus_charged
                            AND reversal.coins = refund.coins - refund.bonus_charged
                            AND reversal.bonus_coins = refund.bonus_coins + refund.bonus_charged, false)
                    ELSE refund.status <> 'pending' OR entry.kind <> 'refund_hold'
                        OR refund.reversal_entry_id IS NOT NULL
                    END) AS misfit,
        sum(hashtextextended(refund.journal_entry_id || '/' || refund.stripe, salt)::numeric * CASE refund.method
            WHEN 'bank_transfer' THEN
                (refund.fee - coalesce(refund.fee_vat, 0)) * hashtextextended('revenue:refund-fees', salt)::numeric
            ELSE (refund.coins + refund.bonus_coins) * hashtextextended('held:' || refund.user_id, salt)::numeric
            END)
            + coalesce(sum(hashtextextended(refund.expiry_reversal_id || '/' || refund.stripe, salt)::numeric
                * refund.expired_coins
                * hashtextextended('not expired/' || refund.purchase_id || '/paid', salt)::numeric), 0) AS facts,
        sum(hashtextextended(refund.journal_entry_id || '/' || refund.stripe, salt)::numeric * hashtextextended(
            CASE refund.method WHEN 'bank_transfer' THEN 'refund' ELSE 'refund_hold' END || '/refund:' || refund.id,
            salt))
            + coalesce(sum(hashtextextended(refund.expiry_reversal_id || '/' || refund.stripe, salt)::numeric
                * hashtextextended('expiry_reversal/refund:' || refund.id, salt)), 0) AS entries,
        sum(refund.coins * hashtextextended('refund/' || purchase.id || '/paid', salt)::numeric
            + refund.bonus_coins * hashtextextended('refund/' || purchase.id || '/bonus', salt)::numeric)
            FILTER (WHERE refund.method = 'gateway') AS holds
        INTO begun
        FROM new_refund AS refund
        LEFT JOIN journal_entry AS entry ON entry.id = refund.journal_entry_id
        LEFT JOIN purchase ON purchase.id = refund.purchase_id
        LEFT JOIN LATERAL (
            SELECT * FROM purchase_reversal WHERE journal_entry_id = refund.reversal_entry_id OFFSET 0
        ) AS reversal ON true;
    IF begun.misfit IS NOT NULL THEN
        RAISE EXCEPTION 'refund % does not fit its journal entry or purchase', begun.misfit
            USING ERRCODE = 'foreign_key_violation', TABLE = 'refund', CONSTRAINT = 'refund_fits_entry_and_purchase';
    END IF;
    PERFORM add_to_tally(
        more_entries => -begun.entries, more_facts => -begun.facts, more_holds => -begun.holds);
    RETURN NULL;
END
$$;

-- A pending refund is completed or refused; one that was refused can be completed. One by bank transfer is paid or reversed,
-- and one that was paid can be reversed if the money came back to our bank. Nothing else becomes of one. Of two transfers one
-- may be taken back: what the gateway cancelled and the other one can be no more than was paid.
CREATE OR REPLACE FUNCTION judge_refund_decisions() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    salt bigint := tally_salt();
    misfit bigint;
    facts numeric;
    entries numeric;
    holds numeric;
BEGIN
    -- Whoever decides the same refund meanwhile is waited for, and then seen.
    PERFORM FROM refund WHERE id IN (SELECT refund_id FROM new_decision) ORDER BY id FOR UPDATE;
    SELECT min(decision.refund_id) FILTER (
            WHERE refund.id IS NULL OR entry.id IS NULL OR entry.transaction_id <> pg_current_xact_id()
                OR entry.reference <> 'refund:' || refund.id
                OR (decision.paid_at IS NULL) <> (decision.status <> 'completed' OR refund.method = 'gateway')
                OR (decision.repaid_at IS NULL) <> (decision.status <> 'reversed' OR refund.status <> 'completed')
                OR CASE refund.method || ' ' || decision.status
                    WHEN 'gateway refused' THEN refund.status <> 'pending' OR entry.kind <> 'refund_release'
                    WHEN 'gateway completed' THEN refund.status = 'completed' OR entry.kind <> 'refund'
                        OR NOT coalesce(
                            NOT reversal.is_transfer AND reversal.purchase_id = refund.purchase_id
                            AND reversal.foreign_amount IS NOT DISTINCT FROM refund.foreign_amount
                            AND reversal.amount = refund.amount AND reversal.charged_coins = refund.bonus_charged
                            AND reversal.coins = refund.coins - refund.bonus_charged
                            AND reversal.bonus_coins = refund.bonus_coins + refund.bonus_charged, false)
                    WHEN 'bank_transfer completed' THEN refund.status <> 'approved' OR entry.kind <> 'refund_payment'
                    WHEN 'bank_transfer reversed' THEN refund.status NOT IN ('approved', 'completed')
                        OR entry.kind <> 'refund_reversal'
                        OR NOT coalesce(
                            entry.reverses = refund.reversal_entry_id AND reversal.purchase_id = refund.purchase_id
                            AND reversal.amount = -refund.amount AND reversal.charged_coins = -refund.bonus_charged
                            AND reversal.coins = refund.bonus_charged - refund.coins
                            AND reversal.bonus_coins = -refund.bonus_coins - refund.bonus_charged, false)
                    ELSE true END),
        sum(hashtextextended(decision.journal_entry_id || '/' || entry.stripe, salt)::numeric * (
            CASE refund.status WHEN 'pending' THEN refund.coins + refund.bonus_coins ELSE 0 END
                * hashtextextended('held:' || refund.user_id, salt)::numeric
            + (refund.fee - coalesce(refund.fee_vat, 0)) * hashtextextended('revenue:refund-fees', salt)::numeric * CASE
                WHEN decision.status = 'reversed' THEN 1
                WHEN decision.status = 'completed' AND refund.method = 'gateway' THEN -1 ELSE 0 END
            + CASE WHEN entry.kind = 'refund_payment' THEN refund.amount
                WHEN decision.repaid_at IS NOT NULL THEN -refund.amount ELSE 0 END * (
                hashtextextended('refunds:payable', salt)::numeric - hashtextextended('bank', salt)))),
        sum(hashtextextended(entry.id || '/' || entry.stripe, salt)::numeric
            * hashtextextended(entry.kind || '/refund:' || refund.id, salt)),
        sum(refund.coins * hashtextextended('refund/' || refund.purchase_id || '/paid', salt)::numeric
            + refund.bonus_coins * hashtextextended('refund/' || refund.purchase_id || '/bonus', salt)::numeric)
            FILTER (WHERE refund.status = 'pending')
        INTO misfit, facts, entries, holds
        FROM new_decision AS decision
        LEFT JOIN refund ON refund.id = decision.refund_id
        LEFT JOIN journal_entry AS entry ON entry.id = decision.journal_entry_id
        LEFT JOIN LATERAL (
            SELECT * FROM purchase_reversal WHERE journal_entry_id = decision.journal_entry_id OFFSET 0
        ) AS reversal ON true;
    IF misfit IS NOT NULL OR EXISTS (SELECT FROM new_decision GROUP BY refund_id HAVING count(*) > 1) THEN
        RAISE EXCEPTION 'what is decided of a refund does not fit it or its journal entry'
            USING ERRCODE = 'foreign_key_violation', TABLE = 'refund_decision',
                CONSTRAINT = 'refund_decision_fits_refund';
    END IF;
    UPDATE refund
    SET status = decision.status, reason = decision.status, refund_account = NULL, decided_at = entry.recorded_at,
        refusal = decision.refusal, refusal_code = decision.refusal_code, cancellation_id = decision.cancellation_id,
        reversal_entry_id = CASE
            WHEN refund.method = 'bank_transfer' THEN refund.reversal_entry_id
            WHEN decision.status = 'completed' THEN entry.id END,
        paid_at = coalesce(decision.paid_at, refund.paid_at),
        bank_reference = coalesce(decision.bank_reference, refund.bank_reference),
        repaid_at = decision.repaid_at, repayment_reference = decision.repayment_reference
    FROM new_decision AS decision
    JOIN journal_entry AS entry ON entry.id = decision.journal_entry_id
    WHERE refund.id = decision.refund_id;
    -- What still goes back by bank transfer and what the gateway had cancelled are together no more than was paid. num_nulls: a
    -- plan made when few findings were open would read finding_open as a whole for `IS NULL`.
    UPDATE finding
    SET kinds = CASE kinds WHEN ARRAY['refunded_twice'] THEN kinds ELSE array_remove(kinds, 'refunded_twice') END,
        resolved_at = CASE kinds WHEN ARRAY['refunded_twice'] THEN now() END
    FROM new_decision AS decision
    JOIN refund ON refund.id = decision.refund_id
    JOIN purchase ON purchase.id = refund.purchase_id
    WHERE decision.status = 'reversed' AND finding.imp_uid = purchase.imp_uid AND finding.gateway = purchase.gateway
        AND num_nulls(finding.resolved_at) = 1 AND 'refunded_twice' = ANY(finding.kinds)
        AND purchase.transferred_amount
            <= purchase.amount - least(coalesce(finding.cancelled_amount, purchase.amount), purchase.amount);
    PERFORM add_to_tally(more_entries => -entries, more_facts => facts, more_holds => holds);
    RETURN NULL;
END
$$;

-- The entry of a payment posts its won and coins, and reduces the debt of its user.
CREATE OR REPLACE FUNCTION judge_debt_bank_payments() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    salt bigint := tally_salt();
    paid record;
BEGIN
    SELECT min(payment.journal_entry_id) FILTER (
            WHERE entry.id IS NULL OR entry.transaction_id <> pg_current_xact_id()
                OR entry.kind <> 'debt_bank_payment' OR entry.reference <> 'user:' || payment.user_id
                OR NOT EXISTS (
                    SELECT FROM account CROSS JOIN LATERAL (
                        -- What this transaction posted is at the end of the account.
                        SELECT FROM posting
                        WHERE posting.account_id = account.id AND posting.journal_entry_id = entry.id
                            AND posting.side = 'C' AND posting.amount = payment.coins
                            AND posting.seq > posting_seq_as_of(account.id, entry.recorded_at - interval '1 microsecond')
                        OFFSET 0
                    ) AS posted
                    WHERE account.code = 'debt:' || payment.user_id)) AS misfit,
        sum(hashtextextended(entry.id || '/' || entry.stripe, salt)::numeric * (
            payment.amount * hashtextextended('bank', salt)::numeric
            + payment.coins * hashtextextended('coins:issued', salt)::numeric)) AS facts,
        sum(hashtextextended(entry.id || '/' || entry.stripe, salt)::numeric
            * hashtextextended('debt_bank_payment/user:' || payment.user_id, salt)) AS entries
        INTO paid
        FROM new_payment AS payment
        LEFT JOIN journal_entry AS entry ON entry.id = payment.journal_entry_id;
    IF paid.misfit IS NOT NULL THEN
        RAISE EXCEPTION 'a payment of a debt does not fit its journal entry %', paid.misfit
            USING ERRCODE = 'foreign_key_violation', TABLE = 'debt_bank_payment',
                CONSTRAINT = 'debt_bank_payment_fits_entry';
    END IF;
    PERFORM add_to_tally(more_entries => -paid.entries, more_facts => paid.facts);
    RETURN NULL;
END
$$;

REVOKE ALL ON FUNCTION judge_refunds, judge_refund_decisions, judge_debt_bank_payments FROM PUBLIC;
