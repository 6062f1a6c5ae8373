-- The judges of providers' terms, shares, repayments and payouts.

-- No capture is under way while terms are set: writers hold the lock of their stripe until they commit. Terms of a product
-- follow those of all products. Terms get their number under the locks too: terms with a higher number were set later.
CREATE OR REPLACE FUNCTION set_provider_terms() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    stripes bigint := (SELECT ledger.stripes FROM ledger);
BEGIN
    -- `id + 0`: no index has this order, so a plan of an empty table does not read all accounts in the order of their ids.
    PERFORM FROM account
        WHERE code = ANY (ARRAY(
            SELECT 'coins:deferred-revenue/' || stripe FROM generate_series(0, stripes - 1) AS stripe))
        ORDER BY id + 0 FOR NO KEY UPDATE;
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

-- A share is what the terms in force say, rounded down; after reversals, of what did not come back. A capture has the terms
-- of its product or, if that has none, those of all products. The commission is booked without its VAT.
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
                        OR (capture.provider, capture.terms_id) <> (told.provider, told.terms_id)
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

-- What a provider paid back is what its entry posts.
CREATE OR REPLACE FUNCTION judge_provider_repayments() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    salt bigint := tally_salt();
    misfit bigint;
    entries numeric;
    facts numeric;
BEGIN
    SELECT min(told.journal_entry_id) FILTER (
            WHERE entry.id IS NULL OR entry.transaction_id <> pg_current_xact_id()
                OR entry.kind <> 'provider_repayment' OR entry.reference <> 'provider:' || told.provider
                OR entry.stripe <> told.stripe OR entry.recorded_at <> told.recorded_at),
        sum(hashtextextended(told.journal_entry_id || '/' || told.stripe, salt)::numeric
            * hashtextextended('provider_repayment/provider:' || told.provider, salt)),
        sum(hashtextextended(told.journal_entry_id || '/' || told.stripe, salt)::numeric * told.amount
            * (hashtextextended('bank', salt)::numeric - hashtextextended('payable:' || told.provider, salt)))
        INTO misfit, entries, facts
        FROM new_repayment AS told
        LEFT JOIN journal_entry AS entry ON entry.id = told.journal_entry_id;
    IF misfit IS NOT NULL THEN
        RAISE EXCEPTION 'entry % does not book what a provider paid back', misfit
            USING ERRCODE = 'foreign_key_violation', TABLE = 'provider_repayment',
                CONSTRAINT = 'provider_repayment_fits_entry';
    END IF;
    PERFORM add_to_tally(more_entries => -entries, more_facts => facts);
    RETURN NULL;
END
$$;

-- The service can lock a payout, and not change it.
CREATE OR REPLACE FUNCTION lock_payouts(ids bigint[]) RETURNS SETOF payout LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT * FROM payout WHERE id = ANY (ids) ORDER BY id FOR UPDATE
$$;

-- A proposal takes the captures before the cut-off, and what came back and was paid back until now, whatever the
-- cut-off: a capture that was reversed before the proposal is not paid. It leaves what came back of captures that stay
-- for a later payout. It pays up to 1,000 providers to whom more than nothing is owed.
CREATE OR REPLACE FUNCTION fill_payout() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    LOCK TABLE payout_item IN SHARE ROW EXCLUSIVE MODE; -- one proposal after the other
    -- In one statement, so that what is taken is what was added up.
    WITH free AS MATERIALIZED (
        SELECT journal_entry_id, provider, stripe,
            CASE WHEN journal_entry_id = capture_id THEN share ELSE -share END AS amount
        FROM provider_share AS share
        WHERE payout_id IS NULL AND (NEW.providers IS NULL OR provider = ANY (NEW.providers))
            AND (recorded_at < NEW.cut_off OR journal_entry_id <> capture_id AND EXISTS (
                SELECT FROM provider_share AS capture
                WHERE capture.journal_entry_id = share.capture_id
                    AND (capture.recorded_at < NEW.cut_off OR capture.payout_id IS NOT NULL)))
        UNION ALL
        SELECT journal_entry_id, provider, stripe, amount FROM provider_repayment
        WHERE payout_id IS NULL AND (NEW.providers IS NULL OR provider = ANY (NEW.providers))
    ), owed AS MATERIALIZED (
        SELECT provider, sum(amount)::bigint AS amount, count(*) AS shares FROM free
        GROUP BY provider HAVING sum(amount) > 0 ORDER BY provider LIMIT 1000
    ), taken AS (
        UPDATE provider_share SET payout_id = NEW.id
        FROM free JOIN owed USING (provider)
        WHERE provider_share.journal_entry_id = free.journal_entry_id
    ), netted AS (
        UPDATE provider_repayment SET payout_id = NEW.id FROM owed
        WHERE provider_repayment.provider = owed.provider AND payout_id IS NULL
    ), parted AS (
        INSERT INTO payout_part (payout_id, provider, stripe, amount)
        SELECT NEW.id, provider, stripe, sum(free.amount) FROM free JOIN owed USING (provider)
        GROUP BY provider, stripe HAVING sum(free.amount) <> 0
    )
    -- Each tax is rounded down to 10 won.
    INSERT INTO payout_item (payout_id, provider, amount, income_tax, local_tax, shares)
    SELECT NEW.id, owed.provider, owed.amount, tax.income, div(tax.income, 100) * 10, owed.shares
    FROM owed
    CROSS JOIN LATERAL (
        SELECT withholding FROM provider_terms WHERE provider = owed.provider ORDER BY id DESC LIMIT 1
    ) AS terms
    CROSS JOIN LATERAL (
        SELECT CASE terms.withholding WHEN 'business_income' THEN div(owed.amount::numeric * 3, 1000) * 10 ELSE 0 END
            AS income
    ) AS tax;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'nothing is owed to these providers'
            USING ERRCODE = 'check_violation', TABLE = 'payout', CONSTRAINT = 'payout_pays_something';
    END IF;
    PERFORM record_occurrence(
        'payout.proposed', 'payout:' || NEW.id, NULL, payout_detail(NEW.id, NEW.proposed_by, NULL, NULL));
    RETURN NULL;
END
$$;

-- What its events say of a payout.
CREATE OR REPLACE FUNCTION payout_detail(of_payout bigint, by text, paid_at timestamptz, bank_reference text) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT jsonb_build_object(
        'id', of_payout, 'cut_off', microseconds((SELECT cut_off FROM payout WHERE id = of_payout)), 'by', by,
        'providers', count(*), 'amount', coalesce(sum(amount), 0)::bigint,
        'withheld', coalesce(sum(income_tax + local_tax), 0)::bigint, 'paid_at', microseconds(paid_at),
        'bank_reference', bank_reference)
    FROM payout_item WHERE payout_id = of_payout
$$;

-- Proposed, approved by another person, paid; or withdrawn before it is paid, which frees what it took.
CREATE OR REPLACE FUNCTION judge_payout_decision() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    decided payout;
BEGIN
    SELECT * INTO decided FROM payout WHERE id = NEW.payout_id FOR UPDATE;
    IF NEW.decision = 'approved' AND person_of(decided.proposed_by) = person_of(NEW.decided_by) THEN
        RAISE EXCEPTION 'another person than the proposer approves payout %', NEW.payout_id
            USING ERRCODE = 'check_violation', TABLE = 'payout_decision', CONSTRAINT = 'payout_approved_by_another';
    ELSIF (NEW.decision, decided.status) NOT IN (
        ('approved', 'proposed'), ('paid', 'approved'), ('withdrawn', 'proposed'), ('withdrawn', 'approved'))
    THEN
        RAISE EXCEPTION 'payout % is %', NEW.payout_id, decided.status
            USING ERRCODE = 'check_violation', TABLE = 'payout_decision', CONSTRAINT = 'payout_decision_fits_payout';
    END IF;
    UPDATE payout SET status = NEW.decision WHERE id = NEW.payout_id;
    IF NEW.decision = 'withdrawn' THEN
        UPDATE provider_share SET payout_id = NULL WHERE payout_id = NEW.payout_id;
        UPDATE provider_repayment SET payout_id = NULL WHERE payout_id = NEW.payout_id;
    END IF;
    PERFORM record_occurrence(
        'payout.' || NEW.decision, 'payout:' || NEW.payout_id, NULL,
        payout_detail(NEW.payout_id, NEW.decided_by, NEW.paid_at, NEW.bank_reference));
    RETURN NULL;
END
$$;

-- A payout that is paid is booked whole, in the same transaction.
CREATE OR REPLACE FUNCTION judge_paid_payout() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF EXISTS (
        SELECT FROM payout_item AS item
        LEFT JOIN (
            SELECT provider, sum(amount) AS amount, sum(tax) AS tax FROM payout_entry
            WHERE payout_id = NEW.payout_id GROUP BY provider
        ) AS booked USING (provider)
        WHERE item.payout_id = NEW.payout_id AND (booked.amount IS DISTINCT FROM item.amount
            OR booked.tax IS DISTINCT FROM item.income_tax + item.local_tax)
    ) THEN
        RAISE EXCEPTION 'payout % is paid but not booked whole', NEW.payout_id
            USING ERRCODE = 'check_violation', TABLE = 'payout_decision', CONSTRAINT = 'payout_booked_whole';
    END IF;
    RETURN NULL;
END
$$;

-- An entry pays the part of its provider and stripe.
CREATE OR REPLACE FUNCTION judge_payout_entries() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    salt bigint := tally_salt();
    misfit bigint;
    entries numeric;
    facts numeric;
BEGIN
    SELECT min(told.journal_entry_id) FILTER (
            WHERE entry.id IS NULL OR entry.transaction_id <> pg_current_xact_id() OR entry.kind <> 'payout'
                OR entry.reference <> 'payout:' || told.payout_id OR entry.stripe <> told.stripe
                OR payout.status IS DISTINCT FROM 'paid' OR told.amount IS DISTINCT FROM part.amount),
        sum(hashtextextended(told.journal_entry_id || '/' || told.stripe, salt)::numeric
            * hashtextextended('payout/payout:' || told.payout_id, salt)),
        sum(hashtextextended(told.journal_entry_id || '/' || told.stripe, salt)::numeric * (
            told.amount * hashtextextended('payable:' || told.provider, salt)::numeric
            - (told.amount - told.tax) * hashtextextended('bank', salt)::numeric
            - told.tax * hashtextextended('tax:withholding-payable', salt)::numeric))
        INTO misfit, entries, facts
        FROM new_entry AS told
        LEFT JOIN journal_entry AS entry ON entry.id = told.journal_entry_id
        LEFT JOIN payout ON payout.id = told.payout_id
        LEFT JOIN payout_part AS part ON part.payout_id = told.payout_id AND part.provider = told.provider
            AND part.stripe = told.stripe;
    IF misfit IS NOT NULL THEN
        RAISE EXCEPTION 'entry % does not pay what its payout says', misfit
            USING ERRCODE = 'foreign_key_violation', TABLE = 'payout_entry', CONSTRAINT = 'payout_entry_fits_payout';
    END IF;
    PERFORM add_to_tally(more_entries => -entries, more_facts => facts);
    RETURN NULL;
END
$$;

-- A provider's account is approved by another person as it was proposed, and then only erased.
CREATE OR REPLACE FUNCTION judge_provider_account() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF is_forgetting() THEN
        RETURN NEW;
    END IF;
    IF (OLD.status, NEW.status) NOT IN (('proposed', 'approved'), ('proposed', 'withdrawn'), ('approved', 'erased'))
        OR NEW.account <> OLD.account
        OR OLD.approved_by IS NOT NULL AND (OLD.approved_by, OLD.approved_at)
            IS DISTINCT FROM (NEW.approved_by, NEW.approved_at)
    THEN
        RAISE EXCEPTION 'account % is % and can''t become %', OLD.id, OLD.status, NEW.status
            USING ERRCODE = 'check_violation', TABLE = 'provider_account', CONSTRAINT = 'provider_account_approved_once';
    END IF;
    IF NEW.status = 'approved' AND person_of(NEW.approved_by) = person_of(OLD.proposed_by) THEN
        RAISE EXCEPTION 'another person than the proposer approves account %', OLD.id
            USING ERRCODE = 'check_violation', TABLE = 'provider_account',
                CONSTRAINT = 'provider_account_by_another_person';
    END IF;
    RETURN NEW;
END
$$;

REVOKE ALL ON FUNCTION set_provider_terms, judge_provider_account, judge_provider_shares, judge_provider_repayments,
    lock_payouts, fill_payout, payout_detail, judge_payout_decision, judge_paid_payout, judge_payout_entries FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lock_payouts TO ledgerd_service;
