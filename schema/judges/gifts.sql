-- The judges of gifts: coins that go from one user's lots to another's.

-- A gift is an entry of each user, in the stripe of each. What both post to the clearing accounts is the gift's, so these are
-- zero, over all stripes, after every transaction. Its lots move as many coins and won.
CREATE OR REPLACE FUNCTION judge_gifts() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    salt bigint := tally_salt();
    judged record;
BEGIN
    SELECT min(gift.id) FILTER (
            WHERE sent.id IS NULL OR received.id IS NULL OR sent.transaction_id <> pg_current_xact_id()
                OR received.transaction_id <> pg_current_xact_id() OR gift.recorded_at <> sent.recorded_at) AS misfit,
        sum(hashtextextended(sent.id || '/' || sent.stripe, salt)::numeric * hashtextextended(
                CASE WHEN gift.purchase_id IS NULL THEN 'gift_sent' ELSE 'gift_taken_back' END || '/gift:' || gift.id, salt)
            + hashtextextended(received.id || '/' || received.stripe, salt)::numeric * hashtextextended(
                CASE WHEN gift.purchase_id IS NULL THEN 'gift_received' ELSE 'gift_returned' END || '/gift:' || gift.id,
                salt)) AS entries,
        sum((hashtextextended(sent.id || '/' || sent.stripe, salt)::numeric
                - hashtextextended(received.id || '/' || received.stripe, salt)) * (
                gift.coins * hashtextextended('clearing:coins', salt)::numeric
                + gift.amount * hashtextextended('clearing:won', salt)::numeric)
            + gift.coins * hashtextextended('gift coins/' || gift.id, salt)::numeric
            + gift.amount * hashtextextended('gift won/' || gift.id, salt)::numeric) AS facts
        INTO judged
        FROM new_gift AS gift
        LEFT JOIN journal_entry AS sent ON sent.id = gift.sent_entry_id
        LEFT JOIN journal_entry AS received ON received.id = gift.received_entry_id;
    IF judged.misfit IS NOT NULL THEN
        RAISE EXCEPTION 'gift % does not fit its journal entries', judged.misfit
            USING ERRCODE = 'foreign_key_violation', TABLE = 'gift', CONSTRAINT = 'gift_fits_entries';
    END IF;
    PERFORM add_to_tally(more_entries => -judged.entries, more_facts => -judged.facts);
    RETURN NULL;
END
$$;

-- What one lot loses by a gift, the other one gets, coin by coin and won by won: a new lot with all that coins have (kind,
-- expiry, rule of VAT, who gave them, what they were bought or granted as), or the lot that was bought, if they come back for its
-- refund. Coins of a campaign are given only if it says so. Of used coins whose money goes back, the won that were recognised with VAT move alone. The rows are inserted after the
-- movements of lots.
CREATE OR REPLACE FUNCTION judge_gift_lots() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    salt bigint := tally_salt();
    judged record;
BEGIN
    SELECT min(moved.gift_id) FILTER (
            WHERE gift.id IS NULL OR given.id IS NULL OR got.id IS NULL OR given.user_id <> gift.from_user
                OR got.user_id <> gift.to_user OR given.kind <> got.kind OR given.vat IS DISTINCT FROM got.vat
                OR (taken.coins, taken.amount, taken.recognised)
                    IS DISTINCT FROM (moved.coins, moved.amount, moved.recognised)
                OR NOT coalesce(CASE WHEN gift.purchase_id IS NULL THEN
                    moved.recognised = 0 AND got.journal_entry_id = gift.received_entry_id AND (got.coins, got.amount) = (moved.coins, moved.amount)
                    AND coalesce((
                        SELECT can_be_moved FROM campaign WHERE campaign.id = (
                            SELECT campaign_id FROM campaign_grant
                            WHERE campaign_grant.lot_id = coalesce(given.origin_id, given.id))), true)
                    AND got.origin_id = coalesce(given.origin_id, given.id)
                    AND got.origin_purchase_id IS NOT DISTINCT FROM coalesce(given.origin_purchase_id, given.purchase_id)
                    AND got.expires_at IS NOT DISTINCT FROM given.expires_at AND got.issuer IS NOT DISTINCT FROM given.issuer
                    AND got.began_taxed = CASE WHEN given.vat IS NULL THEN 0
                        ELSE (taken.taxable % 11 + 11) % 11 END
                ELSE given.origin_id = got.id AND given.origin_purchase_id = gift.purchase_id
                    AND got.purchase_id = gift.purchase_id
                    AND (-back.coins, -back.amount, -back.recognised)
                        IS NOT DISTINCT FROM (moved.coins, moved.amount, moved.recognised) END, false)) AS misfit,
        sum(moved.coins * hashtextextended('gift coins/' || gift.id, salt)::numeric
            + (moved.amount + moved.recognised) * hashtextextended('gift won/' || gift.id, salt)::numeric) AS moved,
        sum(hashtextextended(received.id || '/' || received.stripe, salt)::numeric * (
            moved.coins * hashtextextended(CASE WHEN gift.purchase_id IS NULL THEN 'given/' ELSE 'back/' END || got.id, salt)::numeric
            + moved.amount * hashtextextended(
                CASE WHEN gift.purchase_id IS NULL THEN 'given won/' ELSE 'won back/' END || got.id, salt)::numeric)) AS got
        INTO judged
        FROM new_gift_lot AS moved
        LEFT JOIN LATERAL (SELECT * FROM gift WHERE gift.id = moved.gift_id OFFSET 0) AS gift ON true
        LEFT JOIN journal_entry AS received ON received.id = gift.received_entry_id
        LEFT JOIN lot AS given ON given.id = moved.from_lot_id
        LEFT JOIN lot AS got ON got.id = moved.to_lot_id
        LEFT JOIN LATERAL (
            SELECT coalesce(before.remaining, given.coins) - after.remaining AS coins,
                coalesce(before.deferred, given.amount) - after.deferred AS amount,
                coalesce(before.taxed, given.began_taxed) - after.taxed AS recognised,
                -- What the first part can still have of VAT, where the second one begins.
                after.taxed + after.taxed_breakage + after.deferred AS taxable
            FROM entry_movements(moved.from_lot_id, gift.sent_entry_id, 1) AS after
            LEFT JOIN LATERAL (
                SELECT remaining, deferred, taxed FROM lot_movement
                WHERE lot_movement.lot_id = moved.from_lot_id AND lot_movement.seq = after.seq - 1 OFFSET 0
            ) AS before ON true
        ) AS taken ON true
        LEFT JOIN LATERAL (
            SELECT coalesce(before.remaining, got.coins) - after.remaining AS coins,
                coalesce(before.deferred, got.amount) - after.deferred AS amount,
                coalesce(before.taxed, got.began_taxed) - after.taxed AS recognised
            FROM entry_movements(moved.to_lot_id, gift.received_entry_id, 1) AS after
            LEFT JOIN LATERAL (
                SELECT remaining, deferred, taxed FROM lot_movement
                WHERE lot_movement.lot_id = moved.to_lot_id AND lot_movement.seq = after.seq - 1 OFFSET 0
            ) AS before ON true
        ) AS back ON gift.purchase_id IS NOT NULL;
    IF judged.misfit IS NOT NULL THEN
        RAISE EXCEPTION 'the lots of gift % do not fit it', judged.misfit
            USING ERRCODE = 'foreign_key_violation', TABLE = 'gift_lot', CONSTRAINT = 'gift_lot_fits_gift';
    END IF;
    PERFORM add_to_tally(more_facts => judged.moved - judged.got);
    RETURN NULL;
END
$$;

REVOKE ALL ON FUNCTION judge_gifts, judge_gift_lots FROM PUBLIC;
