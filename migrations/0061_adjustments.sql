-- Adjusting entries at the end of a month: breakage by its expected pattern, and bonus coins by their relative price. There
-- are none until finance sets a policy.

-- A ledger that is yet to be created gets these with all others.
WITH block AS MATERIALIZED (SELECT nextval('record_id') AS start, stripes FROM ledger)
INSERT INTO account (id, stripe, code, currency, normal_side)
SELECT block.start + new.place * stripes + stripe, stripe, new.name || '/' || stripe, 'KRW', new.side
FROM block, generate_series(0, block.stripes - 1) AS stripe,
    (VALUES (0, 'coins:expected-breakage', 'D'), (1, 'revenue:expected-breakage', 'C'),
        (2, 'coins:deferred-bonus', 'C'), (3, 'revenue:bonus-allocation', 'C')) AS new (place, name, side)
ON CONFLICT (code) DO NOTHING;

-- How something is accounted for from a month on, until a later policy of the same subject applies.
CREATE TABLE accounting_policy (
    id              bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    subject         text NOT NULL,
    method          text NOT NULL,
    month           text NOT NULL -- the first one, such as 2026-01
        CONSTRAINT accounting_policy_month_is_one CHECK (month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
    starts_at       timestamptz NOT NULL, -- the first moment of the month
    expected        bigint, -- of 1,000 paid coins, those that nobody will use
    highly_probable bigint, -- of 1,000 paid coins, those that very probably nobody will use
    bonus_price     bigint, -- of a bonus coin, if that of a paid coin is 1,000
    set_by          text NOT NULL, -- the caller, as in the subject of the token
    set_at          timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT accounting_policy_method_known CHECK ((subject, method) IN (
        ('breakage', 'at_expiry'), ('breakage', 'expected_pattern'), ('bonus', 'none'), ('bonus', 'relative_price'))),
    CONSTRAINT accounting_policy_has_figures_of_method CHECK (
        num_nonnulls(expected, highly_probable) = CASE method WHEN 'expected_pattern' THEN 2 ELSE 0 END
        AND num_nonnulls(bonus_price) = CASE method WHEN 'relative_price' THEN 1 ELSE 0 END),
    CONSTRAINT accounting_policy_figures_in_range CHECK (
        expected BETWEEN 1 AND 999 AND highly_probable BETWEEN 0 AND 999 AND bonus_price BETWEEN 1 AND 10000)
);
CREATE INDEX accounting_policy_in_force ON accounting_policy (subject, month, id);
GRANT SELECT, INSERT (subject, method, month, starts_at, expected, highly_probable, bonus_price, set_by)
    ON accounting_policy TO ledgerd_service;
CREATE TRIGGER accounting_policy_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON accounting_policy
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE FUNCTION accounting_policy_in_force(of_subject text, in_month text) RETURNS bigint LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT id FROM accounting_policy WHERE subject = of_subject AND month <= in_month ORDER BY month DESC, id DESC LIMIT 1
$$;
REVOKE ALL ON FUNCTION accounting_policy_in_force FROM PUBLIC;

-- An adjustment brings the balance of its subject's account to what the policy of the month says. All are in stripe 0:
-- they are nobody's.
CREATE TABLE adjustment (
    id                 bigint PRIMARY KEY,
    number             bigint NOT NULL GENERATED ALWAYS AS IDENTITY, -- in the order in which they were made
    subject            text NOT NULL
        CONSTRAINT adjustment_subject_known CHECK (subject IN ('breakage', 'bonus')),
    month              text NOT NULL,
    ends_at            timestamptz NOT NULL, -- the first moment after the month
    breakage_policy_id bigint, -- in force in the month; NULL: none, or not asked
    bonus_policy_id    bigint,
    target             bigint NOT NULL, -- the account's balance afterwards
    amount             bigint NOT NULL, -- what it changed by
    journal_entry_id   bigint,
    adjusted_by        text NOT NULL, -- the caller, as in the subject of the token
    recorded_at        timestamptz NOT NULL,
    CONSTRAINT adjustment_with_entry CHECK ((journal_entry_id IS NULL) = (amount = 0)),
    CONSTRAINT adjustment_entry_once UNIQUE (journal_entry_id),
    CONSTRAINT adjustment_of_month_that_is_over CHECK (ends_at <= recorded_at)
);
CREATE INDEX adjustment_of_subject ON adjustment (subject, number);
GRANT SELECT, INSERT (
    id, subject, month, ends_at, breakage_policy_id, bonus_policy_id, target, amount, journal_entry_id, adjusted_by,
    recorded_at) ON adjustment TO ledgerd_service;
CREATE TRIGGER adjustment_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON adjustment
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What an adjustment comes from: the purchases of one month, in won.
CREATE TABLE adjustment_cohort (
    adjustment_id bigint NOT NULL -- which is inserted after its cohorts
        CONSTRAINT adjustment_cohort_of_adjustment REFERENCES adjustment (id) DEFERRABLE INITIALLY DEFERRED,
    sold_in       text NOT NULL, -- the month
    purchases     bigint NOT NULL,
    sold          bigint NOT NULL,
    refunded      bigint NOT NULL,
    used          bigint NOT NULL,
    expired       bigint NOT NULL,
    deferred      bigint NOT NULL, -- for coins that are left
    allocated     bigint, -- the same by relative price; NULL: of another subject
    target        bigint NOT NULL, -- its part of the adjustment's target
    PRIMARY KEY (adjustment_id, sold_in),
    CONSTRAINT adjustment_cohort_adds_up CHECK (sold = refunded + used + expired + deferred)
);
GRANT SELECT, INSERT ON adjustment_cohort TO ledgerd_service;
CREATE TRIGGER adjustment_cohort_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON adjustment_cohort
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A policy is set for months that are open and have no adjustment. No adjustment is under way meanwhile: it holds the lock
-- of stripe 0 until it commits.
CREATE FUNCTION judge_accounting_policy() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    open_from timestamptz := closed_until();
BEGIN
    PERFORM FROM account WHERE code = 'coins:deferred-revenue/0' FOR NO KEY UPDATE;
    IF NEW.starts_at < open_from THEN
        RAISE EXCEPTION 'everything before % is closed', open_from
            USING ERRCODE = 'check_violation', TABLE = 'accounting_policy', CONSTRAINT = 'accounting_policy_of_open_month';
    ELSIF EXISTS (SELECT FROM adjustment WHERE month >= NEW.month) THEN
        RAISE EXCEPTION 'an adjustment of % or a later month is booked', NEW.month
            USING ERRCODE = 'check_violation', TABLE = 'accounting_policy',
                CONSTRAINT = 'accounting_policy_before_adjustment';
    END IF;
    RETURN NEW;
END
$$;
REVOKE ALL ON FUNCTION judge_accounting_policy FROM PUBLIC;
CREATE TRIGGER accounting_policy_is_judged BEFORE INSERT ON accounting_policy
    FOR EACH ROW EXECUTE FUNCTION judge_accounting_policy();

-- Cohorts come before their adjustment, which adds them up.
CREATE FUNCTION judge_adjustment_cohorts() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM adjustment WHERE id IN (SELECT adjustment_id FROM new_cohort)) THEN
        RAISE EXCEPTION 'the adjustment has its cohorts already'
            USING ERRCODE = 'check_violation', TABLE = 'adjustment_cohort', CONSTRAINT = 'adjustment_cohort_comes_first';
    END IF;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION judge_adjustment_cohorts FROM PUBLIC;
CREATE TRIGGER adjustment_cohort_is_judged AFTER INSERT ON adjustment_cohort
    REFERENCING NEW TABLE AS new_cohort FOR EACH STATEMENT EXECUTE FUNCTION judge_adjustment_cohorts();

-- An adjustment follows the policies in force, adds its cohorts up, comes after those of earlier months, and books what is
-- missing to its target.
CREATE FUNCTION judge_adjustment() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    salt bigint := tally_salt();
    before adjustment;
    entry journal_entry;
    weight numeric;
BEGIN
    -- Whoever adjusts or sets a policy meanwhile is waited for, and then seen.
    PERFORM FROM account WHERE code = 'coins:deferred-revenue/0' FOR NO KEY UPDATE;
    SELECT * INTO before FROM adjustment WHERE subject = NEW.subject AND number < NEW.number ORDER BY number DESC LIMIT 1;
    SELECT * INTO entry FROM journal_entry WHERE id = NEW.journal_entry_id;
    IF NEW.ends_at <= closed_until() OR NEW.month < before.month OR NEW.amount <> NEW.target - coalesce(before.target, 0)
        OR NEW.target <> (
            SELECT coalesce(sum(target), 0) FROM adjustment_cohort WHERE adjustment_id = NEW.id)
        OR NEW.bonus_policy_id IS DISTINCT FROM accounting_policy_in_force('bonus', NEW.month)
        OR NEW.breakage_policy_id IS DISTINCT FROM (CASE NEW.subject
            WHEN 'breakage' THEN accounting_policy_in_force('breakage', NEW.month) END)
        OR NEW.journal_entry_id IS NOT NULL AND NOT coalesce(
            entry.transaction_id = pg_current_xact_id() AND entry.kind = 'adjustment' AND entry.stripe = 0
            AND entry.reference = 'adjustment:' || NEW.id AND entry.recorded_at = NEW.recorded_at
            AND entry.effective_at = NEW.ends_at - interval '1 microsecond', false)
    THEN
        RAISE EXCEPTION 'adjustment % does not fit its policy, its cohorts, its entry or the one before it', NEW.id
            USING ERRCODE = 'foreign_key_violation', TABLE = 'adjustment', CONSTRAINT = 'adjustment_fits_policy';
    END IF;
    IF NEW.journal_entry_id IS NOT NULL THEN
        weight := hashtextextended(NEW.journal_entry_id || '/0', salt)::numeric;
        PERFORM add_to_tally(
            more_entries => -weight * hashtextextended('adjustment/adjustment:' || NEW.id, salt),
            more_facts => weight * NEW.amount * CASE NEW.subject
                WHEN 'breakage' THEN hashtextextended('coins:expected-breakage', salt)::numeric
                    - hashtextextended('revenue:expected-breakage', salt)
                ELSE hashtextextended('revenue:bonus-allocation', salt)::numeric
                    - hashtextextended('coins:deferred-bonus', salt) END);
    END IF;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION judge_adjustment FROM PUBLIC;
CREATE TRIGGER adjustment_is_judged AFTER INSERT ON adjustment FOR EACH ROW EXECUTE FUNCTION judge_adjustment();

-- What adjustments post must meet facts. What was written off of a debt is owed again only as far as it is paid now.
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
                    'refunds:payable', 'revenue:commission', 'cost:providers', 'tax:withholding-payable',
                    'coins:expected-breakage', 'revenue:expected-breakage', 'coins:deferred-bonus',
                    'revenue:bonus-allocation')), 0)
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
        WHERE NOT CASE posting.side WHEN 'D' THEN entry.kind IN ('claw_back', 'debt_write_off_reversal')
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
