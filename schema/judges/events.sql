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

-- A user's available coins that fall below a threshold, or rise above one, are an event: entry by entry, in the order of the entries.
-- The session that posts holds the locks of the users' accounts, so nothing comes between an entry and its balance. The time is
-- the entries', so that the next batch's come after it.
CREATE OR REPLACE FUNCTION record_balance_crossings() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
-- By key, as a plan made on an empty table would not, and whatever credit_purchases plans with.
SET search_path = pg_catalog, public, pg_temp SET enable_nestloop = on SET enable_seqscan = off AS $$
BEGIN
    -- Most ledgers have no thresholds, and pay for this look alone.
    IF NOT EXISTS (SELECT FROM balance_alert) THEN
        RETURN NULL;
    END IF;
    INSERT INTO occurrence (recorded_at, type, subject, user_id, detail)
    WITH step AS MATERIALIZED (
        SELECT account.owner, posting.journal_entry_id AS entry,
            coalesce(sum(posting.amount * CASE posting.side WHEN 'C' THEN 1 ELSE -1 END) FILTER (WHERE NOT is_debt), 0)
                AS moved,
            coalesce(sum(posting.amount * CASE posting.side WHEN 'C' THEN -1 ELSE 1 END) FILTER (WHERE is_debt), 0) AS owed
        FROM new_posting AS posting
        CROSS JOIN LATERAL (
            SELECT owner, code, code LIKE 'debt:%' AS is_debt FROM account WHERE account.id = posting.account_id OFFSET 0
        ) AS account
        WHERE account.owner IS NOT NULL AND (account.code LIKE 'wallet:%' OR is_debt)
        GROUP BY account.owner, posting.journal_entry_id
    ), line AS (
        SELECT owner, entry, moved, owed, coalesce(sum(moved) OVER later, 0) AS later_moved,
            coalesce(sum(owed) OVER later, 0) AS later_owed
        FROM step
        WINDOW later AS (PARTITION BY owner ORDER BY entry DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    ), change AS (
        -- What comes after an entry is taken from the balance after all. Nothing can be spent while there is a debt.
        -- Thresholds and balances are looked up for each entry: writers plan without hashes, so a join with the users' would
        -- compare each with each.
        SELECT owner, entry, below, above,
            CASE WHEN debt - later_owed - owed > 0 THEN 0 ELSE coins - later_moved - moved END::bigint AS before,
            CASE WHEN debt - later_owed > 0 THEN 0 ELSE coins - later_moved END::bigint AS available
        FROM line
        CROSS JOIN LATERAL (
            SELECT below, above FROM balance_alert WHERE balance_alert.owner = ANY (ARRAY[line.owner, ''])
            ORDER BY balance_alert.owner = '' LIMIT 1
        ) AS alert
        CROSS JOIN LATERAL (
            SELECT coalesce(sum(balance) FILTER (WHERE code LIKE 'wallet:%'), 0) AS coins,
                coalesce(sum(balance) FILTER (WHERE code LIKE 'debt:%'), 0) AS debt
            FROM account WHERE account.owner = line.owner AND code NOT LIKE 'earnings:%'
        ) AS present
    )
    SELECT told.recorded_at, crossing.type, 'user:' || owner, owner,
        jsonb_build_object(
            'threshold', crossing.threshold, 'before', before, 'available', available, 'journal_entry_id', entry)
    FROM change
    CROSS JOIN LATERAL (
        SELECT 'balance.fell_below' AS type, threshold FROM unnest(below) AS threshold
        WHERE before >= threshold AND available < threshold
        UNION ALL
        SELECT 'balance.rose_above', threshold FROM unnest(above) AS threshold
        WHERE before <= threshold AND available > threshold
    ) AS crossing
    CROSS JOIN LATERAL (
        -- A former id has no coins any more, and nobody has to top them up.
        SELECT recorded_at FROM journal_entry
        WHERE journal_entry.id = entry AND NOT (kind = 'merge' AND reference = 'merge:' || owner) OFFSET 0
    ) AS told
    ORDER BY entry, owner, CASE WHEN available < before THEN -threshold ELSE threshold END;
    RETURN NULL;
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
    record_balance_crossings, record_expired_orders, record_endpoint, purge_endpoint_attempts FROM PUBLIC;
GRANT EXECUTE ON FUNCTION record_expired_orders, purge_endpoint_attempts TO ledgerd_service;
