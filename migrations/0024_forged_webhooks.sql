-- Anybody can send an unsigned event, so many of them may cost neither room nor the true ones' time.
ALTER TABLE webhook_event
    ADD COLUMN source  text, -- the network that an unsigned event came from
    ADD COLUMN urgency smallint NOT NULL DEFAULT 0, -- 2: signed, or an order or a waiting receipt knows the payment; 1: a purchase does
    ADD COLUMN repeats bigint NOT NULL DEFAULT 0; -- events of the same payment that came while it waited

-- Of the unsigned events of one payment one waits.
UPDATE webhook_event SET status = 'ignored', reason = 'merged', decided_at = now()
WHERE status = 'waiting' AND event_id IS NULL AND EXISTS (
    SELECT FROM webhook_event AS later
    WHERE later.imp_uid = webhook_event.imp_uid AND later.gateway = webhook_event.gateway
        AND later.status = 'waiting' AND later.event_id IS NULL AND later.id > webhook_event.id);
CREATE UNIQUE INDEX webhook_event_waits_once ON webhook_event (imp_uid, gateway)
    WHERE status = 'waiting' AND event_id IS NULL;
CREATE INDEX webhook_event_waiting_by_order ON webhook_event (merchant_uid) WHERE status = 'waiting' AND event_id IS NULL;
-- What is bounded: by network, and in all.
CREATE INDEX webhook_event_waiting_by_source ON webhook_event (source, id)
    WHERE status = 'waiting' AND event_id IS NULL AND urgency < 2;

DROP INDEX webhook_event_due;
CREATE INDEX webhook_event_due ON webhook_event (urgency DESC, next_attempt_at) WHERE status = 'waiting';
CREATE INDEX webhook_event_decided ON webhook_event (decided_at) WHERE status <> 'waiting';
GRANT UPDATE (urgency, repeats) ON webhook_event TO ledgerd_service;

-- Deletes decided events alone, none younger than a day.
CREATE FUNCTION purge_webhook_events(older_than interval, most bigint) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH gone AS (
        DELETE FROM public.webhook_event
        WHERE id IN (
            SELECT id FROM public.webhook_event
            WHERE status <> 'waiting' AND decided_at < now() - greatest(older_than, interval '1 day')
            ORDER BY decided_at LIMIT least(most, 10000) FOR UPDATE SKIP LOCKED)
        RETURNING 1
    )
    SELECT count(*) FROM gone
$$;
REVOKE ALL ON FUNCTION purge_webhook_events FROM PUBLIC;
GRANT EXECUTE ON FUNCTION purge_webhook_events TO ledgerd_service;
