-- The judges of disputes and of coins that they freeze.

-- What is the matter with a payment is its finding, which has what was paid: it gets one, or the kind comes to the one that it has, which is open again.
CREATE OR REPLACE FUNCTION add_finding(bought purchase, kind text) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    INSERT INTO finding AS known (kinds, gateway, imp_uid, merchant_uid, payment_id, user_id, amount, currency, paid_at)
    VALUES (
        ARRAY[kind], bought.gateway, bought.imp_uid, bought.merchant_uid, bought.payment_id, bought.user_id,
        coalesce(bought.foreign_amount, bought.amount), coalesce(bought.foreign_currency, bought.currency),
        bought.paid_at)
    ON CONFLICT (imp_uid, gateway) DO UPDATE
    SET kinds = CASE WHEN known.resolved_at IS NULL THEN array_remove(known.kinds, kind) ELSE '{}' END || ARRAY[kind],
        user_id = coalesce(known.user_id, excluded.user_id), resolved_at = NULL;
END
$$;

-- A dispute is told of, and is a finding until it ends.
CREATE OR REPLACE FUNCTION judge_dispute() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    bought purchase;
BEGIN
    SELECT * INTO bought FROM purchase WHERE id = NEW.purchase_id;
    IF bought.id IS NULL OR bought.user_id <> NEW.user_id OR bought.stripe <> NEW.stripe OR NEW.status <> 'open' THEN
        RAISE EXCEPTION 'dispute % does not fit its purchase', NEW.id
            USING ERRCODE = 'foreign_key_violation', TABLE = 'dispute', CONSTRAINT = 'dispute_fits_purchase';
    END IF;
    PERFORM record_occurrence(
        'purchase.disputed', 'dispute:' || NEW.id, NEW.user_id,
        jsonb_build_object(
            'id', NEW.id, 'purchase_id', bought.id, 'gateway', bought.gateway, 'imp_uid', bought.imp_uid,
            'merchant_uid', bought.merchant_uid, 'payment_id', bought.payment_id, 'amount', bought.amount,
            'currency', bought.currency, 'reason', NEW.reason, 'opened_at', microseconds(NEW.opened_at)));
    PERFORM add_finding(bought, 'payment_disputed');
    RETURN NULL;
END
$$;

-- An open dispute is won or lost, and a won one can be lost. One that a person booked as lost can be won: the reversal of its
-- claw-back gives back all of it, in the same transaction. Nothing else becomes of one.
CREATE OR REPLACE FUNCTION judge_dispute_decision() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    decided dispute;
    bought purchase;
    last dispute_decision;
    moved journal_entry;
    ended text[] := '{}';
    salt bigint;
BEGIN
    -- Whoever decides the same dispute meanwhile is waited for, and then seen.
    SELECT * INTO decided FROM dispute WHERE id = NEW.dispute_id FOR UPDATE;
    SELECT * INTO bought FROM purchase WHERE id = decided.purchase_id;
    SELECT * INTO last FROM dispute_decision
    WHERE dispute_id = NEW.dispute_id AND seq < NEW.seq ORDER BY seq DESC LIMIT 1;
    SELECT * INTO moved FROM journal_entry WHERE id = NEW.journal_entry_id;
    IF decided.id IS NULL OR decided.status = NEW.outcome
        -- What a person booked as lost, a person can take back, and all of it. What followed from the gateway's cancellation
        -- is final.
        OR decided.status = 'lost' AND NOT coalesce(
            NEW.decided_by IS NOT NULL AND last.decided_by IS NOT NULL AND NEW.amount = last.amount
                AND (NEW.amount = 0 OR moved.kind = 'claw_back_reversal' AND moved.reverses = last.journal_entry_id), false)
        OR decided.status = 'open' AND NEW.outcome = 'won' AND NEW.amount <> 0
        OR NEW.amount <> 0 AND NOT coalesce(
            moved.transaction_id = pg_current_xact_id()
                AND moved.kind = CASE NEW.outcome WHEN 'lost' THEN 'claw_back' ELSE 'claw_back_reversal' END
                AND EXISTS (
                    SELECT FROM purchase_reversal AS reversal
                    WHERE reversal.journal_entry_id = NEW.journal_entry_id AND reversal.purchase_id = decided.purchase_id
                        AND reversal.amount = CASE NEW.outcome WHEN 'lost' THEN NEW.amount ELSE -NEW.amount END
                        AND (NEW.outcome = 'lost' OR gives_back_all(moved, decided.user_id))), false)
    THEN
        RAISE EXCEPTION 'what is decided of dispute % does not fit it or its journal entry', NEW.dispute_id
            USING ERRCODE = 'foreign_key_violation', TABLE = 'dispute_decision',
                CONSTRAINT = 'dispute_decision_fits_dispute';
    END IF;
    UPDATE dispute SET status = NEW.outcome, decided_at = NEW.decided_at WHERE id = NEW.dispute_id;
    PERFORM record_occurrence(
        'purchase.dispute_resolved', 'dispute:' || decided.id, decided.user_id,
        jsonb_build_object(
            'id', decided.id, 'purchase_id', bought.id, 'gateway', bought.gateway, 'imp_uid', bought.imp_uid,
            'merchant_uid', bought.merchant_uid, 'payment_id', bought.payment_id, 'amount', bought.amount,
            'currency', bought.currency, 'reason', decided.reason, 'opened_at', microseconds(decided.opened_at),
            'outcome', NEW.outcome, 'decided_at', microseconds(NEW.decided_at), 'decided_by', NEW.decided_by));
    IF NOT EXISTS (
        SELECT FROM (SELECT status FROM dispute WHERE purchase_id = decided.purchase_id OFFSET 0) AS other
        WHERE status = 'open')
    THEN
        ended := ARRAY['payment_disputed'];
    END IF;
    IF decided.status = 'lost' AND NOT EXISTS (
        SELECT FROM (SELECT id, status FROM dispute WHERE purchase_id = decided.purchase_id OFFSET 0) AS other
        WHERE status = 'lost' AND EXISTS (SELECT FROM dispute_win WHERE dispute_id = other.id OFFSET 0))
    THEN
        ended := ended || ARRAY['dispute_won_after_loss'];
    END IF;
    -- num_nulls: a plan made when few findings were open would read finding_open as a whole for `IS NULL`.
    UPDATE finding
    SET kinds = CASE WHEN kinds <@ ended THEN kinds ELSE ARRAY(
            SELECT kind FROM unnest(kinds) WITH ORDINALITY AS found (kind, place) WHERE kind <> ALL (ended) ORDER BY place)
            END,
        resolved_at = CASE WHEN kinds <@ ended THEN now() END
    WHERE imp_uid = bought.imp_uid AND gateway = bought.gateway AND num_nulls(resolved_at) = 1 AND kinds && ended;
    IF moved.kind = 'claw_back_reversal' THEN
        salt := tally_salt();
        PERFORM add_to_tally(more_entries => -hashtextextended(moved.id || '/' || moved.stripe, salt)::numeric
            * hashtextextended('claw_back_reversal/purchase:' || decided.purchase_id, salt));
    END IF;
    RETURN NULL;
END
$$;

-- A dispute that finance booked as lost was decided for the shop: that is a finding until a person has settled it.
CREATE OR REPLACE FUNCTION judge_dispute_win() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
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
    PERFORM add_finding(bought, 'dispute_won_after_loss');
    RETURN NULL;
END
$$;

-- What is frozen is what its entry moves into the held accounts, while a dispute of the purchase is open; no more is
-- released than was frozen.
CREATE OR REPLACE FUNCTION judge_coin_freezes() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    salt bigint := tally_salt();
    frozen record;
BEGIN
    -- Whoever releases coins of the same purchase meanwhile is waited for, and then seen.
    PERFORM FROM dispute WHERE purchase_id IN (SELECT purchase_id FROM new_freeze) ORDER BY id FOR UPDATE;
    SELECT min(change.purchase_id) FILTER (
            WHERE entry.id IS NULL OR purchase.id IS NULL OR entry.stripe <> purchase.stripe
                OR entry.transaction_id <> pg_current_xact_id() OR entry.kind <> 'dispute_' || change.act
                OR entry.reference <> 'purchase:' || purchase.id
                OR change.act = 'hold' AND NOT EXISTS (
                    SELECT FROM (SELECT status FROM dispute WHERE dispute.purchase_id = purchase.id OFFSET 0) AS dispute
                    WHERE status = 'open')) AS misfit,
        sum(change.sign * (change.coins + change.bonus_coins)
            * hashtextextended(entry.id || '/' || entry.stripe, salt)::numeric
            * hashtextextended('held:' || purchase.user_id, salt)) AS facts,
        sum(hashtextextended(entry.id || '/' || entry.stripe, salt)::numeric
            * hashtextextended(entry.kind || '/' || entry.reference, salt)) AS entries,
        sum(change.sign * (
            change.coins * hashtextextended('refund/' || purchase.id || '/paid', salt)::numeric
            + change.bonus_coins * hashtextextended('refund/' || purchase.id || '/bonus', salt)::numeric)) AS holds
        INTO frozen
        FROM (SELECT *, CASE act WHEN 'hold' THEN 1 ELSE -1 END AS sign FROM new_freeze) AS change
        LEFT JOIN journal_entry AS entry ON entry.id = change.journal_entry_id
        LEFT JOIN purchase ON purchase.id = change.purchase_id;
    IF frozen.misfit IS NULL THEN
        SELECT asked.purchase_id INTO frozen.misfit
            FROM (SELECT DISTINCT purchase_id FROM new_freeze) AS asked
            CROSS JOIN LATERAL (
                SELECT sum(CASE act WHEN 'hold' THEN coins ELSE -coins END) AS coins,
                    sum(CASE act WHEN 'hold' THEN bonus_coins ELSE -bonus_coins END) AS bonus_coins
                FROM coin_freeze WHERE coin_freeze.purchase_id = asked.purchase_id
            ) AS total
            WHERE total.coins < 0 OR total.bonus_coins < 0
            LIMIT 1;
    END IF;
    IF frozen.misfit IS NOT NULL THEN
        RAISE EXCEPTION 'the coins that are frozen or released of purchase % do not fit it', frozen.misfit
            USING ERRCODE = 'foreign_key_violation', TABLE = 'coin_freeze', CONSTRAINT = 'coin_freeze_fits_purchase';
    END IF;
    PERFORM add_to_tally(
        more_entries => -frozen.entries, more_facts => -frozen.facts, more_holds => -frozen.holds);
    RETURN NULL;
END
$$;

REVOKE ALL ON FUNCTION add_finding, judge_dispute, judge_dispute_decision, judge_dispute_win, judge_coin_freezes FROM PUBLIC;
