-- Disputes of payments (charge-backs): what the gateway shows of them, how they ended, and the coins that are frozen
-- meanwhile.

-- Also the kinds of the next migrations, so that the table is validated once.
ALTER TABLE journal_entry
    DROP CONSTRAINT journal_entry_kind_known,
    ADD CONSTRAINT journal_entry_kind_known CHECK (kind IN (
        'purchase', 'grant', 'claw_back', 'debt_payment', 'spend', 'hold', 'capture', 'void', 'expiry', 'refund_hold',
        'refund_release', 'refund', 'settlement', 'spend_reversal', 'capture_reversal', 'refund_payment',
        'refund_reversal', 'debt_bank_payment', 'debt_write_off', 'payout', 'provider_repayment', 'dispute_hold',
        'dispute_release', 'adjustment', 'expiry_reversal', 'debt_write_off_reversal')) NOT VALID;

-- A buyer disputes a payment.
CREATE TABLE dispute (
    id          bigint PRIMARY KEY,
    stripe      bigint NOT NULL,
    purchase_id bigint NOT NULL,
    user_id     text NOT NULL,
    gateway_id  text, -- the payment company's id of the dispute
    opened_at   timestamptz NOT NULL, -- by the gateway's clock
    reason      text NOT NULL, -- in the gateway's words
    recorded_at timestamptz NOT NULL,
    -- What follows from its decisions.
    status      text NOT NULL DEFAULT 'open' CONSTRAINT dispute_status_known CHECK (status IN ('open', 'won', 'lost')),
    decided_at  timestamptz CONSTRAINT dispute_decided_or_open CHECK ((status = 'open') = (decided_at IS NULL)),
    -- The gateway gives not every dispute an id, but each the time when it began.
    CONSTRAINT dispute_once UNIQUE (purchase_id, opened_at)
);
CREATE INDEX dispute_open ON dispute (id) WHERE status = 'open';
GRANT SELECT, INSERT (id, stripe, purchase_id, user_id, gateway_id, opened_at, reason, recorded_at) ON dispute
    TO ledgerd_service;

-- How a dispute ended. One that was won can be lost later.
CREATE TABLE dispute_decision (
    dispute_id       bigint NOT NULL,
    outcome          text NOT NULL CONSTRAINT dispute_decision_outcome_known CHECK (outcome IN ('won', 'lost')),
    decided_at       timestamptz NOT NULL,
    decided_by       text, -- the caller; NULL: it followed from the gateway's record of the payment
    reason           text CONSTRAINT dispute_decision_has_reason CHECK ((reason IS NULL) = (decided_by IS NULL)),
    -- What a caller's decision took back although the gateway has cancelled nothing, and by which claw-back.
    amount           bigint NOT NULL CONSTRAINT dispute_decision_amount_not_negative CHECK (amount >= 0),
    journal_entry_id bigint,
    recorded_at      timestamptz NOT NULL,
    PRIMARY KEY (dispute_id, outcome),
    CONSTRAINT dispute_decision_takes_when_lost CHECK (
        (journal_entry_id IS NULL) = (amount = 0) AND (amount = 0 OR outcome = 'lost' AND decided_by IS NOT NULL))
);
GRANT SELECT, INSERT ON dispute_decision TO ledgerd_service;

-- Coins of a disputed purchase that an entry froze, or released again.
CREATE TABLE coin_freeze (
    journal_entry_id bigint PRIMARY KEY,
    purchase_id      bigint NOT NULL,
    act              text NOT NULL CONSTRAINT coin_freeze_act_known CHECK (act IN ('hold', 'release')),
    coins            bigint NOT NULL CONSTRAINT coin_freeze_coins_not_negative CHECK (coins >= 0),
    bonus_coins      bigint NOT NULL CONSTRAINT coin_freeze_bonus_coins_not_negative CHECK (bonus_coins >= 0),
    CONSTRAINT coin_freeze_of_coins CHECK (coins + bonus_coins > 0)
);
CREATE INDEX coin_freeze_of_purchase ON coin_freeze (purchase_id);
GRANT SELECT, INSERT ON coin_freeze TO ledgerd_service;

-- A dispute is told of, and is a finding until it ends.
CREATE FUNCTION judge_dispute() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
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
    INSERT INTO finding AS known (
        kinds, gateway, imp_uid, merchant_uid, payment_id, user_id, amount, currency, paid_at)
    VALUES (
        ARRAY['payment_disputed'], bought.gateway, bought.imp_uid, bought.merchant_uid, bought.payment_id, bought.user_id,
        bought.amount, bought.currency, bought.paid_at)
    ON CONFLICT (imp_uid, gateway) DO UPDATE
    SET kinds = CASE WHEN known.resolved_at IS NULL THEN array_remove(known.kinds, 'payment_disputed') ELSE '{}' END
            || ARRAY['payment_disputed'],
        user_id = coalesce(known.user_id, excluded.user_id), resolved_at = NULL;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION judge_dispute FROM PUBLIC;
CREATE TRIGGER dispute_is_judged AFTER INSERT ON dispute FOR EACH ROW EXECUTE FUNCTION judge_dispute();

-- An open dispute is won or lost, and a won one can be lost; nothing else becomes of one.
CREATE FUNCTION judge_dispute_decision() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    decided dispute;
    bought purchase;
BEGIN
    -- Whoever decides the same dispute meanwhile is waited for, and then seen.
    SELECT * INTO decided FROM dispute WHERE id = NEW.dispute_id FOR UPDATE;
    SELECT * INTO bought FROM purchase WHERE id = decided.purchase_id;
    IF decided.id IS NULL OR decided.status IN ('lost', NEW.outcome)
        OR NEW.journal_entry_id IS NOT NULL AND NOT EXISTS (
            SELECT FROM purchase_reversal AS reversal
            JOIN journal_entry AS entry ON entry.id = reversal.journal_entry_id
            WHERE reversal.journal_entry_id = NEW.journal_entry_id AND reversal.purchase_id = decided.purchase_id
                AND reversal.amount = NEW.amount AND entry.kind = 'claw_back'
                AND entry.transaction_id = pg_current_xact_id())
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
    IF NOT EXISTS (SELECT FROM dispute WHERE purchase_id = decided.purchase_id AND status = 'open') THEN
        UPDATE finding
        SET kinds = CASE kinds WHEN ARRAY['payment_disputed'] THEN kinds ELSE array_remove(kinds, 'payment_disputed') END,
            resolved_at = CASE kinds WHEN ARRAY['payment_disputed'] THEN now() END
        WHERE imp_uid = bought.imp_uid AND gateway = bought.gateway AND resolved_at IS NULL
            AND 'payment_disputed' = ANY(kinds);
    END IF;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION judge_dispute_decision FROM PUBLIC;
CREATE TRIGGER dispute_decision_is_judged AFTER INSERT ON dispute_decision
    FOR EACH ROW EXECUTE FUNCTION judge_dispute_decision();
CREATE TRIGGER dispute_decision_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON dispute_decision
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What is frozen is what its entry moves into the held accounts, while a dispute of the purchase is open; no more is
-- released than was frozen.
CREATE FUNCTION judge_coin_freezes() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
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
                    SELECT FROM dispute WHERE dispute.purchase_id = purchase.id AND dispute.status = 'open')) AS misfit,
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
REVOKE ALL ON FUNCTION judge_coin_freezes FROM PUBLIC;
CREATE TRIGGER coin_freeze_is_judged AFTER INSERT ON coin_freeze
    REFERENCING NEW TABLE AS new_freeze FOR EACH STATEMENT EXECUTE FUNCTION judge_coin_freezes();
CREATE TRIGGER coin_freeze_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON coin_freeze
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Entries that freeze and release coins have a fact of their own; so have kinds of the next migrations.
CREATE OR REPLACE FUNCTION judge_entries() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    tally transaction_tally := current_tally();
    open_from timestamptz := closed_until();
    wrong bigint;
    entries record;
BEGIN
    SELECT min(recorded_at) AS first, max(recorded_at) AS last, min(effective_at) AS effective_from,
        bool_or(NOT isfinite(recorded_at) OR recorded_at > clock_timestamp() + interval '31 days') AS is_beyond,
        bool_or(reverses IS NOT NULL) AS has_reversals,
        -- What has a fact of its own must meet it: its kind and reference are weighed too.
        sum(hashtextextended(id || '/' || stripe, tally.salt)::numeric * (1 + CASE
            WHEN kind IN ('purchase', 'claw_back', 'hold', 'capture', 'void', 'refund_hold', 'refund_release', 'refund',
                'settlement', 'spend_reversal', 'capture_reversal', 'refund_payment', 'refund_reversal',
                'debt_bank_payment', 'payout', 'provider_repayment', 'dispute_hold', 'dispute_release',
                'adjustment', 'expiry_reversal')
            THEN hashtextextended(kind || '/' || reference, tally.salt)::numeric ELSE 0 END)) AS weight
        INTO entries FROM new_entry;
    IF entries.effective_from < open_from THEN
        RAISE EXCEPTION 'journal entry % is effective before %, and that is closed',
            (SELECT id FROM new_entry WHERE effective_at < open_from LIMIT 1), open_from
            USING ERRCODE = 'check_violation', TABLE = 'journal_entry', CONSTRAINT = 'journal_entry_in_open_period';
    END IF;
    -- Later transactions than one that reads an old state may have closed what it takes for open.
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'entries are written in transactions that are READ COMMITTED'
            USING ERRCODE = 'check_violation', TABLE = 'journal_entry', CONSTRAINT = 'journal_entry_in_open_period';
    END IF;
    IF entries.has_reversals THEN
        SELECT entry.id INTO wrong
            FROM new_entry AS entry
            LEFT JOIN journal_entry AS reversed ON reversed.id = entry.reverses
            WHERE entry.reverses IS NOT NULL AND (reversed.stripe IS DISTINCT FROM entry.stripe
                OR reversed.id = entry.id OR reversed.recorded_at > entry.recorded_at
                OR entry.kind NOT IN (
                    'void', 'refund_release', 'refund', 'claw_back', 'spend_reversal', 'capture_reversal',
                    'refund_reversal'))
            LIMIT 1;
        IF FOUND THEN
            RAISE EXCEPTION 'journal entry % can''t reverse what it names', wrong
                USING ERRCODE = 'foreign_key_violation', TABLE = 'journal_entry',
                    CONSTRAINT = 'journal_entry_reverses_an_entry';
        END IF;
    END IF;
    IF entries.first <> entries.last OR entries.is_beyond OR entries.last <> coalesce(tally.recorded_at, entries.last) THEN
        RAISE EXCEPTION 'the entries of a transaction are recorded at one time, and not in the future'
            USING ERRCODE = 'check_violation', TABLE = 'journal_entry', CONSTRAINT = 'journal_entry_recorded_at_one';
    END IF;
    UPDATE transaction_tally SET recorded_at = entries.last WHERE transaction_id = tally.transaction_id;
    PERFORM add_to_tally(more_entries => entries.weight);
    RETURN NULL;
END
$$;
