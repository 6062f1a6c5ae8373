-- Providers with terms: their share of the won is owed to them, and paid out.

ALTER TABLE journal_entry
    DROP CONSTRAINT journal_entry_kind_known,
    ADD CONSTRAINT journal_entry_kind_known CHECK (kind IN (
        'purchase', 'grant', 'claw_back', 'debt_payment', 'spend', 'hold', 'capture', 'void', 'expiry', 'refund_hold',
        'refund_release', 'refund', 'settlement', 'spend_reversal', 'capture_reversal', 'refund_payment',
        'refund_reversal', 'debt_bank_payment', 'debt_write_off', 'payout')) NOT VALID;

-- What is owed to a provider may fall below zero: a reversal after a payout is a claim on the provider.
ALTER TABLE account
    DROP CONSTRAINT account_owned_not_overdrawn,
    ADD CONSTRAINT account_owned_not_overdrawn CHECK (owner IS NULL OR currency = 'KRW' OR CASE normal_side
        WHEN 'D' THEN debits >= credits ELSE credits >= debits END) NOT VALID;

-- A ledger that is yet to be created gets these with all others.
WITH block AS MATERIALIZED (SELECT nextval('record_id') AS start, stripes FROM ledger)
INSERT INTO account (id, stripe, code, currency, normal_side)
SELECT block.start + new.place * stripes + stripe, stripe, new.name || '/' || stripe, 'KRW', new.side
FROM block, generate_series(0, block.stripes - 1) AS stripe,
    (VALUES (0, 'revenue:commission', 'C'), (1, 'cost:providers', 'D'), (2, 'tax:withholding-payable', 'C'))
        AS new (place, name, side)
ON CONFLICT (code) DO NOTHING;

-- A version of a provider's terms, in force from when it was set until the next one is.
CREATE TABLE provider_terms (
    id          bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    provider    text NOT NULL,
    share       bigint NOT NULL -- the provider's, in basis points of the won that a capture recognises
        CONSTRAINT provider_terms_share_in_range CHECK (share BETWEEN 0 AND 10000),
    role        text NOT NULL -- ours
        CONSTRAINT provider_terms_role_known CHECK (role IN ('agent', 'principal')),
    withholding text NOT NULL
        CONSTRAINT provider_terms_withholding_known CHECK (withholding IN ('none', 'business_income')),
    set_by      text NOT NULL, -- the caller, as in the subject of the token
    set_at      timestamptz NOT NULL
);
CREATE INDEX provider_terms_of_provider ON provider_terms (provider, id);
GRANT SELECT, INSERT (provider, share, role, withholding, set_by) ON provider_terms TO ledgerd_service;
CREATE TRIGGER provider_terms_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON provider_terms
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- No capture is under way while terms are set: writers hold the lock of their stripe until they commit.
CREATE FUNCTION set_provider_terms() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    stripes bigint := (SELECT ledger.stripes FROM ledger);
BEGIN
    PERFORM FROM account
        WHERE code = ANY (ARRAY(
            SELECT 'coins:deferred-revenue/' || stripe FROM generate_series(0, stripes - 1) AS stripe))
        ORDER BY id FOR NO KEY UPDATE;
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
REVOKE ALL ON FUNCTION set_provider_terms FROM PUBLIC;
CREATE TRIGGER provider_terms_are_set BEFORE INSERT ON provider_terms
    FOR EACH ROW EXECUTE FUNCTION set_provider_terms();

-- Payouts to providers.
CREATE TABLE payout (
    id            bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    key           text NOT NULL, -- the caller's idempotency key
    cut_off       timestamptz NOT NULL, -- what was recorded before it is paid out
    asked_cut_off timestamptz, -- as the caller named it; NULL: now
    providers     text[], -- the providers that were named; NULL: all
    note          text,
    proposed_by   text NOT NULL, -- the caller, as in the subject of the token
    proposed_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    status        text NOT NULL DEFAULT 'proposed'
        CONSTRAINT payout_status_known CHECK (status IN ('proposed', 'approved', 'withdrawn', 'paid')),
    CONSTRAINT payout_key_once UNIQUE (key, proposed_by),
    CONSTRAINT payout_cut_off_is_over CHECK (cut_off <= proposed_at)
);
GRANT SELECT, INSERT (key, cut_off, asked_cut_off, providers, note, proposed_by) ON payout TO ledgerd_service;

CREATE TRIGGER payout_is_kept BEFORE DELETE OR TRUNCATE ON payout
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The service can lock a payout, and not change it.
CREATE FUNCTION lock_payouts(ids bigint[]) RETURNS SETOF payout LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT * FROM payout WHERE id = ANY (ids) ORDER BY id FOR UPDATE
$$;
REVOKE ALL ON FUNCTION lock_payouts FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lock_payouts TO ledgerd_service;

-- What one provider gets.
CREATE TABLE payout_item (
    payout_id  bigint NOT NULL CONSTRAINT payout_item_of_payout REFERENCES payout (id),
    provider   text NOT NULL,
    amount     bigint NOT NULL CONSTRAINT payout_item_amount_positive CHECK (amount > 0), -- before taxes
    income_tax bigint NOT NULL CONSTRAINT payout_item_income_tax_not_negative CHECK (income_tax >= 0),
    local_tax  bigint NOT NULL CONSTRAINT payout_item_local_tax_not_negative CHECK (local_tax >= 0),
    PRIMARY KEY (payout_id, provider),
    CONSTRAINT payout_item_taxes_within_amount CHECK (income_tax + local_tax <= amount)
);
CREATE INDEX payout_item_of_provider ON payout_item (provider, payout_id);
GRANT SELECT ON payout_item TO ledgerd_service;
CREATE TRIGGER payout_item_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON payout_item
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The provider's share of a capture, or of what came back of one.
CREATE TABLE provider_share (
    journal_entry_id bigint PRIMARY KEY, -- of the capture or the reversal
    capture_id       bigint NOT NULL, -- the entry of the capture: the same, or the one that is reversed
    provider         text NOT NULL,
    stripe           bigint NOT NULL,
    terms_id         bigint NOT NULL CONSTRAINT provider_share_by_terms REFERENCES provider_terms (id),
    amount           bigint NOT NULL -- won recognised, or deferred again
        CONSTRAINT provider_share_amount_not_negative CHECK (amount >= 0),
    share            bigint NOT NULL -- the provider's part of them
        CONSTRAINT provider_share_within_amount CHECK (share BETWEEN 0 AND amount),
    recorded_at      timestamptz NOT NULL,
    payout_id        bigint CONSTRAINT provider_share_in_payout REFERENCES payout (id) -- NULL: in none
);
CREATE INDEX provider_share_of_provider ON provider_share (provider, recorded_at, journal_entry_id);
CREATE INDEX provider_share_of_capture ON provider_share (capture_id);
CREATE INDEX provider_share_of_payout ON provider_share (payout_id, provider, stripe);
GRANT SELECT, INSERT (journal_entry_id, capture_id, provider, stripe, terms_id, amount, share, recorded_at)
    ON provider_share TO ledgerd_service;
CREATE TRIGGER provider_share_is_kept BEFORE DELETE OR TRUNCATE ON provider_share
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER provider_share_is_immutable
    BEFORE UPDATE OF journal_entry_id, capture_id, provider, stripe, terms_id, amount, share, recorded_at
    ON provider_share FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A share is what the terms in force say, rounded down; after reversals, of what did not come back.
CREATE FUNCTION judge_provider_shares() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
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
                OR terms.provider <> told.provider
                OR CASE WHEN told.journal_entry_id = told.capture_id
                    THEN entry.kind <> 'capture'
                        OR terms.id <> (SELECT max(id) FROM provider_terms WHERE provider = told.provider)
                        OR told.share <> div(told.amount::numeric * terms.share, 10000)
                    ELSE entry.kind <> 'capture_reversal' OR entry.reverses IS DISTINCT FROM told.capture_id
                        OR (capture.provider, capture.stripe, capture.terms_id)
                            <> (told.provider, told.stripe, told.terms_id)
                        OR told.amount IS DISTINCT FROM (
                            SELECT sum(amount) FROM coin_return WHERE journal_entry_id = told.journal_entry_id) END),
        sum(CASE WHEN told.journal_entry_id = told.capture_id THEN -1 ELSE 1 END
            * hashtextextended(told.journal_entry_id || '/' || told.stripe, salt)::numeric * (
                told.share * hashtextextended('payable:' || told.provider, salt)::numeric
                + CASE terms.role
                    WHEN 'agent' THEN
                        (told.amount - told.share) * hashtextextended('revenue:commission', salt)::numeric
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
REVOKE ALL ON FUNCTION judge_provider_shares FROM PUBLIC;
CREATE TRIGGER provider_share_is_judged AFTER INSERT ON provider_share
    REFERENCING NEW TABLE AS new_share FOR EACH STATEMENT EXECUTE FUNCTION judge_provider_shares();

-- A proposal takes the shares that are in no payout, of up to 1,000 providers to whom more than nothing is owed.
CREATE FUNCTION fill_payout() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    LOCK TABLE payout_item IN SHARE ROW EXCLUSIVE MODE; -- one proposal after the other
    -- In one statement, so that what is taken is what was added up.
    WITH owed AS (
        SELECT provider, sum(CASE WHEN journal_entry_id = capture_id THEN share ELSE -share END)::bigint AS amount
        FROM provider_share
        WHERE payout_id IS NULL AND recorded_at < NEW.cut_off
            AND (NEW.providers IS NULL OR provider = ANY (NEW.providers))
        GROUP BY provider
        HAVING sum(CASE WHEN journal_entry_id = capture_id THEN share ELSE -share END) > 0
        ORDER BY provider
        LIMIT 1000
    ), taken AS (
        UPDATE provider_share SET payout_id = NEW.id
        FROM owed
        WHERE provider_share.provider = owed.provider AND provider_share.payout_id IS NULL
            AND provider_share.recorded_at < NEW.cut_off
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
REVOKE ALL ON FUNCTION fill_payout FROM PUBLIC;

-- What its events say of a payout.
CREATE FUNCTION payout_detail(of_payout bigint, by text, paid_at timestamptz, bank_reference text) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT jsonb_build_object(
        'id', of_payout, 'cut_off', microseconds((SELECT cut_off FROM payout WHERE id = of_payout)), 'by', by,
        'providers', count(*), 'amount', coalesce(sum(amount), 0)::bigint,
        'withheld', coalesce(sum(income_tax + local_tax), 0)::bigint, 'paid_at', microseconds(paid_at),
        'bank_reference', bank_reference)
    FROM payout_item WHERE payout_id = of_payout
$$;
REVOKE ALL ON FUNCTION payout_detail FROM PUBLIC;
CREATE TRIGGER payout_is_filled AFTER INSERT ON payout FOR EACH ROW EXECUTE FUNCTION fill_payout();

-- What people decided about a payout.
CREATE TABLE payout_decision (
    payout_id      bigint NOT NULL CONSTRAINT payout_decision_of_payout REFERENCES payout (id),
    decision       text NOT NULL
        CONSTRAINT payout_decision_known CHECK (decision IN ('approved', 'withdrawn', 'paid')),
    decided_by     text NOT NULL, -- the caller, as in the subject of the token
    decided_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    reason         text,
    paid_at        timestamptz, -- when the bank paid
    bank_reference text,
    PRIMARY KEY (payout_id, decision),
    CONSTRAINT payout_decision_names_payment CHECK (
        (decision = 'paid') = (paid_at IS NOT NULL) AND (decision = 'paid') = (bank_reference IS NOT NULL))
);
GRANT SELECT, INSERT (payout_id, decision, decided_by, reason, paid_at, bank_reference) ON payout_decision TO ledgerd_service;
CREATE TRIGGER payout_decision_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON payout_decision
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The entry by which one provider is paid out of one stripe.
CREATE TABLE payout_entry (
    journal_entry_id bigint PRIMARY KEY,
    payout_id        bigint NOT NULL,
    provider         text NOT NULL,
    stripe           bigint NOT NULL,
    amount           bigint NOT NULL, -- before taxes; below zero where more came back than was earned
    tax              bigint NOT NULL CONSTRAINT payout_entry_tax_not_negative CHECK (tax >= 0),
    CONSTRAINT payout_entry_once UNIQUE (payout_id, provider, stripe)
);
CREATE INDEX payout_entry_of_provider ON payout_entry (provider, journal_entry_id);
GRANT SELECT, INSERT ON payout_entry TO ledgerd_service;
CREATE TRIGGER payout_entry_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON payout_entry
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Proposed, approved by another person, paid; or withdrawn before it is paid.
CREATE FUNCTION judge_payout_decision() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
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
    END IF;
    PERFORM record_occurrence(
        'payout.' || NEW.decision, 'payout:' || NEW.payout_id, NULL,
        payout_detail(NEW.payout_id, NEW.decided_by, NEW.paid_at, NEW.bank_reference));
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION judge_payout_decision FROM PUBLIC;
CREATE TRIGGER payout_decision_is_judged AFTER INSERT ON payout_decision
    FOR EACH ROW EXECUTE FUNCTION judge_payout_decision();

-- A payout that is paid is booked whole, in the same transaction.
CREATE FUNCTION judge_paid_payout() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
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
REVOKE ALL ON FUNCTION judge_paid_payout FROM PUBLIC;
CREATE CONSTRAINT TRIGGER payout_decision_is_booked AFTER INSERT ON payout_decision
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.decision = 'paid') EXECUTE FUNCTION judge_paid_payout();

-- An entry pays what the captures of its stripe and payout earned, less what came back.
CREATE FUNCTION judge_payout_entries() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
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
                OR payout.status IS DISTINCT FROM 'paid' OR NOT EXISTS (
                    SELECT FROM payout_item WHERE payout_id = told.payout_id AND provider = told.provider)
                OR told.amount IS DISTINCT FROM (
                    SELECT sum(CASE WHEN journal_entry_id = capture_id THEN share ELSE -share END)
                    FROM provider_share
                    WHERE payout_id = told.payout_id AND provider = told.provider AND stripe = told.stripe)),
        sum(hashtextextended(told.journal_entry_id || '/' || told.stripe, salt)::numeric
            * hashtextextended('payout/payout:' || told.payout_id, salt)),
        sum(hashtextextended(told.journal_entry_id || '/' || told.stripe, salt)::numeric * (
            told.amount * hashtextextended('payable:' || told.provider, salt)::numeric
            - (told.amount - told.tax) * hashtextextended('bank', salt)::numeric
            - told.tax * hashtextextended('tax:withholding-payable', salt)::numeric))
        INTO misfit, entries, facts
        FROM new_entry AS told
        LEFT JOIN journal_entry AS entry ON entry.id = told.journal_entry_id
        LEFT JOIN payout ON payout.id = told.payout_id;
    IF misfit IS NOT NULL THEN
        RAISE EXCEPTION 'entry % does not pay what its payout says', misfit
            USING ERRCODE = 'foreign_key_violation', TABLE = 'payout_entry', CONSTRAINT = 'payout_entry_fits_payout';
    END IF;
    PERFORM add_to_tally(more_entries => -entries, more_facts => facts);
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION judge_payout_entries FROM PUBLIC;
CREATE TRIGGER payout_entry_is_judged AFTER INSERT ON payout_entry
    REFERENCING NEW TABLE AS new_entry FOR EACH STATEMENT EXECUTE FUNCTION judge_payout_entries();

-- A provider's won have an account in each stripe.
CREATE OR REPLACE FUNCTION judge_accounts() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM new_account WHERE owner IS NULL)
        AND NOT pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE')
    THEN
        RAISE EXCEPTION 'system accounts are made by migrations alone'
            USING ERRCODE = 'insufficient_privilege', TABLE = 'account';
    ELSIF EXISTS (
        SELECT FROM new_account
        WHERE owner IS NOT NULL AND NOT (
            stripe >= 0 AND stripe < (SELECT stripes FROM ledger)
            AND currency = CASE WHEN code LIKE 'payable:%' THEN 'KRW' ELSE 'COIN' END AND CASE
                WHEN code = 'debt:' || owner THEN normal_side = 'D'
                ELSE normal_side = 'C' AND (
                    code IN ('wallet:' || owner || ':paid', 'wallet:' || owner || ':bonus',
                        'held:' || owner || ':paid', 'held:' || owner || ':bonus')
                    OR code IN ('earnings:' || owner || '/' || stripe, 'payable:' || owner || '/' || stripe)) END)
    ) THEN
        RAISE EXCEPTION 'an account''s code, owner, currency and side do not fit each other'
            USING ERRCODE = 'check_violation', TABLE = 'account', CONSTRAINT = 'account_code_fits_owner';
    ELSIF EXISTS (SELECT FROM new_account WHERE debits <> 0 OR credits <> 0 OR seq <> 0 OR posted_at IS NOT NULL) THEN
        RAISE EXCEPTION 'an account begins as one that was posted to'
            USING ERRCODE = 'check_violation', TABLE = 'account', CONSTRAINT = 'account_begins_empty';
    END IF;
    RETURN NULL;
END
$$;

-- A payout has a fact of its own.
CREATE OR REPLACE FUNCTION judge_entries() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    tally transaction_tally := current_tally();
    open_from timestamptz := closed_until();
    wrong bigint;
    entries record;
BEGIN
    SELECT min(recorded_at) AS first, max(recorded_at) AS last, min(effective_at) AS effective_from,
        bool_or(NOT isfinite(recorded_at) OR recorded_at > clock_timestamp() + interval '31 days') AS is_beyond,
        bool_or(reverses IS NOT NULL) AS has_reversals,
        -- What has a fact of its own must meet it: its kind and reference are weighed too.
        sum(hashtextextended(id || '/' || stripe, tally.salt)::numeric * (1 + CASE
            WHEN kind IN ('purchase', 'claw_back', 'hold', 'capture', 'void', 'refund_hold', 'refund_release', 'refund',
                'settlement', 'spend_reversal', 'capture_reversal', 'refund_payment', 'refund_reversal',
                'debt_bank_payment', 'payout')
            THEN hashtextextended(kind || '/' || reference, tally.salt)::numeric ELSE 0 END)) AS weight
        INTO entries FROM new_entry;
    IF entries.effective_from < open_from THEN
        RAISE EXCEPTION 'journal entry % is effective before %, and that is closed',
            (SELECT id FROM new_entry WHERE effective_at < open_from LIMIT 1), open_from
            USING ERRCODE = 'check_violation', TABLE = 'journal_entry', CONSTRAINT = 'journal_entry_in_open_period';
    END IF;
    -- Later transactions than one that reads an old state may have closed what it takes for open.
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'entries are written in transactions that are READ COMMITTED'
            USING ERRCODE = 'check_violation', TABLE = 'journal_entry', CONSTRAINT = 'journal_entry_in_open_period';
    END IF;
    IF entries.has_reversals THEN
        SELECT entry.id INTO wrong
            FROM new_entry AS entry
            LEFT JOIN journal_entry AS reversed ON reversed.id = entry.reverses
            WHERE entry.reverses IS NOT NULL AND (reversed.stripe IS DISTINCT FROM entry.stripe
                OR reversed.id = entry.id OR reversed.recorded_at > entry.recorded_at
                OR entry.kind NOT IN (
                    'void', 'refund_release', 'refund', 'claw_back', 'spend_reversal', 'capture_reversal',
                    'refund_reversal'))
            LIMIT 1;
        IF FOUND THEN
            RAISE EXCEPTION 'journal entry % can''t reverse what it names', wrong
                USING ERRCODE = 'foreign_key_violation', TABLE = 'journal_entry',
                    CONSTRAINT = 'journal_entry_reverses_an_entry';
        END IF;
    END IF;
    IF entries.first <> entries.last OR entries.is_beyond OR entries.last <> coalesce(tally.recorded_at, entries.last) THEN
        RAISE EXCEPTION 'the entries of a transaction are recorded at one time, and not in the future'
            USING ERRCODE = 'check_violation', TABLE = 'journal_entry', CONSTRAINT = 'journal_entry_recorded_at_one';
    END IF;
    UPDATE transaction_tally SET recorded_at = entries.last WHERE transaction_id = tally.transaction_id;
    PERFORM add_to_tally(more_entries => entries.weight);
    RETURN NULL;
END
$$;

-- What is owed to providers, commission, their cost and withheld tax must meet facts.
CREATE OR REPLACE FUNCTION judge_postings() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    tally transaction_tally := current_tally();
    salt bigint := tally.salt;
    entries record;
    accounts record;
BEGIN
    SELECT min(id) FILTER (WHERE is_unbalanced) AS unbalanced, min(id) FILTER (WHERE low_stripe <> high_stripe) AS misfit,
        sum(hashtextextended(id || '/' || low_stripe, salt)) AS weight
        INTO entries
        FROM (
            SELECT journal_entry_id AS id, min(stripe) AS low_stripe, max(stripe) AS high_stripe,
                bool_or(debited <> 0) AS is_unbalanced
            FROM (
                SELECT journal_entry_id, stripe, sum(CASE side WHEN 'D' THEN amount ELSE -amount END) AS debited
                FROM new_posting
                GROUP BY journal_entry_id, stripe, currency
            ) AS in_currency
            GROUP BY journal_entry_id
        ) AS entry;
    IF entries.unbalanced IS NOT NULL THEN
        RAISE EXCEPTION 'journal entry % does not balance', entries.unbalanced
            USING ERRCODE = 'check_violation', TABLE = 'posting', CONSTRAINT = 'journal_entry_balances';
    ELSIF entries.misfit IS NOT NULL THEN
        RAISE EXCEPTION 'the postings of journal entry % do not fit it', entries.misfit
            USING ERRCODE = 'foreign_key_violation', TABLE = 'posting', CONSTRAINT = 'posting_fits_account_and_entry';
    END IF;

    -- An account of which postings say two stripes or currencies makes two groups, and fits one of them at most.
    WITH line AS (
        SELECT account_id, stripe, currency, seq, journal_entry_id, side, amount, balance,
            CASE side WHEN 'D' THEN amount ELSE -amount END AS debited,
            balance - lag(balance) OVER earlier AS step, -- NULL: the account's first
            journal_entry_id > lag(journal_entry_id) OVER earlier AS is_later
        FROM new_posting
        WINDOW earlier AS (PARTITION BY account_id, stripe, currency ORDER BY seq)
    ), sums AS (
        SELECT account_id, stripe, currency, count(*) AS count, min(seq) AS first, max(seq) AS last,
            sum(debited) FILTER (WHERE debited > 0) AS debits, -sum(debited) FILTER (WHERE debited < 0) AS credits,
            max(balance) FILTER (WHERE step IS NULL) AS first_balance,
            max(debited) FILTER (WHERE step IS NULL) AS first_debited,
            count(*) FILTER (WHERE step = debited) AS risen, count(*) FILTER (WHERE step = -debited) AS fallen,
            coalesce(bool_and(is_later), true) AS is_in_order,
            -sum(debited * hashtextextended(journal_entry_id || '/' || stripe, salt)::numeric) AS credited
        FROM line
        GROUP BY account_id, stripe, currency
    ), changed AS (
        UPDATE account
        SET debits = account.debits + coalesce(sums.debits, 0)::bigint,
            credits = account.credits + coalesce(sums.credits, 0)::bigint,
            seq = sums.last, posted_at = tally.recorded_at
        FROM sums
        WHERE account.id = sums.account_id AND account.stripe = sums.stripe AND account.currency = sums.currency
            AND (account.posted_at IS NULL OR account.posted_at <= tally.recorded_at)
            AND account.seq = sums.first - 1 AND sums.count = sums.last - sums.first + 1
            AND sums.first_balance - account.balance
                = CASE account.normal_side WHEN 'D' THEN sums.first_debited ELSE -sums.first_debited END
            AND sums.count - 1 = CASE account.normal_side WHEN 'D' THEN sums.risen ELSE sums.fallen END
        RETURNING CASE WHEN owner IS NULL THEN split_part(code, '/', 1) ELSE code END AS name,
            split_part(code, ':', 1) AS family, owner, owner IS NULL AS is_systems, sums.credited
    )
    SELECT (SELECT count(*) FROM sums) AS posted_to, (SELECT bool_and(is_in_order) FROM sums) AS are_in_order,
        count(*) AS changed, bool_or(family = 'debt' AND NOT is_systems) AS has_debt,
        sum(credited * hashtextextended(name, salt)) FILTER (
            WHERE CASE WHEN is_systems THEN name IN ('coins:deferred-revenue', 'coins:expired', 'revenue:breakage')
                ELSE family IN ('wallet', 'held') END) AS lots,
        coalesce(
            sum(credited * hashtextextended(name, salt)) FILTER (
                WHERE is_systems AND name IN (
                    'gateway:receivable', 'coins:issued', 'coins:promotions', 'revenue:refund-fees', 'bank',
                    'refunds:payable', 'revenue:commission', 'cost:providers', 'tax:withholding-payable')), 0)
        + coalesce(
            sum(credited * hashtextextended(family || ':' || owner, salt)) FILTER (
                WHERE family IN ('held', 'payable')), 0)
        AS facts
        INTO accounts FROM changed;
    IF accounts.changed <> accounts.posted_to THEN
        RAISE EXCEPTION 'the postings do not fit % of their % accounts', accounts.posted_to - accounts.changed,
            accounts.posted_to
            USING ERRCODE = 'foreign_key_violation', TABLE = 'posting', CONSTRAINT = 'posting_fits_account_and_entry';
    END IF;
    -- Where each posting of an account is of a later entry than the one before it, none is of the same.
    IF NOT accounts.are_in_order
        AND EXISTS (SELECT FROM new_posting GROUP BY journal_entry_id, account_id HAVING count(*) > 1)
    THEN
        RAISE EXCEPTION 'an entry posts to one account twice'
            USING ERRCODE = 'check_violation', TABLE = 'posting', CONSTRAINT = 'posting_once_an_account';
    END IF;
    IF accounts.has_debt AND EXISTS (
        SELECT FROM new_posting AS posting
        JOIN account ON account.id = posting.account_id AND account.code LIKE 'debt:%'
        JOIN journal_entry AS entry ON entry.id = posting.journal_entry_id
        WHERE NOT CASE posting.side WHEN 'D' THEN entry.kind = 'claw_back'
            ELSE entry.kind IN ('debt_payment', 'debt_bank_payment', 'debt_write_off') END
    ) THEN
        RAISE EXCEPTION 'claw-backs alone make debts, and payments and write-offs of debts alone end them'
            USING ERRCODE = 'check_violation', TABLE = 'posting', CONSTRAINT = 'debt_by_claw_back';
    END IF;
    PERFORM add_to_tally(
        more_entries => -entries.weight, more_lots => accounts.lots, more_facts => accounts.facts);
    RETURN NULL;
END
$$;
