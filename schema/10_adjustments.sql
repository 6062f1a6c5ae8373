-- Adjusting entries at the end of a month: breakage by its expected pattern, and bonus coins by their relative price. There
-- are none until finance sets a policy.

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
-- A policy starts with its month, in some time zone.
ALTER TABLE accounting_policy ADD CONSTRAINT accounting_policy_starts_with_month CHECK (
    starts_at - make_timestamp(substr(month, 1, 4)::int, substr(month, 6, 2)::int, 1, 0, 0, 0) AT TIME ZONE 'UTC'
            BETWEEN interval '-14 hours' AND interval '12 hours') NOT VALID;
CREATE INDEX accounting_policy_in_force ON accounting_policy (subject, month, id);
GRANT SELECT, INSERT (subject, method, month, starts_at, expected, highly_probable, bonus_price, set_by)
    ON accounting_policy TO ledgerd_service;

-- What an adjustment comes from is measured by the database, and not believed: what was sold, deferred and expired at the end
-- of the month.
CREATE TABLE adjustment_basis (
    id          bigint PRIMARY KEY,
    month       text NOT NULL
        CONSTRAINT adjustment_basis_month_is_one CHECK (month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
    zone        text NOT NULL, -- the time zone of months
    ends_at     timestamptz NOT NULL, -- the first moment after the month
    snapshot    pg_snapshot NOT NULL, -- whose entries were known
    purchases   bigint NOT NULL, -- that were paid by then
    sold        bigint NOT NULL, -- won of them
    deferred    bigint NOT NULL, -- the balance of coins:deferred-revenue by entries that are effective by then
    expired     bigint NOT NULL, -- won of expired coins of lots by these entries, with VAT
    measured_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT, INSERT (month, zone) ON adjustment_basis TO ledgerd_service;

-- An adjustment brings the balance of its subject's account to what the policy of the month says. All are in stripe 0:
-- they are nobody's.
CREATE TABLE adjustment (
    id                 bigint PRIMARY KEY,
    number             bigint NOT NULL GENERATED ALWAYS AS IDENTITY, -- in the order in which they were made
    subject            text NOT NULL CONSTRAINT adjustment_subject_known CHECK (subject IN ('breakage', 'bonus')),
    month              text NOT NULL,
    ends_at            timestamptz NOT NULL, -- the first moment after the month
    breakage_policy_id bigint, -- in force in the month; NULL: none, or not asked
    bonus_policy_id    bigint,
    target             bigint NOT NULL, -- the account's balance afterwards
    amount             bigint NOT NULL, -- what it changed by
    journal_entry_id   bigint,
    adjusted_by        text NOT NULL, -- the caller, as in the subject of the token
    recorded_at        timestamptz NOT NULL,
    basis_id           bigint, -- NULL: it was booked before migration 0074
    CONSTRAINT adjustment_with_entry CHECK ((journal_entry_id IS NULL) = (amount = 0)),
    CONSTRAINT adjustment_entry_once UNIQUE (journal_entry_id),
    CONSTRAINT adjustment_of_month_that_is_over CHECK (ends_at <= recorded_at)
);
CREATE INDEX adjustment_of_subject ON adjustment (subject, number);
GRANT SELECT, INSERT (id, subject, month, ends_at, breakage_policy_id, bonus_policy_id, target, amount,
    journal_entry_id, adjusted_by, recorded_at, basis_id) ON adjustment TO ledgerd_service;

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

-- @after-judges

CREATE TRIGGER accounting_policy_is_judged BEFORE INSERT ON accounting_policy
    FOR EACH ROW EXECUTE FUNCTION judge_accounting_policy();
CREATE TRIGGER adjustment_basis_is_measured BEFORE INSERT ON adjustment_basis
    FOR EACH ROW EXECUTE FUNCTION measure_adjustment_basis();
CREATE TRIGGER adjustment_is_judged AFTER INSERT ON adjustment FOR EACH ROW EXECUTE FUNCTION judge_adjustment();
CREATE TRIGGER adjustment_cohort_is_judged AFTER INSERT ON adjustment_cohort
    REFERENCING NEW TABLE AS new_cohort FOR EACH STATEMENT EXECUTE FUNCTION judge_adjustment_cohorts();
