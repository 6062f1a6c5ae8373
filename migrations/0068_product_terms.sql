-- Terms of what a provider sells.

ALTER TABLE provider_terms ADD COLUMN product text; -- NULL: all products without terms of their own
GRANT INSERT (product) ON provider_terms TO ledgerd_service;

ALTER TABLE provider_share ADD COLUMN product text; -- as the capture names it; NULL: not named, or a reversal
GRANT INSERT (product) ON provider_share TO ledgerd_service;
CREATE TRIGGER provider_share_product_is_immutable BEFORE UPDATE OF product
    ON provider_share FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A capture has the terms of its product or, if that has none, those of all products. The commission is booked without its
-- VAT.
CREATE OR REPLACE FUNCTION judge_provider_shares() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    salt bigint := tally_salt();
    misfit bigint;
    facts numeric;
BEGIN
    -- Whoever reverses a part of the same capture meanwhile was waited for by the judge of the coins that come back.
    SELECT min(told.journal_entry_id) FILTER (
            WHERE entry.id IS NULL OR capture.journal_entry_id IS NULL OR entry.stripe <> told.stripe
                OR entry.transaction_id <> pg_current_xact_id() OR entry.recorded_at <> told.recorded_at
                OR terms.provider <> told.provider OR terms.role <> 'agent' AND told.vat <> 0
                OR CASE WHEN told.journal_entry_id = told.capture_id
                    THEN entry.kind <> 'capture'
                        OR terms.id <> coalesce(
                            (SELECT max(id) FROM provider_terms
                                WHERE provider = told.provider AND product = told.product),
                            (SELECT max(id) FROM provider_terms WHERE provider = told.provider AND product IS NULL))
                        OR told.share <> div(told.amount::numeric * terms.share, 10000)
                    ELSE entry.kind <> 'capture_reversal' OR entry.reverses IS DISTINCT FROM told.capture_id
                        OR told.product IS NOT NULL
                        OR (capture.provider, capture.stripe, capture.terms_id)
                            <> (told.provider, told.stripe, told.terms_id)
                        OR told.amount IS DISTINCT FROM (
                            SELECT sum(amount) FROM coin_return WHERE journal_entry_id = told.journal_entry_id) END),
        sum(CASE WHEN told.journal_entry_id = told.capture_id THEN -1 ELSE 1 END
            * hashtextextended(told.journal_entry_id || '/' || told.stripe, salt)::numeric * (
                told.share * hashtextextended('payable:' || told.provider, salt)::numeric
                + CASE terms.role
                    WHEN 'agent' THEN
                        (told.amount - told.share - told.vat) * hashtextextended('revenue:commission', salt)::numeric
                    ELSE -told.share * hashtextextended('cost:providers', salt)::numeric END))
        INTO misfit, facts
        FROM new_share AS told
        LEFT JOIN journal_entry AS entry ON entry.id = told.journal_entry_id
        LEFT JOIN provider_share AS capture
            ON capture.journal_entry_id = told.capture_id AND capture.capture_id = told.capture_id
        LEFT JOIN provider_terms AS terms ON terms.id = told.terms_id;
    IF misfit IS NULL THEN
        SELECT kept.capture_id INTO misfit
            FROM (
                SELECT share.capture_id, max(share.terms_id) AS terms_id,
                    sum(CASE WHEN share.journal_entry_id = share.capture_id THEN amount ELSE -amount END) AS amount,
                    sum(CASE WHEN share.journal_entry_id = share.capture_id THEN share ELSE -share END) AS share
                FROM provider_share AS share
                WHERE share.capture_id IN (SELECT capture_id FROM new_share WHERE journal_entry_id <> capture_id)
                GROUP BY share.capture_id
            ) AS kept
            JOIN provider_terms AS terms ON terms.id = kept.terms_id
            WHERE kept.amount < 0 OR kept.share <> div(kept.amount * terms.share, 10000)
            LIMIT 1;
    END IF;
    IF misfit IS NOT NULL THEN
        RAISE EXCEPTION 'the provider''s share of or by entry % does not fit it or the terms', misfit
            USING ERRCODE = 'foreign_key_violation', TABLE = 'provider_share',
                CONSTRAINT = 'provider_share_fits_capture';
    END IF;
    PERFORM add_to_tally(more_facts => facts);
    RETURN NULL;
END
$$;

-- Terms of a product follow those of all products. Terms get their number under the locks too: terms with a higher number
-- were set later.
CREATE OR REPLACE FUNCTION set_provider_terms() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    stripes bigint := (SELECT ledger.stripes FROM ledger);
BEGIN
    PERFORM FROM account
        WHERE code = ANY (ARRAY(
            SELECT 'coins:deferred-revenue/' || stripe FROM generate_series(0, stripes - 1) AS stripe))
        ORDER BY id FOR NO KEY UPDATE;
    -- What is withheld from payouts is the same for all products.
    IF NEW.product IS NOT NULL THEN
        SELECT withholding INTO NEW.withholding FROM provider_terms
            WHERE provider = NEW.provider ORDER BY id DESC LIMIT 1;
        IF NOT FOUND THEN
            RAISE EXCEPTION '% has no terms of all products', NEW.provider
                USING ERRCODE = 'foreign_key_violation', TABLE = 'provider_terms',
                    CONSTRAINT = 'provider_terms_of_all_products';
        END IF;
    END IF;
    NEW.id := (SELECT coalesce(max(id), 0) + 1 FROM provider_terms);
    NEW.set_at := greatest(clock_timestamp(), (
        SELECT set_at + interval '1 microsecond' FROM provider_terms WHERE provider = NEW.provider
        ORDER BY id DESC LIMIT 1));
    IF NOT EXISTS (SELECT FROM account WHERE code = 'payable:' || NEW.provider || '/0') THEN
        INSERT INTO account (id, stripe, code, owner, currency, normal_side)
        SELECT block.start + stripe, stripe, 'payable:' || NEW.provider || '/' || stripe, NEW.provider, 'KRW', 'C'
        FROM (SELECT nextval('record_id') AS start) AS block, generate_series(0, stripes - 1) AS stripe;
    END IF;
    RETURN NEW;
END
$$;
