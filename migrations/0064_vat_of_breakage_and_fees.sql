-- Expired coins and fees of refunds can be supplies, with VAT: a lot knows which part of its breakage was one, and a refund
-- the VAT of its fee. Both stay as they were booked, whatever the settings are later.

-- In the order in which writers read these tables.
ALTER TABLE refund
    ADD COLUMN fee_vat bigint, -- the VAT that the fee contains; NULL: the fee pays for no supply
    ADD CONSTRAINT refund_fee_vat_of_fee CHECK (fee > 0 AND fee_vat IN (0, fee / 11) OR fee_vat IS NULL) NOT VALID;

ALTER TABLE lot
    ADD COLUMN taxed_breakage bigint NOT NULL DEFAULT 0, -- the part of the breakage that was supplied when coins expired
    ADD CONSTRAINT lot_taxed_breakage_within_breakage CHECK (
        taxed_breakage BETWEEN 0 AND breakage AND (vat IS NOT NULL OR taxed_breakage = 0)) NOT VALID;
ALTER TABLE lot_movement ADD COLUMN taxed_breakage bigint NOT NULL DEFAULT 0; -- the lot's, after the movement

-- The output VAT of a lot, by its rule, the won of it that were recognised, those that are deferred, and the breakage of
-- coins that were supplied when they expired: 10/110 of won that contain it, rounded towards zero.
DROP FUNCTION lot_vat_payable, lot_vat_deferred;
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

-- A lot begins with nothing supplied.
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

-- All breakage of an expiry is supplied, or none; what is taken back takes its part along. Breakage is booked without its
-- VAT.
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

-- The fee of a refund is booked without its VAT.
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
        LEFT JOIN purchase_reversal AS reversal ON reversal.journal_entry_id = refund.reversal_entry_id;
    IF begun.misfit IS NOT NULL THEN
        RAISE EXCEPTION 'refund % does not fit its journal entry or purchase', begun.misfit
            USING ERRCODE = 'foreign_key_violation', TABLE = 'refund', CONSTRAINT = 'refund_fits_entry_and_purchase';
    END IF;
    PERFORM add_to_tally(
        more_entries => -begun.entries, more_facts => -begun.facts, more_holds => -begun.holds);
    RETURN NULL;
END
$$;

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
                OR CASE refund.method || ' ' || decision.status
                    WHEN 'gateway refused' THEN refund.status <> 'pending' OR entry.kind <> 'refund_release'
                    WHEN 'gateway completed' THEN refund.status = 'completed' OR entry.kind <> 'refund'
                        OR NOT coalesce(
                            NOT reversal.is_transfer AND reversal.purchase_id = refund.purchase_id
                            AND reversal.amount = refund.amount AND reversal.charged_coins = refund.bonus_charged
                            AND reversal.coins = refund.coins - refund.bonus_charged
                            AND reversal.bonus_coins = refund.bonus_coins + refund.bonus_charged, false)
                    WHEN 'bank_transfer completed' THEN refund.status <> 'approved' OR entry.kind <> 'refund_payment'
                    WHEN 'bank_transfer reversed' THEN refund.status <> 'approved' OR entry.kind <> 'refund_reversal'
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
            + CASE WHEN entry.kind = 'refund_payment' THEN refund.amount ELSE 0 END * (
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
        paid_at = decision.paid_at, bank_reference = decision.bank_reference
    FROM new_decision AS decision
    JOIN journal_entry AS entry ON entry.id = decision.journal_entry_id
    WHERE refund.id = decision.refund_id;
    PERFORM add_to_tally(more_entries => -entries, more_facts => facts, more_holds => holds);
    RETURN NULL;
END
$$;
