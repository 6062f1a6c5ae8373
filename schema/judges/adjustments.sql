-- The judges of accounting policies and adjustments.

-- The policy of a subject that applies in a month.
CREATE OR REPLACE FUNCTION accounting_policy_in_force(of_subject text, in_month text) RETURNS bigint LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT id FROM accounting_policy WHERE subject = of_subject AND month <= in_month ORDER BY month DESC, id DESC LIMIT 1
$$;

-- A policy is set for months that are open and have no adjustment. No adjustment is under way meanwhile: it holds the lock
-- of stripe 0 until it commits.
CREATE OR REPLACE FUNCTION judge_accounting_policy() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
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

-- One statement sees one snapshot. What is effective later is subtracted from the present, as in a trial balance of the past.
-- The id is taken last, so that nobody waits for the transaction meanwhile.
CREATE OR REPLACE FUNCTION measure_adjustment_basis() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
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

-- Cohorts come before their adjustment, which adds them up.
CREATE OR REPLACE FUNCTION judge_adjustment_cohorts() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM adjustment WHERE id IN (SELECT adjustment_id FROM new_cohort)) THEN
        RAISE EXCEPTION 'the adjustment has its cohorts already'
            USING ERRCODE = 'check_violation', TABLE = 'adjustment_cohort', CONSTRAINT = 'adjustment_cohort_comes_first';
    END IF;
    RETURN NULL;
END
$$;

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

REVOKE ALL ON FUNCTION accounting_policy_in_force, judge_accounting_policy, measure_adjustment_basis,
    judge_adjustment_cohorts, judge_adjustment FROM PUBLIC;
