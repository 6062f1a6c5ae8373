-- Work is told of as soon as it is there. Every ledgerd listens on the channel ledgerd_work and looks at the table that is
-- named. Only rows that are due at once are told of; what falls due later is found by looking.
CREATE FUNCTION tell_of_work() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM pg_notify('ledgerd_work', TG_TABLE_NAME);
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION tell_of_work() FROM PUBLIC;

CREATE TRIGGER receipt_retry_is_told_of AFTER INSERT OR UPDATE OF status, next_attempt_at ON receipt_retry
    FOR EACH ROW WHEN (NEW.status = 'waiting' AND NEW.next_attempt_at <= now()) EXECUTE FUNCTION tell_of_work();
CREATE TRIGGER webhook_event_is_told_of AFTER INSERT OR UPDATE OF status, next_attempt_at ON webhook_event
    FOR EACH ROW WHEN (NEW.status = 'waiting' AND NEW.next_attempt_at <= now()) EXECUTE FUNCTION tell_of_work();
CREATE TRIGGER refund_is_told_of AFTER INSERT OR UPDATE OF status, next_attempt_at ON refund
    FOR EACH ROW WHEN (NEW.status = 'pending' AND NEW.next_attempt_at <= now()) EXECUTE FUNCTION tell_of_work();
