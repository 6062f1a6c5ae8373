-- VAT: the rule of each lot, fixed at its sale, the won of it that were recognised for supplies, and which part of its
-- breakage was supplied. It stays as it was booked, whatever the settings are later.

-- A ledger that is yet to be created gets these with all others.
WITH block AS MATERIALIZED (SELECT nextval('record_id') AS start, stripes FROM ledger)
INSERT INTO account (id, stripe, code, currency, normal_side)
SELECT block.start + new.place * stripes + stripe, stripe, new.name || '/' || stripe, 'KRW', new.side
FROM block, generate_series(0, block.stripes - 1) AS stripe,
    (VALUES (0, 'tax:vat-payable', 'C'), (1, 'tax:vat-deferred', 'D'), (2, 'tax:vat-input', 'D'))
        AS new (place, name, side)
ON CONFLICT (code) DO NOTHING;

-- The output VAT of a lot, by its rule, the won of it that were recognised, those that are deferred, and the breakage of
-- coins that were supplied when they expired: 10/110 of won that contain it, rounded towards zero.
CREATE FUNCTION lot_vat_payable(rule text, taxed bigint, deferred bigint, taxed_breakage bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE rule WHEN 'at_use' THEN (greatest(taxed, 0) + taxed_breakage) / 11
        WHEN 'at_sale' THEN (greatest(taxed + deferred, 0) + taxed_breakage) / 11 ELSE 0 END
$$;
-- The part of it that was paid ahead for won that are deferred.
CREATE FUNCTION lot_vat_deferred(rule text, taxed bigint, deferred bigint, taxed_breakage bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE rule WHEN 'at_sale' THEN (greatest(taxed + deferred, 0) + taxed_breakage) / 11
        - (greatest(taxed, 0) + taxed_breakage) / 11 ELSE 0 END
$$;
-- The part of it that breakage contains: what is missing to the VAT of used coins.
CREATE FUNCTION lot_vat_breakage(rule text, taxed bigint, taxed_breakage bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE WHEN rule IN ('at_use', 'at_sale')
        THEN (greatest(taxed, 0) + taxed_breakage) / 11 - greatest(taxed, 0) / 11 ELSE 0 END
$$;
REVOKE ALL ON FUNCTION lot_vat_payable, lot_vat_deferred, lot_vat_breakage FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lot_vat_payable, lot_vat_deferred, lot_vat_breakage TO ledgerd_service;

-- When the VAT of a product arises. An order keeps what was sold; NULL: it was made before.
ALTER TABLE product
    ADD COLUMN vat text NOT NULL DEFAULT 'at_use'
        CONSTRAINT product_vat_known CHECK (vat IN ('exempt', 'at_use', 'at_sale'));
ALTER TABLE "order" ADD COLUMN vat text;

ALTER TABLE lot
    ADD COLUMN vat text, -- the rule; NULL: VAT was off when the coins were sold, or they are bonus coins
    ADD COLUMN taxed bigint NOT NULL DEFAULT 0, -- won recognised for supplies since, less those that went back; below zero there is no VAT
    ADD CONSTRAINT lot_vat_of_paid_coins CHECK (CASE kind
        WHEN 'paid' THEN coalesce(vat IN ('exempt', 'at_use', 'at_sale'), taxed = 0)
        ELSE vat IS NULL AND taxed = 0 END) NOT VALID,
    ADD COLUMN taxed_breakage bigint NOT NULL DEFAULT 0, -- the part of the breakage that was supplied when coins expired
    ADD CONSTRAINT lot_taxed_breakage_within_breakage CHECK (
        taxed_breakage BETWEEN 0 AND breakage AND (vat IS NOT NULL OR taxed_breakage = 0)) NOT VALID;
ALTER TABLE lot_movement -- the lot's, after the movement
    ADD COLUMN taxed bigint NOT NULL DEFAULT 0,
    ADD COLUMN taxed_breakage bigint NOT NULL DEFAULT 0;

-- The part of a payment that has no VAT by the gateway's record; NULL: the gateway does not tell.
ALTER TABLE purchase
    ADD COLUMN tax_free bigint,
    ADD CONSTRAINT purchase_tax_free_within_amount CHECK (tax_free BETWEEN 0 AND amount) NOT VALID;

-- VAT that entries without lots have.
ALTER TABLE debt_bank_payment ADD COLUMN vat bigint NOT NULL DEFAULT 0;
ALTER TABLE settlement_row ADD COLUMN input_vat bigint NOT NULL DEFAULT 0; -- the part of the tax that was booked apart
GRANT UPDATE (input_vat) ON settlement_row TO ledgerd_service;

-- The VAT of our commission, or of what came back of it.
ALTER TABLE provider_share ADD COLUMN vat bigint NOT NULL DEFAULT 0;
GRANT INSERT (vat) ON provider_share TO ledgerd_service;

-- A lot begins with nothing recognised or supplied.
CREATE OR REPLACE FUNCTION judge_lots() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    salt bigint := tally_salt();
    made record;
BEGIN
    SELECT min(id) FILTER (
            WHERE remaining <> coins OR deferred <> amount OR held <> 0 OR expired <> 0 OR breakage <> 0 OR seq <> 0
                OR returned_at IS NOT NULL OR taxed <> 0 OR taxed_breakage <> 0) AS begun,
        sum(hashtextextended(journal_entry_id || '/' || stripe, salt)::numeric * (
            coins * hashtextextended('wallet:' || user_id || ':' || kind, salt)::numeric
            + amount * hashtextextended('coins:deferred-revenue', salt)::numeric)) AS lots,
        sum(hashtextextended(journal_entry_id || '/' || stripe, salt)::numeric * coins
            * hashtextextended('coins:promotions', salt)) FILTER (WHERE purchase_id IS NULL) AS facts,
        sum(hashtextextended(purchase_id || '/' || journal_entry_id || '/' || user_id, salt)::numeric * (
            amount * hashtextextended('amount', salt)::numeric + coins * hashtextextended(kind, salt)::numeric
            + hashtextextended('lots', salt))) AS purchases
        INTO made FROM new_lot;
    IF made.begun IS NOT NULL THEN
        RAISE EXCEPTION 'lot % begins as one of which something is gone', made.begun
            USING ERRCODE = 'check_violation', TABLE = 'lot', CONSTRAINT = 'lot_begins_whole';
    END IF;
    PERFORM add_to_tally(more_lots => -made.lots, more_facts => made.facts, more_purchases => -made.purchases);
    RETURN NULL;
END
$$;

-- The won recognised for supplies are part of a lot's state.
--
-- Expired coins may come back into the wallet with the won that were recognised for them, for a refund: how many is weighed
-- against it (judge_refunds). All breakage of an expiry is supplied, or none; what is taken back takes its part along.
-- Breakage is booked without its VAT.
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
            CASE WHEN entry_kind IN ('hold', 'capture', 'void') THEN 'lot:' || lot_id
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
