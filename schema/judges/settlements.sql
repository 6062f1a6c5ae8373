-- The judges of settlement files; the end of reconciliations.

-- A row of a settlement file waits at first: it becomes settled by an entry, and dismissed by a person.
CREATE OR REPLACE FUNCTION refuse_settled_rows() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM new_row WHERE status = 'settled' OR is_dismissed) THEN
        RAISE EXCEPTION 'a row of a statement begins as one that is settled or dismissed'
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
    IF is_forgetting() THEN
        RETURN NULL;
    END IF;
    IF NOT EXISTS (SELECT FROM new_row WHERE status = 'settled') THEN
        RETURN NULL;
    END IF;
    salt := tally_salt();
    -- One that was settled before can't be updated at all.
    SELECT min(row.id) FILTER (
            WHERE entry.id IS NULL OR entry.transaction_id <> pg_current_xact_id() OR entry.kind <> 'settlement'
                OR entry.reference <> 'purchase:' || row.purchase_id
                -- What was paid in a foreign currency is settled in it (docs/decisions/0225).
                OR row.foreign_currency IS DISTINCT FROM purchase.foreign_currency
                -- What leaves is the row's own part of the payment, rounded up or down; NULL: it was paid in won.
                OR abs(row.carried::numeric * purchase.foreign_amount - purchase.amount::numeric * row.foreign_gross)
                    >= purchase.foreign_amount) AS misfit,
        count(DISTINCT row.purchase_id) AS purchases,
        sum(hashtextextended(row.journal_entry_id || '/' || entry.stripe, salt)::numeric * (
            CASE WHEN row.foreign_currency IS NULL
                THEN -row.gross * hashtextextended(receivable_of(purchase.gateway), salt)::numeric
                ELSE foreign_settlement_facts(
                    purchase.gateway, row.foreign_currency, row.foreign_gross, row.carried, row.gross, salt) END
            + row.net * hashtextextended('bank', salt)::numeric)) AS facts,
        sum(hashtextextended(entry.id || '/' || entry.stripe, salt)::numeric
            * hashtextextended('settlement/purchase:' || row.purchase_id, salt)) AS entries
        INTO settled
        FROM new_row AS row
        LEFT JOIN journal_entry AS entry ON entry.id = row.journal_entry_id
        LEFT JOIN LATERAL (
            SELECT gateway, foreign_currency, foreign_amount, amount FROM purchase WHERE purchase.id = row.purchase_id OFFSET 0
        ) AS purchase ON true
        WHERE row.status = 'settled';
    -- Constraints of a purchase say which won its settled part is, if it was paid in a foreign currency.
    UPDATE purchase
    SET settled_amount = settled_amount + row.settled,
        foreign_settled = coalesce(foreign_settled, 0) + row.foreign_gross -- NULL: it was paid in won
    FROM (
        SELECT purchase_id, sum(coalesce(carried, gross))::bigint AS settled,
            sum(foreign_gross)::bigint AS foreign_gross
        FROM new_row WHERE status = 'settled' GROUP BY purchase_id
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
    IF is_forgetting() THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'settlement row % is settled and stays as it is', OLD.id
        USING ERRCODE = 'insufficient_privilege', HINT = 'A row of opposite amounts takes it back.';
END
$$;

-- Adds up what became of rows, for each file whose sums are kept. A batch may settle rows of several stripes, of which it has
-- the locks: it adds to the part of one of them, in which no other batch writes meanwhile. A settled row never changes, so
-- none is taken from the sums again.
CREATE OR REPLACE FUNCTION add_up_settlement_rows() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    entry bigint := (SELECT journal_entry_id FROM new_row WHERE status = 'settled' LIMIT 1);
    -- With its transaction, so that each index that has the id leads to it.
    own_part bigint := coalesce(
        (SELECT stripe FROM journal_entry WHERE id = entry AND transaction_id = pg_current_xact_id()), -1);
BEGIN
    IF is_forgetting() THEN
        RETURN NULL;
    END IF;
    INSERT INTO settlement_file_sum AS known (
        file_id, part, waiting, settled, unmatched, dismissed, refused, gross, fee, tax, net)
    SELECT file_id, own_part, count(*) FILTER (WHERE status = 'waiting'), count(*) FILTER (WHERE status = 'settled'),
        count(*) FILTER (WHERE status = 'unmatched' AND NOT is_dismissed), count(*) FILTER (WHERE is_dismissed),
        count(*) FILTER (WHERE status = 'refused'), coalesce(sum(gross) FILTER (WHERE status = 'settled'), 0),
        coalesce(sum(fee) FILTER (WHERE status = 'settled'), 0), coalesce(sum(tax) FILTER (WHERE status = 'settled'), 0),
        coalesce(sum(net) FILTER (WHERE status = 'settled'), 0)
    FROM new_row GROUP BY file_id HAVING (SELECT is_summed FROM settlement_file WHERE id = file_id) ORDER BY file_id
    ON CONFLICT (file_id, part) DO UPDATE
    SET waiting = known.waiting + excluded.waiting, settled = known.settled + excluded.settled,
        unmatched = known.unmatched + excluded.unmatched, dismissed = known.dismissed + excluded.dismissed,
        refused = known.refused + excluded.refused, gross = known.gross + excluded.gross,
        fee = known.fee + excluded.fee, tax = known.tax + excluded.tax, net = known.net + excluded.net;
    IF TG_OP = 'UPDATE' THEN
        UPDATE settlement_file_sum AS known
        SET waiting = known.waiting - gone.waiting, unmatched = known.unmatched - gone.unmatched,
            dismissed = known.dismissed - gone.dismissed, refused = known.refused - gone.refused
        FROM (
            SELECT file_id, count(*) FILTER (WHERE status = 'waiting') AS waiting,
                count(*) FILTER (WHERE status = 'unmatched' AND NOT is_dismissed) AS unmatched,
                count(*) FILTER (WHERE is_dismissed) AS dismissed, count(*) FILTER (WHERE status = 'refused') AS refused
            FROM old_row GROUP BY file_id
        ) AS gone
        WHERE known.file_id = gone.file_id AND known.part = own_part;
    END IF;
    RETURN NULL;
END
$$;

-- Whether a row is dismissed follows from what people said of its payment.
CREATE OR REPLACE FUNCTION follow_dismissal() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF is_forgetting() THEN
        RETURN NEW;
    END IF;
    NEW.is_dismissed := NEW.status = 'unmatched' AND EXISTS (
        SELECT FROM settlement_dismissal WHERE row_id = NEW.id AND payment = NEW.payment);
    RETURN NEW;
END
$$;

-- Only a row whose payment is not in the books can be dismissed. The row's own trigger looks whether it is.
CREATE OR REPLACE FUNCTION judge_settlement_dismissal() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    UPDATE settlement_row SET is_dismissed = true
    WHERE id = NEW.row_id AND payment = NEW.payment AND status = 'unmatched';
    IF NOT FOUND THEN
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

REVOKE ALL ON FUNCTION refuse_settled_rows, judge_settled_rows, keep_settled_row, add_up_settlement_rows,
    follow_dismissal, judge_settlement_dismissal, judge_settlement_dismissal_check, record_reconciliation FROM PUBLIC;
