-- The judges of lots and their movements, their VAT, and coins that come back.

-- A lot begins with nothing recognised or supplied.
CREATE OR REPLACE FUNCTION judge_lots() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    salt bigint := tally_salt();
    made record;
BEGIN
    SELECT min(id) FILTER (
            WHERE remaining <> coins OR deferred <> amount OR held <> 0 OR expired <> 0 OR breakage <> 0 OR seq <> 0
                OR returned_at IS NOT NULL OR taxed <> began_taxed OR taxed_breakage <> 0 OR is_voided
                -- Of a given lot it is judged by the gift.
                OR origin_id IS NULL AND (began_taxed <> 0 OR origin_purchase_id IS NOT NULL)
                OR origin_id IS NOT NULL AND purchase_id IS NOT NULL) AS begun,
        min(id) FILTER (WHERE user_id ~ '^forgotten-[0-9a-f]{32}$') AS forgotten,
        sum(hashtextextended(journal_entry_id || '/' || stripe, salt)::numeric * (
            coins * hashtextextended('wallet:' || user_id || ':' || kind, salt)::numeric
            + amount * hashtextextended('coins:deferred-revenue', salt)::numeric)) AS lots,
        sum(hashtextextended(journal_entry_id || '/' || stripe, salt)::numeric * CASE WHEN origin_id IS NULL
            THEN coins * hashtextextended('coins:promotions', salt)::numeric
            ELSE coins * hashtextextended('given/' || id, salt)::numeric
                + amount * hashtextextended('given won/' || id, salt)::numeric END) FILTER (WHERE purchase_id IS NULL) AS facts,
        sum(hashtextextended(purchase_id || '/' || journal_entry_id || '/' || user_id, salt)::numeric * (
            amount * hashtextextended('amount', salt)::numeric + coins * hashtextextended(kind, salt)::numeric
            + hashtextextended('lots', salt))) AS purchases
        INTO made FROM new_lot;
    IF made.begun IS NOT NULL THEN
        RAISE EXCEPTION 'lot % begins as one of which something is gone', made.begun
            USING ERRCODE = 'check_violation', TABLE = 'lot', CONSTRAINT = 'lot_begins_whole';
    END IF;
    IF made.forgotten IS NOT NULL THEN
        RAISE EXCEPTION 'lot % is of a user who was forgotten', made.forgotten
            USING ERRCODE = 'check_violation', TABLE = 'lot', CONSTRAINT = 'user_is_not_forgotten';
    END IF;
    PERFORM add_to_tally(more_lots => -made.lots, more_facts => made.facts, more_purchases => -made.purchases);
    RETURN NULL;
END
$$;

-- Each lot's movements must follow its last one, number by number, by entries of this transaction, and leave no more coins
-- or won than there were; the last is then what is left of the lot, with the won recognised for supplies.
--
-- Coins may come back into a lot: how many is weighed against what is told of returns. Expired coins may come back into the
-- wallet with the won that were recognised for them, for a refund: how many is weighed against it (judge_refunds). All
-- breakage of an expiry is supplied, or none; what is taken back takes its part along. Breakage is booked without its VAT.
CREATE OR REPLACE FUNCTION judge_lot_movements() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    salt bigint := tally_salt();
    entries_recorded_at timestamptz := tally_recorded_at();
    moved record;
BEGIN
    -- A merge leaves closed lots as they are: one that coins come back into is the user's from now on.
    IF EXISTS (SELECT FROM user_alias) THEN
        UPDATE lot SET user_id = alias.user_id, stripe = alias.stripe
        FROM (SELECT DISTINCT lot_id FROM new_lot_movement) AS movement
        CROSS JOIN LATERAL (SELECT id, user_id FROM lot WHERE lot.id = movement.lot_id OFFSET 0) AS found
        CROSS JOIN LATERAL (
            SELECT user_id, stripe FROM user_alias WHERE user_alias.former = found.user_id OFFSET 0
        ) AS alias
        WHERE lot.id = found.id;
    END IF;
    SELECT min(lot_id) FILTER (
            WHERE lot_stripe IS NULL OR lot_stripe <> stripe OR recorded_at IS DISTINCT FROM entries_recorded_at
                OR seq <> seq_before + 1 OR held <> held_before AND entry_kind IS NULL
                OR (remaining, held, deferred, expired, breakage, taxed)
                    = (remaining_before, held_before, deferred_before, expired_before, breakage_before, taxed_before)
                OR NOT CASE WHEN breakage > breakage_before
                    THEN taxed_breakage - taxed_breakage_before IN (0, breakage - breakage_before)
                    ELSE taxed_breakage_before - taxed_breakage BETWEEN 0 AND breakage_before - breakage END
                OR CASE WHEN remaining > remaining_before AND held = held_before
                    -- Coins that come back of a spend or capture, or expired coins for a refund: what came back is a
                    -- fact of its own.
                    THEN deferred < deferred_before OR CASE WHEN expired < expired_before
                        THEN remaining::numeric + expired <> remaining_before::numeric + expired_before
                            OR deferred::numeric + breakage <> deferred_before::numeric + breakage_before
                        ELSE (expired, breakage) <> (expired_before, breakage_before) END
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
            + (breakage - breakage_before - CASE WHEN taxed_breakage + taxed_breakage_before = 0 THEN 0
                ELSE lot_vat_breakage(vat, taxed, taxed_breakage)
                    - lot_vat_breakage(vat, taxed_before, taxed_breakage_before) END)
                * hashtextextended('revenue:breakage', salt)::numeric)) AS lots,
        sum((held - held_before) * hashtextextended(
            CASE WHEN entry_kind = ANY (ARRAY(SELECT kind FROM entry_kind WHERE fact = 'hold')) THEN 'lot:' || lot_id
                ELSE 'refund/' || purchase_id || '/' || kind END, salt)::numeric) AS holds,
        sum(hashtextextended(journal_entry_id || '/' || stripe, salt)::numeric * CASE WHEN expired < expired_before
            THEN (remaining - remaining_before)
                * hashtextextended('not expired/' || purchase_id || '/' || kind, salt)::numeric
            ELSE (remaining - remaining_before) * hashtextextended('back/' || lot_id, salt)::numeric
                + (deferred - deferred_before) * hashtextextended('won back/' || lot_id, salt)::numeric END)
            FILTER (WHERE remaining > remaining_before AND held = held_before) AS returned
        INTO moved
        FROM (
            SELECT new_movement.*, lot.stripe AS lot_stripe, lot.user_id, lot.kind, lot.purchase_id, lot.vat,
                -- Seldom asked: most movements leave what is held as it is.
                CASE WHEN new_movement.held <> coalesce(lag(new_movement.held) OVER earlier, lot.held) THEN (
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
                coalesce(lag(new_movement.breakage) OVER earlier, lot.breakage) AS breakage_before,
                coalesce(lag(new_movement.taxed) OVER earlier, lot.taxed) AS taxed_before,
                coalesce(lag(new_movement.taxed_breakage) OVER earlier, lot.taxed_breakage) AS taxed_breakage_before
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
        breakage = last.breakage, returned_at = last.returned_at, taxed = last.taxed,
        taxed_breakage = last.taxed_breakage, seq = last.seq
    FROM (SELECT DISTINCT ON (lot_id) * FROM new_lot_movement ORDER BY lot_id, seq DESC) AS last
    WHERE lot.id = last.lot_id;
    PERFORM add_to_tally(more_lots => -moved.lots, more_facts => moved.returned, more_holds => moved.holds);
    RETURN NULL;
END
$$;

-- The output VAT of a lot, by its rule, the won of it that were recognised, those that are deferred, and the breakage of
-- coins that were supplied when they expired: 10/110 of won that contain it, rounded towards zero.
--
-- Won that went back before they were recognised have no VAT when their coins expire later: what a lot has VAT of is the sum
-- of what was used, what expired and what is deferred, and only the sum can't be below zero.
CREATE OR REPLACE FUNCTION lot_vat_payable(rule text, taxed bigint, deferred bigint, taxed_breakage bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE rule WHEN 'at_use' THEN greatest(taxed + taxed_breakage, 0) / 11
        WHEN 'at_sale' THEN greatest(taxed + deferred + taxed_breakage, 0) / 11 ELSE 0 END
$$;

-- The part of it that was paid ahead for won that are deferred.
CREATE OR REPLACE FUNCTION lot_vat_deferred(rule text, taxed bigint, deferred bigint, taxed_breakage bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE rule WHEN 'at_sale' THEN greatest(taxed + deferred + taxed_breakage, 0) / 11
        - greatest(taxed + taxed_breakage, 0) / 11 ELSE 0 END
$$;

-- The part of it that breakage contains: what is missing to the VAT of used coins.
CREATE OR REPLACE FUNCTION lot_vat_breakage(rule text, taxed bigint, taxed_breakage bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE WHEN rule IN ('at_use', 'at_sale')
        THEN greatest(taxed + taxed_breakage, 0) / 11 - greatest(taxed, 0) / 11 ELSE 0 END
$$;

-- The first movements of a lot by an entry, or all (NULL). Times never fall along a lot's movements, so halving finds the first
-- one of the entry's moment in a few look-ups by key, without an index that every spend would pay for. From there they are read
-- in the order of the key, whatever the statistics say of it, until they are of a later moment.
CREATE OR REPLACE FUNCTION entry_movements(of_lot bigint, by_entry bigint, most bigint) RETURNS SETOF lot_movement
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off AS $$
DECLARE
    entry_recorded_at timestamptz := (SELECT recorded_at FROM journal_entry WHERE id = by_entry);
    low               bigint := 1;
    high              bigint := (SELECT seq FROM lot WHERE id = of_lot) + 1;
    middle            bigint;
    found_so_far      bigint := 0;
    moved             lot_movement;
BEGIN
    WHILE low < high LOOP
        middle := (low + high) / 2;
        IF (SELECT recorded_at FROM lot_movement WHERE lot_id = of_lot AND seq = middle) < entry_recorded_at THEN
            low := middle + 1;
        ELSE
            high := middle;
        END IF;
    END LOOP;
    FOR moved IN SELECT * FROM lot_movement WHERE lot_id = of_lot AND seq >= low ORDER BY seq LOOP
        EXIT WHEN found_so_far = most OR moved.recorded_at > entry_recorded_at;
        IF moved.journal_entry_id = by_entry THEN
            found_so_far := found_so_far + 1;
            RETURN NEXT moved;
        END IF;
    END LOOP;
END
$$;

-- What an entry took from a lot, by its first movement; NULL: it took nothing.
CREATE OR REPLACE FUNCTION coins_taken(of_lot bigint, by_entry bigint, OUT coins bigint, OUT amount bigint)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    SELECT coalesce(before.remaining + before.held, lot.coins) - moved.remaining - moved.held,
        coalesce(before.deferred, lot.amount) - moved.deferred
        INTO coins, amount
        FROM entry_movements(of_lot, by_entry, 1) AS moved
        CROSS JOIN LATERAL (SELECT lot.coins, lot.amount FROM lot WHERE lot.id = of_lot OFFSET 0) AS lot
        LEFT JOIN LATERAL (
            SELECT remaining, held, deferred FROM lot_movement WHERE lot_id = of_lot AND seq = moved.seq - 1 OFFSET 0
        ) AS before ON true;
END
$$;

-- Of each lot no more comes back than the spend, capture, refund or claw-back took from it, and with the last coin the last won.
CREATE OR REPLACE FUNCTION judge_coin_returns() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    salt bigint := tally_salt();
    misfit bigint;
    facts numeric;
    entries numeric;
    claw_backs bigint[];
BEGIN
    -- Whoever returns coins to the same lots meanwhile is waited for, and then seen.
    PERFORM FROM lot WHERE id IN (SELECT lot_id FROM new_return) ORDER BY id FOR UPDATE;
    SELECT min(back.journal_entry_id) FILTER (
            WHERE lot.id IS NULL OR entry.id IS NULL OR redemption.id IS NULL OR entry.stripe <> lot.stripe
                OR entry.transaction_id <> pg_current_xact_id() OR entry.reverses IS DISTINCT FROM redemption.id
                OR entry.kind <> ALL (ARRAY(SELECT kind FROM entry_kind WHERE returns_coins))
                OR entry.kind <> redemption.kind || '_reversal'
                OR entry.reference <> CASE redemption.kind
                    WHEN 'spend' THEN 'spend:' || redemption.id ELSE redemption.reference END
                OR back.expires_at IS NOT NULL AND NOT coalesce(
                    lot.expires_at = back.expired_at AND back.expired_at <= entry.recorded_at
                    -- 366 days, until the end of the last, in any time zone
                    AND back.expires_at <= entry.recorded_at + interval '368 days', false)
                -- What comes back into a voided lot is voided with it (judge_grant_voids). Of a void in this transaction
                -- the order is not known here.
                OR lot.is_voided AND EXISTS (
                    SELECT FROM grant_void AS whole JOIN journal_entry ON journal_entry.id = whole.journal_entry_id
                    WHERE whole.lot_id = back.lot_id AND whole.is_whole
                        AND journal_entry.transaction_id <> pg_current_xact_id() OFFSET 0)
                    AND NOT EXISTS (
                        SELECT FROM grant_void AS void
                        WHERE void.lot_id = back.lot_id AND void.reversal_id = back.journal_entry_id
                            AND void.coins = back.coins OFFSET 0)),
        sum(hashtextextended(entry.id || '/' || entry.stripe, salt)::numeric * (
            back.coins * hashtextextended('back/' || back.lot_id, salt)::numeric
            + back.amount * hashtextextended('won back/' || back.lot_id, salt)::numeric)),
        coalesce(array_agg(DISTINCT redemption.id) FILTER (WHERE redemption.kind = 'claw_back'), '{}')
        INTO misfit, facts, claw_backs
        FROM new_return AS back
        LEFT JOIN lot ON lot.id = back.lot_id
        LEFT JOIN journal_entry AS entry ON entry.id = back.journal_entry_id
        LEFT JOIN journal_entry AS redemption ON redemption.id = back.redemption_id;
    IF misfit IS NULL THEN
        SELECT asked.redemption_id INTO misfit
            FROM (
                SELECT DISTINCT redemption_id, lot_id FROM new_return WHERE redemption_id <> ALL (claw_backs)
            ) AS asked
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
    IF misfit IS NULL AND claw_backs <> '{}' THEN
        -- A claw-back took coins of the purchase's lots, and made a debt of others. Both can come back, with the won that went
        -- back for them, or that were deferred for them.
        SELECT asked.redemption_id INTO misfit
            FROM (
                SELECT DISTINCT redemption_id, lot_id FROM new_return WHERE redemption_id = ANY (claw_backs)
            ) AS asked
            LEFT JOIN purchase_reversal AS taken ON taken.journal_entry_id = asked.redemption_id
            LEFT JOIN lot ON lot.id = asked.lot_id AND lot.purchase_id = taken.purchase_id
            LEFT JOIN LATERAL (
                SELECT coalesce(before.deferred, lot.amount) - moved.deferred
                        + coalesce(before.breakage, 0) - coalesce(moved.breakage, 0) AS amount
                FROM entry_movements(asked.lot_id, asked.redemption_id, NULL) AS moved
                LEFT JOIN LATERAL (
                    SELECT deferred, breakage FROM lot_movement
                    WHERE lot_id = asked.lot_id AND seq = moved.seq - 1 OFFSET 0
                ) AS before ON true
            ) AS moved ON true
            CROSS JOIN LATERAL (
                SELECT sum(coins) AS coins, sum(amount) AS amount FROM coin_return
                WHERE redemption_id = asked.redemption_id AND lot_id = asked.lot_id
            ) AS returned
            WHERE CASE lot.kind
                WHEN 'paid' THEN returned.coins <= taken.coins + taken.charged_coins
                    AND returned.amount <= greatest(taken.amount, coalesce(moved.amount, 0))
                ELSE returned.coins <= taken.bonus_coins - taken.charged_coins AND returned.amount = 0 END IS NOT TRUE
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
        -- The reversal of a refund or claw-back has a decision of its own, which the entry meets.
        WHERE entry.kind = ANY (ARRAY(SELECT kind FROM entry_kind WHERE fact = 'coin_return'));
    PERFORM add_to_tally(more_entries => -entries, more_facts => -facts);
    RETURN NULL;
END
$$;

-- A void takes coins of a grant out of the wallet, by an entry of its own that reverses the grant's: of its lot and no other,
-- and all that the wallet has of it if it says so. It is inserted after the movements of lots, and before what comes back.
CREATE OR REPLACE FUNCTION judge_grant_voids() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    salt bigint := tally_salt();
    judged record;
BEGIN
    SELECT min(void.journal_entry_id) FILTER (
            WHERE lot.id IS NULL OR entry.id IS NULL OR lot.purchase_id IS NOT NULL OR lot.origin_id IS NOT NULL
                OR entry.stripe <> lot.stripe OR entry.transaction_id <> pg_current_xact_id() OR entry.kind <> 'grant_void'
                OR entry.reference <> 'lot:' || lot.id OR entry.reverses IS DISTINCT FROM lot.journal_entry_id
                OR taken.coins IS DISTINCT FROM void.coins OR void.is_whole AND taken.remaining <> 0
                OR void.reversal_id IS NOT NULL AND NOT (
                    EXISTS (SELECT FROM grant_void AS whole WHERE whole.lot_id = void.lot_id AND whole.is_whole OFFSET 0)
                    AND EXISTS (
                        SELECT FROM journal_entry AS reversal
                        WHERE reversal.id = void.reversal_id AND reversal.transaction_id = pg_current_xact_id()
                            AND reversal.kind = ANY (ARRAY(SELECT kind FROM entry_kind WHERE fact = 'coin_return'))
                        OFFSET 0)))
            AS misfit,
        sum(hashtextextended(entry.id || '/' || entry.stripe, salt)::numeric * void.coins
            * hashtextextended('coins:promotions', salt)) AS facts,
        sum(hashtextextended(entry.id || '/' || entry.stripe, salt)::numeric
            * hashtextextended(entry.kind || '/' || entry.reference, salt)) AS entries
        INTO judged
        FROM new_void AS void
        LEFT JOIN lot ON lot.id = void.lot_id
        LEFT JOIN journal_entry AS entry ON entry.id = void.journal_entry_id
        LEFT JOIN LATERAL (
            SELECT moved.remaining, coalesce(before.remaining, lot.coins) - moved.remaining AS coins
            FROM entry_movements(void.lot_id, void.journal_entry_id, 1) AS moved
            LEFT JOIN LATERAL (
                SELECT remaining FROM lot_movement
                WHERE lot_movement.lot_id = void.lot_id AND lot_movement.seq = moved.seq - 1 OFFSET 0
            ) AS before ON true
        ) AS taken ON true;
    IF judged.misfit IS NOT NULL THEN
        RAISE EXCEPTION 'the void of a grant by entry % does not fit it', judged.misfit
            USING ERRCODE = 'foreign_key_violation', TABLE = 'grant_void', CONSTRAINT = 'grant_void_fits_lot';
    END IF;
    UPDATE lot SET is_voided = true FROM new_void AS void
    WHERE lot.id = void.lot_id AND void.is_whole AND NOT lot.is_voided;
    PERFORM add_to_tally(more_entries => -judged.entries, more_facts => -judged.facts);
    RETURN NULL;
END
$$;

REVOKE ALL ON FUNCTION judge_lots, judge_lot_movements, lot_vat_payable, lot_vat_deferred, lot_vat_breakage,
    entry_movements, coins_taken, judge_coin_returns, judge_grant_voids FROM PUBLIC;
GRANT EXECUTE ON FUNCTION entry_movements, lot_vat_payable, lot_vat_deferred, lot_vat_breakage TO ledgerd_service;
