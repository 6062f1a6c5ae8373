-- The judges of revaluations at the ends of months (docs/decisions/0225).

-- One statement sees one snapshot. What is effective later is subtracted from the present, as in measure_adjustment_basis.
CREATE OR REPLACE FUNCTION measure_revaluation_basis() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    next_month CONSTANT timestamp := make_timestamp(substr(NEW.month, 1, 4)::int, substr(NEW.month, 6, 2)::int, 1, 0, 0, 0)
        + interval '1 month';
    quote      rate;
BEGIN
    NEW.ends_at := next_month AT TIME ZONE NEW.zone;
    SELECT * INTO quote FROM rate
    WHERE currency = NEW.currency AND day < next_month::date ORDER BY day DESC, version DESC LIMIT 1;
    IF quote.id IS NULL THEN
        RAISE EXCEPTION '% has no rate in % or before', NEW.currency, NEW.month
            USING ERRCODE = 'check_violation', TABLE = 'revaluation_basis', CONSTRAINT = 'revaluation_basis_has_rate';
    END IF;
    WITH clearing AS (
        SELECT id, balance, normal_side, currency FROM account
        WHERE owner IS NULL
            AND (code LIKE 'fx:clearing:' || NEW.currency || '/%' OR code LIKE 'fx:clearing:' || NEW.currency || ':KRW/%')
    ), later AS (
        SELECT posting.account_id,
            sum(CASE WHEN posting.side = clearing.normal_side THEN posting.amount ELSE -posting.amount END) AS moved
        FROM journal_entry AS entry
        JOIN posting ON posting.journal_entry_id = entry.id AND posting.journal_entry_id >= (
            SELECT min(id + 0) FROM journal_entry WHERE effective_at >= NEW.ends_at)
        JOIN clearing ON clearing.id = posting.account_id
        WHERE entry.effective_at >= NEW.ends_at
        GROUP BY posting.account_id
    )
    SELECT
        coalesce(sum(clearing.balance - coalesce(later.moved, 0)) FILTER (WHERE clearing.currency <> 'KRW'), 0),
        coalesce(sum(clearing.balance - coalesce(later.moved, 0)) FILTER (WHERE clearing.currency = 'KRW'), 0)
        INTO NEW.open, NEW.carried
        FROM clearing LEFT JOIN later ON later.account_id = clearing.id;
    NEW.rate_id := quote.id;
    NEW.worth := converted(NEW.open, currency_decimals(NEW.currency), quote.value, quote.scale, quote.per, 0);
    NEW.id := nextval('record_id');
    RETURN NEW;
END
$$;

-- A revaluation books what was measured after the month's end, by two entries that take each other back, before the month is
-- closed.
CREATE OR REPLACE FUNCTION judge_revaluation() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    salt   bigint := tally_salt();
    basis  record; -- of revaluation_basis: a table that a later migration creates than the functions
    weight numeric;
    back   numeric;
BEGIN
    SELECT * INTO basis FROM revaluation_basis WHERE id = NEW.basis_id;
    IF basis.id IS NULL OR basis.currency <> NEW.currency OR basis.month <> NEW.month
        OR NEW.amount <> basis.worth - basis.carried
        OR basis.measured_at < greatest(basis.ends_at, NEW.recorded_at - interval '1 day')
        OR basis.ends_at <= closed_until()
        OR NEW.journal_entry_id IS NOT NULL AND 2 <> (
            SELECT count(*) FROM journal_entry AS entry
            WHERE entry.id IN (NEW.journal_entry_id, NEW.reversal_entry_id)
                AND entry.transaction_id = pg_current_xact_id() AND entry.kind = 'adjustment' AND entry.stripe = 0
                AND entry.reference = 'revaluation:' || NEW.id AND entry.recorded_at = NEW.recorded_at
                AND entry.effective_at = CASE entry.id WHEN NEW.reversal_entry_id THEN basis.ends_at
                    ELSE basis.ends_at - interval '1 microsecond' END)
    THEN
        RAISE EXCEPTION 'revaluation % does not fit what was measured, or its entries', NEW.id
            USING ERRCODE = 'foreign_key_violation', TABLE = 'revaluation', CONSTRAINT = 'revaluation_fits_basis';
    END IF;
    IF NEW.journal_entry_id IS NOT NULL THEN
        weight := hashtextextended(NEW.journal_entry_id || '/0', salt)::numeric;
        back := hashtextextended(NEW.reversal_entry_id || '/0', salt)::numeric;
        PERFORM add_to_tally(
            more_entries => -(weight + back) * hashtextextended('adjustment/revaluation:' || NEW.id, salt),
            more_facts => (weight - back) * NEW.amount * (
                hashtextextended('fx:clearing:' || NEW.currency || ':KRW', salt)::numeric
                - hashtextextended('fx:unrealised:' || NEW.currency, salt)));
    END IF;
    RETURN NULL;
END
$$;

REVOKE ALL ON FUNCTION measure_revaluation_basis, judge_revaluation FROM PUBLIC;
