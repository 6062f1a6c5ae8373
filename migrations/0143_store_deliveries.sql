-- @compatible-from 0136
-- Purchases that a store must be told are delivered, after their coins are in the books (docs/decisions/0213). A work list: a
-- purchase's own transaction adds it, so no crash loses it, and nothing is told before the commit.
CREATE TABLE store_delivery (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    purchase_id     bigint NOT NULL CONSTRAINT store_delivery_of_purchase UNIQUE,
    status          text NOT NULL DEFAULT 'waiting',
    reason          text NOT NULL DEFAULT 'credited', -- why it waits, or what came of it
    attempts        bigint NOT NULL DEFAULT 0,
    next_attempt_at timestamptz NOT NULL DEFAULT now(),
    lease_holder    bigint,
    decided_at      timestamptz,
    CONSTRAINT store_delivery_status_known CHECK (status IN ('waiting', 'finished', 'left', 'abandoned')),
    CONSTRAINT store_delivery_decided_has_time CHECK ((status = 'waiting') = (decided_at IS NULL))
) WITH (fillfactor = 80);
CREATE INDEX store_delivery_due ON store_delivery (next_attempt_at) WHERE status = 'waiting';
CREATE INDEX store_delivery_leased ON store_delivery (lease_holder) WHERE status = 'waiting' AND lease_holder IS NOT NULL;
GRANT SELECT, UPDATE (status, reason, attempts, next_attempt_at, lease_holder, decided_at) ON store_delivery
    TO ledgerd_service;

-- @after-judges

CREATE TRIGGER purchase_in_store AFTER INSERT ON purchase
    FOR EACH ROW WHEN (NEW.gateway IN ('app-store', 'google-play')) EXECUTE FUNCTION begin_store_delivery();
CREATE TRIGGER store_delivery_is_kept BEFORE DELETE OR TRUNCATE ON store_delivery
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER store_delivery_is_told_of AFTER INSERT OR UPDATE OF status, next_attempt_at ON store_delivery
    FOR EACH ROW WHEN (NEW.status = 'waiting' AND NEW.next_attempt_at <= now()) EXECUTE FUNCTION tell_of_work();
