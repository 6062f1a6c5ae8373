-- Who a person is; the judges of proposals and approvals; the end of sessions.

-- The person of a caller, who is the same in the API, in the console (`console:kim`) and at a terminal (`terminal:kim`).
CREATE OR REPLACE FUNCTION person_of(caller text) RETURNS text LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT lower(regexp_replace(caller, '^(console:)?(terminal:)?', ''))
$$;

-- Decided by another person or withdrawn, once, and carried out once.
CREATE OR REPLACE FUNCTION judge_approval() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF is_forgetting() THEN
        RETURN NEW;
    END IF;
    IF (OLD.status, NEW.status) NOT IN (
            ('waiting', 'approved'), ('waiting', 'declined'), ('waiting', 'withdrawn'), ('approved', 'done'),
            ('approved', 'refused'))
        OR OLD.decided_by IS NOT NULL AND (OLD.decided_by, OLD.decided_name, OLD.decided_at, OLD.decision_reason)
            IS DISTINCT FROM (NEW.decided_by, NEW.decided_name, NEW.decided_at, NEW.decision_reason)
    THEN
        RAISE EXCEPTION 'approval % is % and can''t become %', OLD.id, OLD.status, NEW.status
            USING ERRCODE = 'check_violation', TABLE = 'approval', CONSTRAINT = 'approval_decided_once';
    END IF;
    IF OLD.decided_by IS NULL AND person_of(NEW.decided_by) = person_of(OLD.proposed_by) THEN
        RAISE EXCEPTION 'another person than the proposer decides about approval %', OLD.id
            USING ERRCODE = 'check_violation', TABLE = 'approval', CONSTRAINT = 'approval_by_another_person';
    END IF;
    RETURN NEW;
END
$$;

-- The names of what a proposal is about: of a user, each id that refers to the same one, the present id first.
CREATE OR REPLACE FUNCTION targets_alike(target text) RETURNS text[] LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    present text := user_behind(substr(target, 6));
BEGIN
    IF target NOT LIKE 'user:%' THEN
        RETURN ARRAY[target];
    END IF;
    RETURN ARRAY['user:' || present]
        || ARRAY(SELECT 'user:' || former FROM user_alias WHERE user_id = present ORDER BY former COLLATE "C");
END
$$;

-- A proposal about an object with an open one says that its proposer has seen that one: the id of a proposal about the same
-- object, because any larger number would do otherwise. Proposals about one object are made one after another, so of two at once
-- the second one meets the first.
CREATE OR REPLACE FUNCTION judge_proposal() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    alike text[] := targets_alike(NEW.target);
    shown bigint; -- the proposal that the proposer has seen
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended(alike[1], 7810759524241990516));
    SELECT id INTO shown FROM approval WHERE id = NEW.beside AND target = ANY (alike);
    IF EXISTS (
        SELECT FROM approval
        WHERE target = ANY (alike) AND status IN ('waiting', 'approved') AND id > coalesce(shown, 0)
            AND key <> NEW.key)
    THEN
        RAISE EXCEPTION 'a proposal about % is open', NEW.target
            USING ERRCODE = 'unique_violation', TABLE = 'approval', CONSTRAINT = 'approval_open_once';
    END IF;
    IF NEW.beside IS NOT NULL AND shown IS NULL THEN
        RAISE EXCEPTION 'proposal % is not about %', NEW.beside, NEW.target
            USING ERRCODE = 'foreign_key_violation', TABLE = 'approval', CONSTRAINT = 'approval_beside_of_object';
    END IF;
    RETURN NEW;
END
$$;

-- Deletes sessions that are over: the service may not delete rows by itself.
CREATE OR REPLACE FUNCTION purge_console_sessions(most bigint) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH gone AS (
        DELETE FROM public.console_session
        WHERE token_sha256 IN (
            SELECT token_sha256 FROM public.console_session WHERE ends_at < now() - interval '1 day'
            ORDER BY ends_at LIMIT least(most, 10000) FOR UPDATE SKIP LOCKED)
        RETURNING 1
    )
    SELECT count(*) FROM gone
$$;

REVOKE ALL ON FUNCTION person_of, judge_approval, targets_alike, judge_proposal, purge_console_sessions FROM PUBLIC;
GRANT EXECUTE ON FUNCTION person_of, targets_alike, purge_console_sessions TO ledgerd_service;
