-- Spends and captures can be reversed, whole or in part: their coins come back into the lots that they came from.

ALTER TABLE journal_entry
    DROP CONSTRAINT journal_entry_kind_known,
    ADD CONSTRAINT journal_entry_kind_known CHECK (kind IN (
        'purchase', 'grant', 'claw_back', 'debt_payment', 'spend', 'hold', 'capture', 'void', 'expiry', 'refund_hold',
        'refund_release', 'refund', 'settlement', 'spend_reversal', 'capture_reversal')) NOT VALID;

-- The coins that came back into one lot.
CREATE TABLE coin_return (
    journal_entry_id bigint NOT NULL, -- of the reversal
    lot_id           bigint NOT NULL,
    redemption_id    bigint NOT NULL, -- the entry of the spend or capture that took the coins
    coins            bigint NOT NULL CONSTRAINT coin_return_coins_positive CHECK (coins > 0),
    amount           bigint NOT NULL CONSTRAINT coin_return_amount_not_negative CHECK (amount >= 0),
    -- When the lot expires now, and when it had expired; NULL: it had not, or its coins expire at once.
    expires_at       timestamptz,
    expired_at       timestamptz,
    PRIMARY KEY (journal_entry_id, lot_id),
    CONSTRAINT coin_return_expiry_is_later CHECK (
        (expires_at IS NULL) = (expired_at IS NULL) AND coalesce(expires_at > expired_at, true))
);
CREATE INDEX coin_return_of_redemption ON coin_return (redemption_id, lot_id);
CREATE INDEX coin_return_of_lot ON coin_return (lot_id);
GRANT SELECT, INSERT ON coin_return TO ledgerd_service;

-- What an entry took from a lot; NULL: it took nothing. Times never fall along a lot's movements, so halving finds the
-- movement in a few look-ups by key, without an index that every spend would pay for.
CREATE FUNCTION coins_taken(of_lot bigint, by_entry bigint, OUT coins bigint, OUT amount bigint) LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    entry_recorded_at timestamptz := (SELECT recorded_at FROM journal_entry WHERE id = by_entry);
    low               bigint := 1;
    high              bigint := (SELECT seq FROM lot WHERE id = of_lot) + 1;
    middle            bigint;
BEGIN
    WHILE low < high LOOP
        middle := (low + high) / 2;
        IF (SELECT recorded_at FROM lot_movement WHERE lot_id = of_lot AND seq = middle) < entry_recorded_at THEN
            low := middle + 1;
        ELSE
            high := middle;
        END IF;
    END LOOP;
    SELECT coalesce(before.remaining + before.held, lot.coins) - moved.remaining - moved.held,
        coalesce(before.deferred, lot.amount) - moved.deferred
        INTO coins, amount
        FROM (
            SELECT * FROM lot_movement
            WHERE lot_id = of_lot AND seq >= low AND journal_entry_id = by_entry
            ORDER BY seq
            LIMIT 1
        ) AS moved
        JOIN lot ON lot.id = moved.lot_id
        LEFT JOIN lot_movement AS before ON before.lot_id = moved.lot_id AND before.seq = moved.seq - 1;
END
$$;
REVOKE ALL ON FUNCTION coins_taken FROM PUBLIC;

-- Of each lot no more comes back than the spend or capture took from it, and with the last coin the last won.
CREATE FUNCTION judge_coin_returns() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    salt bigint := tally_salt();
    misfit bigint;
    facts numeric;
    entries numeric;
BEGIN
    -- Whoever returns coins to the same lots meanwhile is waited for, and then seen.
    PERFORM FROM lot WHERE id IN (SELECT lot_id FROM new_return) ORDER BY id FOR UPDATE;
    SELECT min(back.journal_entry_id) FILTER (
            WHERE lot.id IS NULL OR entry.id IS NULL OR redemption.id IS NULL OR entry.stripe <> lot.stripe
                OR entry.transaction_id <> pg_current_xact_id() OR entry.reverses IS DISTINCT FROM redemption.id
                OR redemption.kind NOT IN ('spend', 'capture') OR entry.kind <> redemption.kind || '_reversal'
                OR entry.reference <> CASE redemption.kind
                    WHEN 'spend' THEN 'spend:' || redemption.id ELSE redemption.reference END
                OR back.expires_at IS NOT NULL AND NOT coalesce(
                    lot.expires_at = back.expired_at AND back.expired_at <= entry.recorded_at
                    AND back.expires_at <= entry.recorded_at + interval '366 days', false)),
        sum(hashtextextended(entry.id || '/' || entry.stripe, salt)::numeric * (
            back.coins * hashtextextended('back/' || back.lot_id, salt)::numeric
            + back.amount * hashtextextended('won back/' || back.lot_id, salt)::numeric))
        INTO misfit, facts
        FROM new_return AS back
        LEFT JOIN lot ON lot.id = back.lot_id
        LEFT JOIN journal_entry AS entry ON entry.id = back.journal_entry_id
        LEFT JOIN journal_entry AS redemption ON redemption.id = back.redemption_id;
    IF misfit IS NULL THEN
        SELECT asked.redemption_id INTO misfit
            FROM (SELECT DISTINCT redemption_id, lot_id FROM new_return) AS asked
            CROSS JOIN LATERAL coins_taken(asked.lot_id, asked.redemption_id) AS taken
            CROSS JOIN LATERAL (
                SELECT sum(coins) AS coins, sum(amount) AS amount FROM coin_return
                WHERE redemption_id = asked.redemption_id AND lot_id = asked.lot_id
            ) AS returned
            WHERE NOT coalesce(
                returned.coins < taken.coins AND returned.amount <= taken.amount
                    OR returned.coins = taken.coins AND returned.amount = taken.amount, false)
            LIMIT 1;
    END IF;
    IF misfit IS NOT NULL THEN
        RAISE EXCEPTION 'the coins that come back by or of entry % do not fit it', misfit
            USING ERRCODE = 'foreign_key_violation', TABLE = 'coin_return', CONSTRAINT = 'coin_return_fits_redemption';
    END IF;
    UPDATE lot SET expires_at = back.expires_at FROM new_return AS back
    WHERE lot.id = back.lot_id AND back.expires_at IS NOT NULL;
    SELECT sum(hashtextextended(entry.id || '/' || entry.stripe, salt)::numeric
            * hashtextextended(entry.kind || '/' || entry.reference, salt))
        INTO entries
        FROM (SELECT DISTINCT journal_entry_id FROM new_return) AS back
        JOIN journal_entry AS entry ON entry.id = back.journal_entry_id;
    PERFORM add_to_tally(more_entries => -entries, more_facts => -facts);
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION judge_coin_returns FROM PUBLIC;
CREATE TRIGGER coin_return_is_judged AFTER INSERT ON coin_return
    REFERENCING NEW TABLE AS new_return FOR EACH STATEMENT EXECUTE FUNCTION judge_coin_returns();
CREATE TRIGGER coin_return_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON coin_return
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A reversal names the entry that it reverses, and has a fact of its own.
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
                'settlement', 'spend_reversal', 'capture_reversal')
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
                    'void', 'refund_release', 'refund', 'claw_back', 'spend_reversal', 'capture_reversal'))
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

-- Coins may come back into a lot; how many is weighed against what is told of returns.
CREATE OR REPLACE FUNCTION judge_lot_movements() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    salt bigint := tally_salt();
    entries_recorded_at timestamptz := tally_recorded_at();
    moved record;
BEGIN
    SELECT min(lot_id) FILTER (
            WHERE lot_stripe IS NULL OR lot_stripe <> stripe OR recorded_at IS DISTINCT FROM entries_recorded_at
                OR seq <> seq_before + 1 OR held <> held_before AND entry_kind IS NULL
                OR (remaining, held, deferred, expired, breakage)
                    = (remaining_before, held_before, deferred_before, expired_before, breakage_before)
                OR CASE WHEN remaining > remaining_before AND held = held_before
                    -- Coins that come back of a spend or capture: what came back is a fact of its own.
                    THEN (expired, breakage) <> (expired_before, breakage_before) OR deferred < deferred_before
                    ELSE remaining::numeric + held > remaining_before::numeric + held_before
                        OR remaining::numeric + held + expired > remaining_before::numeric + held_before + expired_before
                        OR deferred > deferred_before
                        OR deferred::numeric + breakage > deferred_before::numeric + breakage_before END
                OR returned_at IS DISTINCT FROM
                    CASE WHEN remaining > remaining_before THEN recorded_at ELSE returned_before END
                OR remaining IS NULL OR held IS NULL OR deferred IS NULL OR expired IS NULL OR breakage IS NULL)
            AS misfit,
        sum(hashtextextended(journal_entry_id || '/' || stripe, salt)::numeric * (
            (remaining - remaining_before) * hashtextextended('wallet:' || user_id || ':' || kind, salt)::numeric
            + (held - held_before) * hashtextextended('held:' || user_id || ':' || kind, salt)::numeric
            + (deferred - deferred_before) * hashtextextended('coins:deferred-revenue', salt)::numeric
            + (expired - expired_before) * hashtextextended('coins:expired', salt)::numeric
            + (breakage - breakage_before) * hashtextextended('revenue:breakage', salt)::numeric)) AS lots,
        sum((held - held_before) * hashtextextended(
            CASE WHEN entry_kind IN ('hold', 'capture', 'void') THEN 'lot:' || lot_id
                ELSE 'refund/' || purchase_id || '/' || kind END, salt)::numeric) AS holds,
        sum(hashtextextended(journal_entry_id || '/' || stripe, salt)::numeric * (
            (remaining - remaining_before) * hashtextextended('back/' || lot_id, salt)::numeric
            + (deferred - deferred_before) * hashtextextended('won back/' || lot_id, salt)::numeric))
            FILTER (WHERE remaining > remaining_before AND held = held_before) AS returned
        INTO moved
        FROM (
            SELECT new_movement.*, lot.stripe AS lot_stripe, lot.user_id, lot.kind, lot.purchase_id,
                -- Seldom asked: most movements leave what is held as it is.
                CASE WHEN new_movement.held <> lot.held OR new_movement.held <> 0 THEN (
                    SELECT kind FROM journal_entry
                    WHERE id = new_movement.journal_entry_id AND transaction_id = pg_current_xact_id()
                ) END AS entry_kind,
                CASE WHEN lag(new_movement.seq) OVER earlier IS NULL THEN lot.returned_at
                    ELSE lag(new_movement.returned_at) OVER earlier END AS returned_before,
                coalesce(lag(new_movement.seq) OVER earlier, lot.seq) AS seq_before,
                coalesce(lag(new_movement.remaining) OVER earlier, lot.remaining) AS remaining_before,
                coalesce(lag(new_movement.held) OVER earlier, lot.held) AS held_before,
                coalesce(lag(new_movement.deferred) OVER earlier, lot.deferred) AS deferred_before,
                coalesce(lag(new_movement.expired) OVER earlier, lot.expired) AS expired_before,
                coalesce(lag(new_movement.breakage) OVER earlier, lot.breakage) AS breakage_before
            FROM new_lot_movement AS new_movement
            LEFT JOIN lot ON lot.id = new_movement.lot_id
            WINDOW earlier AS (PARTITION BY new_movement.lot_id ORDER BY new_movement.seq)
        ) AS line;
    IF moved.misfit IS NOT NULL THEN
        RAISE EXCEPTION 'the movements of lot % do not fit it', moved.misfit
            USING ERRCODE = 'foreign_key_violation', TABLE = 'lot_movement', CONSTRAINT = 'lot_movement_fits_lot';
    END IF;
    UPDATE lot
    SET remaining = last.remaining, held = last.held, deferred = last.deferred, expired = last.expired,
        breakage = last.breakage, returned_at = last.returned_at, seq = last.seq
    FROM (SELECT DISTINCT ON (lot_id) * FROM new_lot_movement ORDER BY lot_id, seq DESC) AS last
    WHERE lot.id = last.lot_id;
    PERFORM add_to_tally(more_lots => -moved.lots, more_facts => moved.returned, more_holds => moved.holds);
    RETURN NULL;
END
$$;
