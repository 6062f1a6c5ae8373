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
-- known. One statement sees one snapshot. What is effective later is subtracted from the present, as in measure_adjustment_basis: this
-- reads all postings since the moment, so no writer waits for it.
CREATE OR REPLACE FUNCTION open_before(
    of_currency text, moment timestamptz, OUT due bigint, OUT won bigint, OUT seen pg_snapshot
) LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    WITH clearing AS (
        SELECT account.id, account.balance, account.normal_side, account.currency
        FROM generate_series(0, (SELECT stripes FROM ledger) - 1) AS number
        CROSS JOIN unnest(ARRAY['', ':KRW']) AS ending
        JOIN account ON account.code = 'fx:clearing:' || of_currency || ending || '/' || number AND account.owner IS NULL
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

-- By how much entries changed what open_before says: those that its snapshot did not show, and those of this transaction.
--
-- Whoever posts to an account has seen its last posting, so the postings that a snapshot did not show are the last ones of each account.
-- They are read from the end, by the primary key, and no others.
CREATE OR REPLACE FUNCTION opened_since(
    of_currency text, moment timestamptz, known_to pg_snapshot, OUT due bigint, OUT won bigint, OUT seen pg_snapshot
) LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    SELECT
        coalesce(sum(moved.amount) FILTER (WHERE clearing.currency <> 'KRW'), 0),
        coalesce(sum(moved.amount) FILTER (WHERE clearing.currency = 'KRW'), 0),
        pg_current_snapshot()
        INTO due, won, seen
        FROM generate_series(0, (SELECT stripes FROM ledger) - 1) AS number
        CROSS JOIN unnest(ARRAY['', ':KRW']) AS ending
        JOIN account AS clearing
            ON clearing.code = 'fx:clearing:' || of_currency || ending || '/' || number AND clearing.owner IS NULL
        LEFT JOIN LATERAL (
            SELECT posting.seq FROM posting
            WHERE posting.account_id = clearing.id AND (
                -- PostgreSQL counts a transaction as known to its own snapshots.
                SELECT pg_visible_in_snapshot(entry.transaction_id, known_to)
                    AND entry.transaction_id IS DISTINCT FROM pg_current_xact_id_if_assigned()
                FROM journal_entry AS entry WHERE entry.id = posting.journal_entry_id)
            ORDER BY posting.seq DESC LIMIT 1
        ) AS known ON true
        CROSS JOIN LATERAL (
            SELECT CASE WHEN posting.side = clearing.normal_side THEN posting.amount ELSE -posting.amount END AS amount
            FROM posting
            WHERE posting.account_id = clearing.id AND posting.seq > coalesce(known.seq, 0) AND moment > (
                SELECT entry.effective_at FROM journal_entry AS entry WHERE entry.id = posting.journal_entry_id)
        ) AS moved;
END
$$;

-- What a revaluation comes from: measured, or an earlier measurement with what was booked since. Publishing a rate is kept waiting from
-- the moment that the rate is found until the transaction ends, and not while postings are added up: purchases would wait, too
-- (Rate+SQL.swift).
CREATE OR REPLACE FUNCTION measure_revaluation_basis() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    earlier record; -- of revaluation_basis
    quote rate;
BEGIN
    NEW.ends_at := (to_date(NEW.month, 'YYYY-MM')::timestamp + interval '1 month') AT TIME ZONE NEW.zone;
    NEW.measured_at := clock_timestamp();
    -- Without the lock of closings, which would wait for the measurement. The judge of the revaluation has it.
    IF NEW.measured_at < NEW.ends_at OR NEW.ends_at <= (SELECT max(until) FROM closed_period) THEN
        RAISE EXCEPTION '% is not over, or is closed', NEW.month
            USING ERRCODE = 'check_violation', TABLE = 'revaluation_basis', CONSTRAINT = 'revaluation_basis_of_open_month';
    END IF;
    IF NEW.measured_from IS NULL THEN
        SELECT due, won, seen INTO NEW.open, NEW.carried, NEW.snapshot FROM open_before(NEW.currency, NEW.ends_at);
    ELSE
        SELECT * INTO earlier FROM revaluation_basis
        WHERE id = NEW.measured_from AND currency = NEW.currency AND ends_at = NEW.ends_at AND snapshot IS NOT NULL;
        IF earlier.id IS NULL THEN
            RAISE EXCEPTION '% is no measurement of % at the end of %', NEW.measured_from, NEW.currency, NEW.month
                USING ERRCODE = 'foreign_key_violation', TABLE = 'revaluation_basis',
                    CONSTRAINT = 'revaluation_basis_continues_its_own';
        END IF;
        SELECT earlier.open + due, earlier.carried + won, seen INTO NEW.open, NEW.carried, NEW.snapshot
        FROM opened_since(NEW.currency, NEW.ends_at, earlier.snapshot);
    END IF;
    PERFORM pg_advisory_xact_lock_shared(hashtextextended(NEW.currency, 7810759524207391845));
    SELECT * INTO quote FROM rate WHERE id = rate_of_month_end(NEW.currency, NEW.month);
    IF quote.id IS NULL THEN
        RAISE EXCEPTION '% has no rate in the last seven days of %', NEW.currency, NEW.month
            USING ERRCODE = 'check_violation', TABLE = 'revaluation_basis', CONSTRAINT = 'revaluation_basis_has_rate';
    END IF;
    NEW.rate_id := quote.id;
    NEW.last_rate_id := (SELECT max(id) FROM rate WHERE currency = NEW.currency);
    NEW.worth := converted(NEW.open, currency_decimals(NEW.currency), quote.value, quote.scale, quote.per, 0);
    NEW.id := nextval('record_id');
    RETURN NEW;
END
$$;

-- A revaluation books what was measured after the month's end, by two entries that take each other back, before the month is
-- closed. Since it was measured, its own entry alone changed what was open at the month's end. Otherwise somebody booked or published
-- something meanwhile, and the transaction is tried again.
CREATE OR REPLACE FUNCTION judge_revaluation() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    salt   bigint := tally_salt();
    basis  record; -- of revaluation_basis: a table that a later migration creates than the functions
    since  record;
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
    SELECT due, won, rate_of_month_end(NEW.currency, NEW.month) AS rate_id INTO since
    FROM opened_since(NEW.currency, basis.ends_at, basis.snapshot);
    IF (since.due, since.won, since.rate_id) IS DISTINCT FROM (0, NEW.amount, basis.rate_id) THEN
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

REVOKE ALL ON FUNCTION rate_of_month_end, open_before, opened_since, measure_revaluation_basis, judge_revaluation FROM PUBLIC;
GRANT EXECUTE ON FUNCTION rate_of_month_end, open_before TO ledgerd_service;
