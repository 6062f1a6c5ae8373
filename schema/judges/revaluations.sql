-- The judges of revaluations at the ends of months (docs/decisions/0225).

-- The rate at the end of a month: the newest version of the last day of its last seven that has one. NULL: none of them has.
CREATE OR REPLACE FUNCTION rate_of_month_end(of_currency text, of_month text) RETURNS bigint LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    next_month CONSTANT date := (to_date(of_month, 'YYYY-MM') + interval '1 month')::date;
BEGIN
    RETURN (
        SELECT id FROM rate
        WHERE currency = of_currency AND day >= next_month - 7 AND day < next_month
        ORDER BY day DESC, version DESC LIMIT 1);
END
$$;

-- What is open in a currency by entries that are effective before a moment, its carrying amount in won, and whose entries were
-- known. One statement sees one snapshot. What is effective later is subtracted from the present, as in measure_adjustment_basis.
CREATE OR REPLACE FUNCTION open_before(
    of_currency text, moment timestamptz, OUT due bigint, OUT won bigint, OUT seen pg_snapshot
) LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    WITH clearing AS (
        SELECT id, balance, normal_side, currency FROM account
        WHERE owner IS NULL
            AND (code LIKE 'fx:clearing:' || of_currency || '/%' OR code LIKE 'fx:clearing:' || of_currency || ':KRW/%')
    ), later AS (
        SELECT posting.account_id,
            sum(CASE WHEN posting.side = clearing.normal_side THEN posting.amount ELSE -posting.amount END) AS moved
        FROM journal_entry AS entry
        JOIN posting ON posting.journal_entry_id = entry.id AND posting.journal_entry_id >= (
            SELECT min(id + 0) FROM journal_entry WHERE effective_at >= moment)
        JOIN clearing ON clearing.id = posting.account_id
        WHERE entry.effective_at >= moment
        GROUP BY posting.account_id
    )
    SELECT
        coalesce(sum(clearing.balance - coalesce(later.moved, 0)) FILTER (WHERE clearing.currency <> 'KRW'), 0),
        coalesce(sum(clearing.balance - coalesce(later.moved, 0)) FILTER (WHERE clearing.currency = 'KRW'), 0),
        pg_current_snapshot()
        INTO due, won, seen
        FROM clearing LEFT JOIN later ON later.account_id = clearing.id;
END
$$;

-- What a revaluation comes from. No rate of the currency is published from here to the end of the transaction: whoever publishes one
-- has this lock alone (Rate+SQL.swift).
CREATE OR REPLACE FUNCTION measure_revaluation_basis() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    quote rate;
BEGIN
    PERFORM pg_advisory_xact_lock_shared(hashtextextended(NEW.currency, 7810759524207391845));
    SELECT * INTO quote FROM rate WHERE id = rate_of_month_end(NEW.currency, NEW.month);
    IF quote.id IS NULL THEN
        RAISE EXCEPTION '% has no rate in the last seven days of %', NEW.currency, NEW.month
            USING ERRCODE = 'check_violation', TABLE = 'revaluation_basis', CONSTRAINT = 'revaluation_basis_has_rate';
    END IF;
    NEW.ends_at := (to_date(NEW.month, 'YYYY-MM')::timestamp + interval '1 month') AT TIME ZONE NEW.zone;
    NEW.measured_at := clock_timestamp();
    SELECT due, won, seen INTO NEW.open, NEW.carried, NEW.snapshot FROM open_before(NEW.currency, NEW.ends_at);
    NEW.rate_id := quote.id;
    NEW.worth := converted(NEW.open, currency_decimals(NEW.currency), quote.value, quote.scale, quote.per, 0);
    NEW.id := nextval('record_id');
    RETURN NEW;
END
$$;

-- A revaluation books what was measured after the month's end, by two entries that take each other back, before the month is
-- closed. What it is booked for is measured again: with its entry, what is open is carried at its worth. Otherwise somebody booked
-- or published something meanwhile, and the transaction is tried again.
CREATE OR REPLACE FUNCTION judge_revaluation() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    salt   bigint := tally_salt();
    basis  record; -- of revaluation_basis: a table that a later migration creates than the functions
    again  record;
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
    PERFORM pg_advisory_xact_lock_shared(hashtextextended(NEW.currency, 7810759524207391845));
    SELECT due, won, rate_of_month_end(NEW.currency, NEW.month) AS rate_id INTO again
    FROM open_before(NEW.currency, basis.ends_at);
    IF (again.due, again.won, again.rate_id) IS DISTINCT FROM (basis.open, basis.worth, basis.rate_id) THEN
        RAISE EXCEPTION 'what is open in % at the end of %, or its rate, changed after it was measured', NEW.currency, NEW.month
            USING ERRCODE = 'serialization_failure', TABLE = 'revaluation', CONSTRAINT = 'revaluation_still_fits';
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

REVOKE ALL ON FUNCTION rate_of_month_end, open_before, measure_revaluation_basis, judge_revaluation FROM PUBLIC;
GRANT EXECUTE ON FUNCTION rate_of_month_end, open_before TO ledgerd_service;
