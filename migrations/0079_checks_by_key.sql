-- @compatible-from 0068
-- The checks of holds and of coins that come back look each row up by its key. The writers' planner may use neither hash
-- nor merge joins (decision 0002), and its nested loops compared each row with each other one. `OFFSET 0` keeps a look-up
-- as it is written.

CREATE OR REPLACE FUNCTION judge_hold_lots() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    salt bigint := tally_salt();
BEGIN
    -- Also when its hold is of another transaction, or has moved.
    IF EXISTS (
        SELECT FROM new_hold_lot WHERE held <> coins
    ) OR EXISTS (
        SELECT FROM (SELECT DISTINCT hold_id FROM new_hold_lot) AS placed
        LEFT JOIN LATERAL (
            SELECT journal_entry_id FROM hold
            WHERE hold.id = placed.hold_id AND hold.captured = 0 AND hold.released = 0 OFFSET 0
        ) AS hold ON true
        LEFT JOIN LATERAL (
            SELECT transaction_id FROM journal_entry WHERE journal_entry.id = hold.journal_entry_id OFFSET 0
        ) AS entry ON true
        WHERE entry.transaction_id IS DISTINCT FROM pg_current_xact_id()
    ) THEN
        RAISE EXCEPTION 'a hold''s lot begins as one of which something is gone'
            USING ERRCODE = 'check_violation', TABLE = 'hold_lot', CONSTRAINT = 'hold_lot_begins_whole';
    END IF;
    PERFORM add_to_tally(more_holds => (
        SELECT -sum(coins * (hashtextextended('hold:' || hold_id, salt)::numeric + hashtextextended('lot:' || lot_id, salt)::numeric))
        FROM new_hold_lot));
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION judge_hold_events() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    salt bigint := tally_salt();
    moved record;
    changed bigint;
    lots numeric;
BEGIN
    SELECT min(event.hold_id) FILTER (
            WHERE entry.id IS NULL OR hold.id IS NULL OR entry.stripe <> hold.stripe
                OR entry.transaction_id <> pg_current_xact_id() OR event.captured > 0 AND event.released > 0) AS misfit,
        count(DISTINCT event.hold_id) AS holds,
        sum((event.captured + event.released) * hashtextextended(entry.id || '/' || entry.stripe, salt)::numeric
            * hashtextextended('held:' || hold.user_id, salt)) AS facts,
        sum(hashtextextended(entry.id || '/' || entry.stripe, salt)::numeric * hashtextextended(
            CASE WHEN event.captured > 0 THEN 'capture' ELSE 'void' END || '/hold:' || hold.id, salt)) AS entries
        INTO moved
        FROM new_hold_event AS event
        LEFT JOIN hold ON hold.id = event.hold_id
        LEFT JOIN journal_entry AS entry ON entry.id = event.journal_entry_id;
    IF moved.misfit IS NULL THEN
        UPDATE hold
        SET captured = hold.captured + event.captured, released = hold.released + event.released,
            status = coalesce(event.status, 'open'), closed_at = CASE WHEN event.status IS NOT NULL THEN event.at END
        FROM (
            SELECT event.hold_id, sum(event.captured)::bigint AS captured, sum(event.released)::bigint AS released,
                max(event.status) FILTER (WHERE event.status <> 'open') AS status, max(entry.recorded_at) AS at
            FROM new_hold_event AS event
            JOIN journal_entry AS entry ON entry.id = event.journal_entry_id
            GROUP BY event.hold_id
        ) AS event
        WHERE hold.id = event.hold_id AND hold.status = 'open';
        GET DIAGNOSTICS changed = ROW_COUNT;
    END IF;
    IF moved.misfit IS NOT NULL OR changed <> moved.holds THEN
        RAISE EXCEPTION 'what becomes of a hold does not fit it or its journal entry'
            USING ERRCODE = 'foreign_key_violation', TABLE = 'hold_event', CONSTRAINT = 'hold_event_fits_hold';
    END IF;
    WITH changed AS (
        UPDATE hold_lot SET held = after.held
        FROM (
            SELECT event.hold_id, line.place, line.held AS held_before,
                least(line.coins, greatest(0, line.up_to - hold.captured - hold.released))::bigint AS held
            FROM (SELECT DISTINCT hold_id FROM new_hold_event) AS event
            CROSS JOIN LATERAL (SELECT captured, released FROM hold WHERE hold.id = event.hold_id OFFSET 0) AS hold
            CROSS JOIN LATERAL (
                SELECT place, coins, held, sum(coins) OVER (ORDER BY place) AS up_to FROM hold_lot
                WHERE hold_lot.hold_id = event.hold_id OFFSET 0
            ) AS line
        ) AS after
        WHERE hold_lot.hold_id = after.hold_id AND hold_lot.place = after.place AND hold_lot.held <> after.held
        RETURNING hold_lot.lot_id, after.held_before - after.held AS gone
    )
    SELECT sum(gone * hashtextextended('lot:' || lot_id, salt)::numeric) INTO lots FROM changed;
    PERFORM add_to_tally(more_entries => -moved.entries, more_facts => moved.facts, more_holds => lots);
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION judge_coin_returns() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
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
                OR redemption.kind NOT IN ('spend', 'capture', 'refund') OR entry.kind <> redemption.kind || '_reversal'
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
            LEFT JOIN LATERAL (
                SELECT seq, coins, amount FROM lot WHERE lot.id = asked.lot_id OFFSET 0
            ) AS lot ON true
            LEFT JOIN LATERAL (
                -- Most lots have few movements, which are read faster than searched.
                (
                    SELECT coalesce(before.remaining + before.held, lot.coins) - moved.remaining - moved.held AS coins,
                        coalesce(before.deferred, lot.amount) - moved.deferred AS amount
                    FROM lot_movement AS moved
                    LEFT JOIN lot_movement AS before ON before.lot_id = moved.lot_id AND before.seq = moved.seq - 1
                    WHERE moved.lot_id = asked.lot_id AND moved.journal_entry_id = asked.redemption_id AND lot.seq <= 32
                    ORDER BY moved.seq
                    LIMIT 1
                )
                UNION ALL
                SELECT coins, amount FROM coins_taken(asked.lot_id, asked.redemption_id) WHERE lot.seq > 32
            ) AS taken ON true
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
        JOIN journal_entry AS entry ON entry.id = back.journal_entry_id
        -- The reversal of a refund has a decision of its own, which the entry meets.
        WHERE entry.kind <> 'refund_reversal';
    PERFORM add_to_tally(more_entries => -entries, more_facts => -facts);
    RETURN NULL;
END
$$;
