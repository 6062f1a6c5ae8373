-- Events: everything that happened, numbered once it is committed. What is a journal entry is an event by its entry. What
-- is none is written here, by the transaction that does it.

CREATE TABLE occurrence (
    id             bigint PRIMARY KEY DEFAULT nextval('record_id'), -- of the same sequence as the ids of entries
    transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
    recorded_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    type           text NOT NULL, -- that of the event: finding.opened
    subject        text NOT NULL, -- what it happened to: finding:12
    user_id        text, -- whom it concerns
    detail         jsonb NOT NULL -- the subject as it was then
);
CREATE INDEX occurrence_in_order ON occurrence (transaction_id, id);
GRANT SELECT ON occurrence TO ledgerd_service;

-- The numbers 1, 2, 3, … of entries and occurrences, in an order in which no account's history runs backwards.
CREATE TABLE event (
    seq      bigint PRIMARY KEY,
    id       bigint NOT NULL CONSTRAINT event_once UNIQUE, -- that of the entry or occurrence
    type     text NOT NULL,
    user_id  text, -- whose coins or receipt; NULL: nobody's
    -- Everything that is visible in it has a number: kept with the last event of those that were numbered together.
    snapshot pg_snapshot
);
CREATE INDEX event_by_user ON event (user_id, seq) WHERE user_id IS NOT NULL;
CREATE INDEX event_with_snapshot ON event (seq) WHERE snapshot IS NOT NULL;
GRANT SELECT, INSERT ON event TO ledgerd_service;

CREATE FUNCTION judge_events() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    told record;
BEGIN
    SELECT min(seq) AS first, max(seq) AS last, count(*) AS count INTO told FROM new_event;
    IF told.count > 0 AND (told.count <> told.last - told.first + 1
        OR told.first <> coalesce((SELECT max(seq) FROM event WHERE seq < told.first), 0) + 1)
    THEN
        RAISE EXCEPTION 'events are numbered without gaps'
            USING ERRCODE = 'check_violation', TABLE = 'event', CONSTRAINT = 'event_follows';
    END IF;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION judge_events FROM PUBLIC;
CREATE TRIGGER event_is_judged AFTER INSERT ON event
    REFERENCING NEW TABLE AS new_event FOR EACH STATEMENT EXECUTE FUNCTION judge_events();
CREATE TRIGGER event_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON event
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER occurrence_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON occurrence
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The account's last posting up to an event: its balance is the one after the event. The last of all is the one most often
-- looked for.
CREATE FUNCTION posting_seq_at_event(of_account bigint, event_seq bigint) RETURNS bigint LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    low    bigint := 0;
    high   bigint := (SELECT seq FROM account WHERE id = of_account);
    middle bigint := high;
BEGIN
    WHILE low < high LOOP
        -- No join: PostgreSQL must look up by key, also in a plan that it made while the tables were empty.
        IF (SELECT event.seq FROM event
            WHERE event.id = (
                SELECT posting.journal_entry_id FROM posting
                WHERE posting.account_id = of_account AND posting.seq = middle)) <= event_seq THEN
            low := middle;
        ELSE
            high := middle - 1;
        END IF;
        middle := (low + high + 1) / 2;
    END LOOP;
    RETURN low;
END
$$;

-- Occurrences are written by triggers alone, so that nobody forgets one and nobody makes one up.
CREATE FUNCTION record_occurrence(type text, subject text, user_id text, detail jsonb) RETURNS void LANGUAGE sql
SET search_path = pg_catalog, public, pg_temp AS $$
    INSERT INTO occurrence (type, subject, user_id, detail) VALUES (type, subject, user_id, jsonb_strip_nulls(detail))
$$;
REVOKE ALL ON FUNCTION record_occurrence FROM PUBLIC;

-- Times in details: since 1970.
CREATE FUNCTION microseconds(moment timestamptz) RETURNS bigint LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp AS $$ SELECT (extract(epoch FROM moment) * 1000000)::bigint $$;
REVOKE ALL ON FUNCTION microseconds FROM PUBLIC;

CREATE FUNCTION record_finding() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM record_occurrence(
        CASE WHEN NEW.resolved_at IS NULL THEN 'finding.opened' ELSE 'finding.closed' END, 'finding:' || NEW.id,
        NEW.user_id,
        jsonb_build_object(
            'id', NEW.id, 'kinds', NEW.kinds, 'gateway', NEW.gateway, 'imp_uid', NEW.imp_uid,
            'merchant_uid', NEW.merchant_uid, 'payment_id', NEW.payment_id, 'amount', NEW.amount,
            'currency', NEW.currency));
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION record_finding FROM PUBLIC;
CREATE TRIGGER finding_opened_is_recorded AFTER INSERT ON finding FOR EACH ROW EXECUTE FUNCTION record_finding();
CREATE TRIGGER finding_closed_is_recorded AFTER UPDATE ON finding
    FOR EACH ROW WHEN ((OLD.resolved_at IS NULL) <> (NEW.resolved_at IS NULL)) EXECUTE FUNCTION record_finding();

-- A receipt whose payment is credited has the event of its purchase.
CREATE FUNCTION record_receipt() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM record_occurrence(
        CASE NEW.status WHEN 'waiting' THEN 'receipt.waiting' ELSE 'receipt.refused' END, 'receipt:' || NEW.id,
        NEW.user_id,
        jsonb_build_object(
            'gateway', NEW.gateway, 'imp_uid', NEW.imp_uid, 'merchant_uid', NEW.merchant_uid,
            'payment_id', NEW.payment_id, 'reason', NEW.reason));
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION record_receipt FROM PUBLIC;
CREATE TRIGGER receipt_retry_inserted_is_recorded AFTER INSERT ON receipt_retry
    FOR EACH ROW WHEN (NEW.status <> 'credited') EXECUTE FUNCTION record_receipt();
CREATE TRIGGER receipt_retry_decided_is_recorded AFTER UPDATE ON receipt_retry
    FOR EACH ROW WHEN (NEW.status <> 'credited' AND NEW.status <> OLD.status) EXECUTE FUNCTION record_receipt();

CREATE FUNCTION record_reconciliation() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
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
REVOKE ALL ON FUNCTION record_reconciliation FROM PUBLIC;
CREATE TRIGGER reconciliation_run_ended_is_recorded AFTER UPDATE ON reconciliation_run
    FOR EACH ROW WHEN (OLD.status = 'running' AND NEW.status <> 'running') EXECUTE FUNCTION record_reconciliation();

CREATE FUNCTION record_closing() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM record_occurrence(
        'period.closed', 'period:' || NEW.id, NULL,
        jsonb_build_object('until', microseconds(NEW.until), 'closed_by', NEW.closed_by));
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION record_closing FROM PUBLIC;
CREATE TRIGGER closed_period_is_recorded AFTER INSERT ON closed_period FOR EACH ROW EXECUTE FUNCTION record_closing();

CREATE FUNCTION record_seal() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM record_occurrence(
        'seal.made', 'seal:' || NEW.id, NULL,
        jsonb_build_object('id', NEW.id, 'statement', NEW.statement));
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION record_seal FROM PUBLIC;
CREATE TRIGGER seal_is_recorded AFTER INSERT ON seal FOR EACH ROW EXECUTE FUNCTION record_seal();

-- Nothing of an order changes when it expires, so somebody has to look. Orders that had expired before are of no interest.
CREATE TABLE order_expiry (
    is_only boolean PRIMARY KEY DEFAULT true CONSTRAINT order_expiry_is_one_row CHECK (is_only),
    until   timestamptz NOT NULL -- orders that expired up to here are told of
);
INSERT INTO order_expiry (until) VALUES (now());

-- Tells of orders that expired unpaid, about `most` at a time; returns how many orders it looked at.
CREATE FUNCTION record_expired_orders(most bigint) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    told_until timestamptz;
    expired record;
BEGIN
    SELECT until INTO told_until FROM order_expiry FOR UPDATE;
    WITH due AS MATERIALIZED (
        SELECT * FROM "order" WHERE expires_at > told_until AND expires_at <= now()
        ORDER BY expires_at FETCH FIRST (least(most, 10000)) ROWS WITH TIES
    ), told AS (
        INSERT INTO occurrence (type, subject, user_id, detail)
        SELECT 'order.expired', 'order:' || id, user_id,
            jsonb_build_object(
                'id', id, 'gateway', gateway, 'merchant_uid', merchant_uid, 'product', product, 'amount', amount,
                'currency', currency, 'expires_at', microseconds(expires_at))
        FROM due
        WHERE NOT EXISTS (SELECT FROM purchase WHERE purchase.merchant_uid = due.merchant_uid)
        ORDER BY expires_at, id
    )
    SELECT count(*) AS count, max(expires_at) AS until INTO expired FROM due;
    UPDATE order_expiry SET until = expired.until WHERE expired.count > 0;
    RETURN expired.count;
END
$$;
REVOKE ALL ON FUNCTION record_expired_orders FROM PUBLIC;
GRANT EXECUTE ON FUNCTION record_expired_orders TO ledgerd_service;
