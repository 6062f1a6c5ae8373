-- @compatible-from 0071
-- What an adjustment comes from is measured by the database, and not believed: what was sold, deferred and expired at the end
-- of the month. An older binary measures nothing, so its adjustments are refused.

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
CREATE TRIGGER adjustment_basis_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON adjustment_basis
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

ALTER TABLE adjustment ADD COLUMN basis_id bigint; -- NULL: it was booked before this migration
GRANT INSERT (basis_id) ON adjustment TO ledgerd_service;

-- A policy starts with its month, in some time zone.
ALTER TABLE accounting_policy ADD CONSTRAINT accounting_policy_starts_with_month CHECK (
    starts_at - make_timestamp(substr(month, 1, 4)::int, substr(month, 6, 2)::int, 1, 0, 0, 0) AT TIME ZONE 'UTC'
        BETWEEN interval '-14 hours' AND interval '12 hours') NOT VALID;

-- One statement sees one snapshot. What is effective later is subtracted from the present, as in a trial balance of the past.
-- The id is taken last, so that nobody waits for the transaction meanwhile.
CREATE FUNCTION measure_adjustment_basis() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    NEW.ends_at := (make_timestamp(substr(NEW.month, 1, 4)::int, substr(NEW.month, 6, 2)::int, 1, 0, 0, 0)
        + interval '1 month') AT TIME ZONE NEW.zone;
    WITH later AS (
        SELECT posting.account_id, sum(CASE posting.side WHEN 'C' THEN posting.amount ELSE -posting.amount END) AS credited
        FROM journal_entry AS entry
        JOIN posting ON posting.journal_entry_id = entry.id AND posting.journal_entry_id >= (
            SELECT min(id + 0) FROM journal_entry WHERE effective_at >= NEW.ends_at)
        JOIN account ON account.id = posting.account_id AND account.owner IS NULL
            AND account.code LIKE 'coins:deferred-revenue/%'
        WHERE entry.effective_at >= NEW.ends_at
        GROUP BY posting.account_id
    ), expired_later AS (
        SELECT sum(coalesce(moved.breakage, 0) - coalesce(before.breakage, 0)) AS won
        FROM journal_entry AS entry
        JOIN lot_movement AS moved ON moved.journal_entry_id = entry.id
        LEFT JOIN lot_movement AS before ON before.lot_id = moved.lot_id AND before.seq = moved.seq - 1
        WHERE entry.effective_at >= NEW.ends_at
    ), sale AS (
        SELECT count(*) AS purchases, coalesce(sum(lot.amount), 0) AS won
        FROM lot
        JOIN journal_entry AS entry ON entry.id = lot.journal_entry_id
        WHERE lot.kind = 'paid' AND lot.purchase_id IS NOT NULL AND entry.effective_at < NEW.ends_at
    )
    SELECT pg_current_snapshot(), sale.purchases, sale.won,
        (SELECT coalesce(sum(account.balance - coalesce(later.credited, 0)), 0)
            FROM account LEFT JOIN later ON later.account_id = account.id
            WHERE account.owner IS NULL AND account.code LIKE 'coins:deferred-revenue/%'),
        coalesce((SELECT sum(breakage) FROM lot WHERE breakage > 0), 0) - coalesce(expired_later.won, 0)
        INTO NEW.snapshot, NEW.purchases, NEW.sold, NEW.deferred, NEW.expired
        FROM sale, expired_later;
    NEW.id := nextval('record_id');
    RETURN NEW;
END
$$;
REVOKE ALL ON FUNCTION measure_adjustment_basis FROM PUBLIC;
CREATE TRIGGER adjustment_basis_is_measured BEFORE INSERT ON adjustment_basis
    FOR EACH ROW EXECUTE FUNCTION measure_adjustment_basis();

-- An adjustment follows the policies in force, adds its cohorts up, comes after those of earlier months, and books what is
-- missing to its target. Its cohorts add up to what was measured at the end of its month, and no target of breakage is more
-- than is deferred. With relative prices, the figures of breakage are the paid coins' part, each rounded down.
CREATE OR REPLACE FUNCTION judge_adjustment() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    salt bigint := tally_salt();
    before adjustment;
    basis adjustment_basis;
    bonus_price bigint;
    entry journal_entry;
    cohorts record;
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
    SELECT * INTO basis FROM adjustment_basis WHERE id = NEW.basis_id;
    SELECT policy.bonus_price INTO bonus_price FROM accounting_policy AS policy WHERE policy.id = NEW.bonus_policy_id;
    SELECT coalesce(sum(purchases), 0) AS purchases, coalesce(sum(sold), 0) AS sold,
        coalesce(sum(deferred), 0) AS deferred, coalesce(sum(expired), 0) AS expired,
        coalesce(bool_or(
            least(purchases - 1, sold, refunded, used, deferred, expired) < 0 OR sold_in > NEW.month
            OR sold_in !~ '^[0-9]{4}-(0[1-9]|1[0-2])$'
            OR NOT CASE NEW.subject WHEN 'breakage' THEN allocated IS NULL AND target BETWEEN 0 AND deferred
                ELSE coalesce(allocated BETWEEN 0 AND sold - refunded, false)
                    AND target = CASE WHEN bonus_price IS NULL THEN 0 ELSE allocated - deferred END END), false) AS misfit
        INTO cohorts FROM adjustment_cohort WHERE adjustment_id = NEW.id;
    IF basis.id IS NULL OR basis.month <> NEW.month OR basis.ends_at <> NEW.ends_at
        OR basis.measured_at < greatest(basis.ends_at, NEW.recorded_at - interval '1 day')
        OR cohorts.misfit OR cohorts.purchases <> basis.purchases
        OR NOT (CASE WHEN NEW.subject = 'breakage' AND bonus_price IS NOT NULL
            THEN cohorts.sold <= basis.sold AND cohorts.deferred <= basis.deferred AND cohorts.expired <= basis.expired
            ELSE cohorts.sold = basis.sold AND cohorts.deferred = basis.deferred AND cohorts.expired = basis.expired END)
    THEN
        RAISE EXCEPTION 'the cohorts of adjustment % do not add up to what the books had at the end of %', NEW.id, NEW.month
            USING ERRCODE = 'foreign_key_violation', TABLE = 'adjustment', CONSTRAINT = 'adjustment_fits_basis';
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
