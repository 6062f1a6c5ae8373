-- Payouts know their parts from the proposal on, and providers can pay claims back.

-- Proposals that are under way end first, so that each payout has its parts.
LOCK TABLE payout IN SHARE ROW EXCLUSIVE MODE;

-- What a payout pays to one provider out of one stripe, added up when it is proposed: paying it reads no share again.
CREATE TABLE payout_part (
    payout_id bigint NOT NULL CONSTRAINT payout_part_of_payout REFERENCES payout (id),
    provider  text NOT NULL,
    stripe    bigint NOT NULL,
    amount    bigint NOT NULL -- before taxes; below zero where more came back than was earned
        CONSTRAINT payout_part_amount_not_zero CHECK (amount <> 0),
    PRIMARY KEY (payout_id, provider, stripe)
);
GRANT SELECT ON payout_part TO ledgerd_service;
INSERT INTO payout_part (payout_id, provider, stripe, amount)
SELECT payout_id, provider, stripe, sum(CASE WHEN journal_entry_id = capture_id THEN share ELSE -share END)
FROM provider_share
WHERE payout_id IS NOT NULL
GROUP BY payout_id, provider, stripe
HAVING sum(CASE WHEN journal_entry_id = capture_id THEN share ELSE -share END) <> 0;
CREATE TRIGGER payout_part_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON payout_part
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What a provider paid back of a claim.
CREATE TABLE provider_repayment (
    journal_entry_id bigint PRIMARY KEY,
    provider         text NOT NULL,
    stripe           bigint NOT NULL,
    amount           bigint NOT NULL CONSTRAINT provider_repayment_amount_positive CHECK (amount > 0), -- won
    paid_at          timestamptz NOT NULL, -- when the money reached our bank
    bank_reference   text NOT NULL,
    recorded_at      timestamptz NOT NULL,
    payout_id        bigint CONSTRAINT provider_repayment_in_payout REFERENCES payout (id) -- NULL: in none
);
CREATE INDEX provider_repayment_of_provider ON provider_repayment (provider, recorded_at, journal_entry_id);
CREATE INDEX provider_repayment_of_payout ON provider_repayment (payout_id, provider);
GRANT SELECT, INSERT (journal_entry_id, provider, stripe, amount, paid_at, bank_reference, recorded_at)
    ON provider_repayment TO ledgerd_service;
CREATE TRIGGER provider_repayment_is_kept BEFORE DELETE OR TRUNCATE ON provider_repayment
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER provider_repayment_is_immutable
    BEFORE UPDATE OF journal_entry_id, provider, stripe, amount, paid_at, bank_reference, recorded_at
    ON provider_repayment FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE FUNCTION judge_provider_repayments() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
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
REVOKE ALL ON FUNCTION judge_provider_repayments FROM PUBLIC;
CREATE TRIGGER provider_repayment_is_judged AFTER INSERT ON provider_repayment
    REFERENCING NEW TABLE AS new_repayment FOR EACH STATEMENT EXECUTE FUNCTION judge_provider_repayments();

-- What payouts pay and net off: captures, what came back of them, and what providers paid back.
CREATE VIEW provider_due AS
SELECT journal_entry_id, provider, stripe, CASE WHEN journal_entry_id = capture_id THEN share ELSE -share END AS amount,
    recorded_at, payout_id
FROM provider_share
UNION ALL
SELECT journal_entry_id, provider, stripe, amount, recorded_at, payout_id FROM provider_repayment;
GRANT SELECT ON provider_due TO ledgerd_service;

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
        SELECT provider, sum(amount)::bigint AS amount FROM free
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
    INSERT INTO payout_item (payout_id, provider, amount, income_tax, local_tax)
    SELECT NEW.id, owed.provider, owed.amount, tax.income, div(tax.income, 100) * 10
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

-- A withdrawal also frees what was paid back.
CREATE OR REPLACE FUNCTION judge_payout_decision() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    decided payout;
BEGIN
    SELECT * INTO decided FROM payout WHERE id = NEW.payout_id FOR UPDATE;
    IF NEW.decision = 'approved' AND decided.proposed_by = NEW.decided_by THEN
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
