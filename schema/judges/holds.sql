-- The judges of holds.

-- Holds and their lots.
CREATE OR REPLACE FUNCTION judge_holds() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    salt bigint := tally_salt();
    placed record;
BEGIN
    SELECT min(hold.id) FILTER (
            WHERE entry.id IS NULL OR entry.stripe <> hold.stripe OR entry.kind <> 'hold'
                OR entry.reference <> 'hold:' || hold.id OR entry.transaction_id <> pg_current_xact_id()
                OR hold.status <> 'open' OR hold.captured <> 0 OR hold.released <> 0) AS misfit,
        sum(hold.coins * hashtextextended(hold.journal_entry_id || '/' || hold.stripe, salt)::numeric
            * hashtextextended('held:' || hold.user_id, salt)) AS facts,
        sum(hashtextextended(hold.journal_entry_id || '/' || hold.stripe, salt)::numeric
            * hashtextextended('hold/hold:' || hold.id, salt)) AS entries,
        sum(hold.coins * hashtextextended('hold:' || hold.id, salt)::numeric) AS holds
        INTO placed
        FROM new_hold AS hold
        LEFT JOIN journal_entry AS entry ON entry.id = hold.journal_entry_id;
    IF placed.misfit IS NOT NULL THEN
        RAISE EXCEPTION 'hold % does not fit its journal entry', placed.misfit
            USING ERRCODE = 'foreign_key_violation', TABLE = 'hold', CONSTRAINT = 'hold_has_entry';
    END IF;
    PERFORM add_to_tally(
        more_entries => -placed.entries, more_facts => -placed.facts, more_holds => placed.holds);
    RETURN NULL;
END
$$;

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

-- Only an open hold moves, and its lots give up their coins in order. That no more go than there are is the table's rule.
-- Each hold and each of its lots is looked up by its key and changed where it was found; holds are locked before, so that none
-- moves between. The look-ups ask for no status, or a plan made when few holds were open would walk all open ones (hold_due).
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
        PERFORM FROM (SELECT DISTINCT hold_id FROM new_hold_event ORDER BY hold_id) AS event
            CROSS JOIN LATERAL (SELECT FROM hold WHERE hold.id = event.hold_id FOR NO KEY UPDATE) AS locked;
        UPDATE hold
        SET captured = hold.captured + event.captured, released = hold.released + event.released,
            status = coalesce(event.status, 'open'), closed_at = CASE WHEN event.status IS NOT NULL THEN event.at END
        FROM (
            SELECT event.hold_id, sum(event.captured)::bigint AS captured, sum(event.released)::bigint AS released,
                max(event.status) FILTER (WHERE event.status <> 'open') AS status, max(entry.recorded_at) AS at
            FROM new_hold_event AS event
            CROSS JOIN LATERAL (
                SELECT recorded_at FROM journal_entry WHERE journal_entry.id = event.journal_entry_id OFFSET 0
            ) AS entry
            GROUP BY event.hold_id
        ) AS event
        CROSS JOIN LATERAL (SELECT ctid, status FROM hold WHERE hold.id = event.hold_id OFFSET 0) AS found
        WHERE hold.ctid = found.ctid AND found.status = 'open';
        GET DIAGNOSTICS changed = ROW_COUNT;
    END IF;
    IF moved.misfit IS NOT NULL OR changed <> moved.holds THEN
        RAISE EXCEPTION 'what becomes of a hold does not fit it or its journal entry'
            USING ERRCODE = 'foreign_key_violation', TABLE = 'hold_event', CONSTRAINT = 'hold_event_fits_hold';
    END IF;
    WITH changed AS (
        UPDATE hold_lot SET held = after.held
        FROM (
            SELECT line.ctid, line.held AS held_before,
                least(line.coins, greatest(0, line.up_to - hold.captured - hold.released))::bigint AS held
            FROM (SELECT DISTINCT hold_id FROM new_hold_event) AS event
            CROSS JOIN LATERAL (SELECT captured, released FROM hold WHERE hold.id = event.hold_id OFFSET 0) AS hold
            CROSS JOIN LATERAL (
                SELECT ctid, coins, held, sum(coins) OVER (ORDER BY place) AS up_to FROM hold_lot
                WHERE hold_lot.hold_id = event.hold_id OFFSET 0
            ) AS line
        ) AS after
        WHERE hold_lot.ctid = after.ctid AND after.held_before <> after.held
        RETURNING hold_lot.lot_id, after.held_before - after.held AS gone
    )
    SELECT sum(gone * hashtextextended('lot:' || lot_id, salt)::numeric) INTO lots FROM changed;
    PERFORM add_to_tally(more_entries => -moved.entries, more_facts => moved.facts, more_holds => lots);
    RETURN NULL;
END
$$;

REVOKE ALL ON FUNCTION judge_holds, judge_hold_lots, judge_hold_events FROM PUBLIC;
