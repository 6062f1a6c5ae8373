-- The judges of settlement files; the end of reconciliations.

-- A row of a settlement file waits at first.
CREATE OR REPLACE FUNCTION refuse_settled_rows() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM new_row WHERE status = 'settled') THEN
        RAISE EXCEPTION 'a row of a statement begins as one that is settled'
            USING ERRCODE = 'check_violation', TABLE = 'settlement_row', CONSTRAINT = 'settlement_row_begins_waiting';
    END IF;
    RETURN NULL;
END
$$;

-- A row of a statement that becomes settled is booked by an entry of this transaction.
CREATE OR REPLACE FUNCTION judge_settled_rows() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    salt bigint;
    settled record;
    changed bigint;
BEGIN
    IF NOT EXISTS (SELECT FROM new_row WHERE status = 'settled') THEN
        RETURN NULL;
    END IF;
    salt := tally_salt();
    -- One that was settled before can't be updated at all.
    SELECT min(row.id) FILTER (
            WHERE entry.id IS NULL OR entry.transaction_id <> pg_current_xact_id() OR entry.kind <> 'settlement'
                OR entry.reference <> 'purchase:' || row.purchase_id) AS misfit,
        count(DISTINCT row.purchase_id) AS purchases,
        sum(hashtextextended(row.journal_entry_id || '/' || entry.stripe, salt)::numeric * (
            -row.gross * hashtextextended('gateway:receivable', salt)::numeric
            + row.net * hashtextextended('bank', salt)::numeric)) AS facts,
        sum(hashtextextended(entry.id || '/' || entry.stripe, salt)::numeric
            * hashtextextended('settlement/purchase:' || row.purchase_id, salt)) AS entries
        INTO settled
        FROM new_row AS row
        LEFT JOIN journal_entry AS entry ON entry.id = row.journal_entry_id
        WHERE row.status = 'settled';
    UPDATE purchase SET settled_amount = settled_amount + row.gross
    FROM (
        SELECT purchase_id, sum(gross)::bigint AS gross FROM new_row WHERE status = 'settled' GROUP BY purchase_id
    ) AS row
    WHERE purchase.id = row.purchase_id;
    GET DIAGNOSTICS changed = ROW_COUNT;
    IF settled.misfit IS NOT NULL OR changed <> settled.purchases THEN
        RAISE EXCEPTION 'a settled row does not fit its journal entry or purchase'
            USING ERRCODE = 'foreign_key_violation', TABLE = 'settlement_row',
                CONSTRAINT = 'settlement_row_fits_entry';
    END IF;
    PERFORM add_to_tally(more_entries => -settled.entries, more_facts => settled.facts);
    RETURN NULL;
END
$$;

-- What is settled stays as it was settled.
CREATE OR REPLACE FUNCTION keep_settled_row() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'settlement row % is settled and stays as it is', OLD.id
        USING ERRCODE = 'insufficient_privilege', HINT = 'A row of opposite amounts takes it back.';
END
$$;

-- Only a row whose payment is not in the books can be dismissed.
CREATE OR REPLACE FUNCTION judge_settlement_dismissal() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM settlement_row WHERE id = NEW.row_id AND payment = NEW.payment AND status = 'unmatched')
    THEN
        RAISE EXCEPTION 'settlement row % is not unmatched, or of another payment', NEW.row_id
            USING ERRCODE = 'check_violation', TABLE = 'settlement_dismissal',
                CONSTRAINT = 'settlement_dismissal_of_unmatched';
    END IF;
    RETURN NULL;
END
$$;

-- Somebody else than the person who dismissed a row looks at it too.
CREATE OR REPLACE FUNCTION judge_settlement_dismissal_check() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM settlement_dismissal
        WHERE row_id = NEW.row_id AND payment = NEW.payment
            AND person_of(dismissed_by) <> person_of(NEW.checked_by))
    THEN
        RAISE EXCEPTION 'the dismissal of settlement row % is missing, or of the same person', NEW.row_id
            USING ERRCODE = 'check_violation', TABLE = 'settlement_dismissal_check',
                CONSTRAINT = 'settlement_dismissal_check_of_another';
    END IF;
    RETURN NULL;
END
$$;

-- A reconciliation that ends is an event.
CREATE OR REPLACE FUNCTION record_reconciliation() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM record_occurrence(
        'reconciliation.' || NEW.status, 'reconciliation:' || NEW.id, NULL,
        jsonb_build_object(
            'id', NEW.id, 'from', microseconds(NEW.period_from), 'to', microseconds(NEW.period_to), 'counts', NEW.counts,
            'failure', NEW.failure));
    RETURN NULL;
END
$$;

REVOKE ALL ON FUNCTION refuse_settled_rows, judge_settled_rows, keep_settled_row, judge_settlement_dismissal,
    judge_settlement_dismissal_check, record_reconciliation FROM PUBLIC;
