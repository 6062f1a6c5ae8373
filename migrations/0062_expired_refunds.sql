-- Expired paid coins can be refunded: they are taken back into the wallet first, with what was recognised for them. And
-- coins of a cancelled payment that come back take back what was written off of the debt that they had become.

ALTER TABLE refund
    ADD COLUMN expired_coins bigint NOT NULL DEFAULT 0, -- of the paid coins
    ADD COLUMN expired_value bigint NOT NULL DEFAULT 0, -- of the value
    ADD COLUMN expired_fee bigint NOT NULL DEFAULT 0, -- of the fee
    ADD COLUMN expiry_reversal_id bigint, -- the entry that took the expired coins back
    DROP CONSTRAINT refund_fee_rule_known,
    ADD CONSTRAINT refund_fee_rule_known
        CHECK (fee_rule IN ('waived', 'free_days', 'expired', 'percentage', 'minimum')) NOT VALID,
    DROP CONSTRAINT refund_fee_fits_rule,
    ADD CONSTRAINT refund_fee_fits_rule CHECK (
        CASE fee_rule WHEN 'waived' THEN fee = 0
            WHEN 'free_days' THEN fee = expired_fee
            WHEN 'expired' THEN fee = expired_fee AND coins = expired_coins
            ELSE true END
        AND (fee_waiver IS NOT NULL) = coalesce(fee_rule = 'waived', false)) NOT VALID,
    ADD CONSTRAINT refund_expired_within_refund CHECK (
        expired_coins BETWEEN 0 AND coins AND expired_value BETWEEN 0 AND value AND expired_fee BETWEEN 0 AND fee
        AND expired_fee <= expired_value) NOT VALID,
    ADD CONSTRAINT refund_expired_has_entry CHECK ((expired_coins > 0) = (expiry_reversal_id IS NOT NULL)) NOT VALID,
    ADD COLUMN fee_vat bigint, -- the VAT that the fee contains, whatever the settings are later; NULL: it pays for no supply
    ADD CONSTRAINT refund_fee_vat_of_fee CHECK (fee > 0 AND fee_vat IN (0, fee / 11) OR fee_vat IS NULL) NOT VALID;

-- A refund of expired coins has an entry that took them back, of as many. A fee is booked without its VAT.
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
