-- Occurrences, the numbers of events, and endpoints.

-- Times in details: since 1970.
CREATE OR REPLACE FUNCTION microseconds(moment timestamptz) RETURNS bigint LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp AS $$ SELECT (extract(epoch FROM moment) * 1000000)::bigint $$;

-- Occurrences are written by triggers alone, so that nobody forgets one and nobody makes one up.
CREATE OR REPLACE FUNCTION record_occurrence(type text, subject text, user_id text, detail jsonb) RETURNS void LANGUAGE sql
SET search_path = pg_catalog, public, pg_temp AS $$
    INSERT INTO occurrence (type, subject, user_id, detail) VALUES (type, subject, user_id, jsonb_strip_nulls(detail))
$$;

-- Events are numbered without gaps.
CREATE OR REPLACE FUNCTION judge_events() RETURNS trigger LANGUAGE plpgsql
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

-- A finding that opens or ends is an event.
CREATE OR REPLACE FUNCTION record_finding() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM record_occurrence(
        CASE WHEN NEW.resolved_at IS NULL THEN 'finding.opened' ELSE 'finding.closed' END, 'finding:' || NEW.id,
        NEW.user_id,
        jsonb_build_object(
            'id', NEW.id, 'kinds', NEW.kinds, 'gateway', NEW.gateway, 'imp_uid', NEW.imp_uid,
            'merchant_uid', NEW.merchant_uid, 'payment_id', NEW.payment_id, 'amount', NEW.amount,
            'currency', NEW.currency, 'endpoint_id', NEW.endpoint_id, 'hour', microseconds(NEW.hour),
            'measured', NEW.measured, 'limit', NEW.hour_limit));
    RETURN NULL;
END
$$;

-- For how long a finding waits is counted from when it was opened the last time. Nothing has ended one that is open.
CREATE OR REPLACE FUNCTION note_reopening() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    NEW.reopened_at := now();
    NEW.ended_by_books := false;
    RETURN NEW;
END
$$;

-- Tells of orders that expired unpaid, about `most` at a time; returns how many orders it looked at.
CREATE OR REPLACE FUNCTION record_expired_orders(most bigint) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
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

-- An endpoint that is enabled, disabled or deleted is an event.
CREATE OR REPLACE FUNCTION record_endpoint() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM record_occurrence(
        'endpoint.' || NEW.status, 'endpoint:' || NEW.id, NULL,
        jsonb_build_object('id', NEW.id, 'url', NEW.url, 'reason', NEW.status_reason));
    IF NEW.status_reason IS NOT DISTINCT FROM 'failing' THEN
        INSERT INTO finding (kinds, endpoint_id) VALUES ('{endpoint_failing}', NEW.id)
        ON CONFLICT (endpoint_id) WHERE endpoint_id IS NOT NULL DO UPDATE SET resolved_at = NULL;
    ELSE
        -- num_nulls as in judge_dispute_decision.
        UPDATE finding SET resolved_at = now() WHERE endpoint_id = NEW.id AND num_nulls(resolved_at) = 1;
    END IF;
    RETURN NULL;
END
$$;

-- Deletes old attempts, none younger than a day.
CREATE OR REPLACE FUNCTION purge_endpoint_attempts(older_than interval, most bigint) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH gone AS (
        DELETE FROM public.endpoint_attempt
        WHERE id IN (
            SELECT id FROM public.endpoint_attempt
            WHERE recorded_at < now() - greatest(older_than, interval '1 day')
            ORDER BY recorded_at LIMIT least(most, 10000) FOR UPDATE SKIP LOCKED)
        RETURNING 1
    )
    SELECT count(*) FROM gone
$$;

REVOKE ALL ON FUNCTION microseconds, record_occurrence, judge_events, record_finding, note_reopening,
    record_expired_orders, record_endpoint, purge_endpoint_attempts FROM PUBLIC;
GRANT EXECUTE ON FUNCTION record_expired_orders, purge_endpoint_attempts TO ledgerd_service;
