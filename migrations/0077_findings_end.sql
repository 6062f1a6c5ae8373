-- A finding about amounts compares amounts, and each finding that ends says so.

ALTER TABLE finding
    ADD COLUMN cancelled_amount bigint, -- what the gateway had cancelled of the payment when it was noted; NULL: not noted
    ADD COLUMN reopened_at timestamptz, -- since when it is open again; NULL: since it was found
    ADD CONSTRAINT finding_cancelled_not_negative CHECK (cancelled_amount >= 0) NOT VALID;
GRANT UPDATE (cancelled_amount) ON finding TO ledgerd_service;

-- For how long a finding waits is counted from when it was opened the last time.
CREATE FUNCTION note_reopening() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    NEW.reopened_at := now();
    RETURN NEW;
END
$$;
REVOKE ALL ON FUNCTION note_reopening FROM PUBLIC;
CREATE TRIGGER finding_reopening_is_noted BEFORE UPDATE ON finding FOR EACH ROW
    WHEN (OLD.resolved_at IS NOT NULL AND NEW.resolved_at IS NULL) EXECUTE FUNCTION note_reopening();

-- Of two transfers one may be taken back: what the gateway cancelled and the other one can be no more than was paid.
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
        LEFT JOIN purchase_reversal AS reversal ON reversal.journal_entry_id = decision.journal_entry_id;
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
    -- What still goes back by bank transfer and what the gateway had cancelled are together no more than was paid.
    UPDATE finding
    SET kinds = CASE kinds WHEN ARRAY['refunded_twice'] THEN kinds ELSE array_remove(kinds, 'refunded_twice') END,
        resolved_at = CASE kinds WHEN ARRAY['refunded_twice'] THEN now() END
    FROM new_decision AS decision
    JOIN refund ON refund.id = decision.refund_id
    JOIN purchase ON purchase.id = refund.purchase_id
    WHERE decision.status = 'reversed' AND finding.imp_uid = purchase.imp_uid AND finding.gateway = purchase.gateway
        AND finding.resolved_at IS NULL AND 'refunded_twice' = ANY(finding.kinds)
        AND purchase.transferred_amount
            <= purchase.amount - least(coalesce(finding.cancelled_amount, purchase.amount), purchase.amount);
    PERFORM add_to_tally(more_entries => -entries, more_facts => facts, more_holds => holds);
    RETURN NULL;
END
$$;

-- The gateway decided a dispute for the shop after finance had booked it as lost, so what was taken back is the buyer's.
-- That is a fact, and a finding until a person has settled it.
CREATE TABLE dispute_win (
    dispute_id  bigint PRIMARY KEY,
    resolved_at timestamptz NOT NULL, -- by the gateway's clock
    recorded_at timestamptz NOT NULL
);
GRANT SELECT, INSERT ON dispute_win TO ledgerd_service;

CREATE FUNCTION judge_dispute_win() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    won dispute;
    bought purchase;
BEGIN
    -- Whoever decides the same dispute meanwhile is waited for, and then seen.
    SELECT * INTO won FROM dispute WHERE id = NEW.dispute_id FOR UPDATE;
    SELECT * INTO bought FROM purchase WHERE id = won.purchase_id;
    IF won.status IS DISTINCT FROM 'lost' OR NOT EXISTS (
            SELECT FROM dispute_decision
            WHERE dispute_id = won.id AND outcome = 'lost' AND decided_by IS NOT NULL)
        OR NEW.resolved_at > NEW.recorded_at
    THEN
        RAISE EXCEPTION 'dispute % is not booked as lost, so it can''t be won after that', NEW.dispute_id
            USING ERRCODE = 'foreign_key_violation', TABLE = 'dispute_win', CONSTRAINT = 'dispute_win_fits_dispute';
    END IF;
    INSERT INTO finding AS known (
        kinds, gateway, imp_uid, merchant_uid, payment_id, user_id, amount, currency, paid_at)
    VALUES (
        ARRAY['dispute_won_after_loss'], bought.gateway, bought.imp_uid, bought.merchant_uid, bought.payment_id,
        bought.user_id, bought.amount, bought.currency, bought.paid_at)
    ON CONFLICT (imp_uid, gateway) DO UPDATE
    SET kinds = CASE WHEN known.resolved_at IS NULL THEN array_remove(known.kinds, 'dispute_won_after_loss') ELSE '{}' END
            || ARRAY['dispute_won_after_loss'],
        user_id = coalesce(known.user_id, excluded.user_id), resolved_at = NULL;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION judge_dispute_win FROM PUBLIC;
CREATE TRIGGER dispute_win_is_judged AFTER INSERT ON dispute_win FOR EACH ROW EXECUTE FUNCTION judge_dispute_win();
CREATE TRIGGER dispute_win_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON dispute_win
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

ALTER TABLE reconciliation_item
    DROP CONSTRAINT reconciliation_item_kind_known,
    ADD CONSTRAINT reconciliation_item_kind_known CHECK (kind IN (
        'matched', 'paid_not_credited', 'credited_not_paid', 'amount_differs', 'cancelled_not_clawed_back',
        'refunded_not_cancelled', 'refunded_twice', 'won_not_given_back', 'waiting', 'unreadable')) NOT VALID;
