-- The judges of closings and of the chain.

-- From when on entries may be effective, NULL if nothing was closed yet. It stays so until the transaction ends: whoever
-- closes waits for all who have asked. (The key of the lock spells ledgopen.)
CREATE OR REPLACE FUNCTION closed_until() RETURNS timestamptz LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(7810759524158039406);
    RETURN (SELECT max(until) FROM closed_period);
END
$$;

-- Periods are closed one after the other, and never opened again.
CREATE OR REPLACE FUNCTION judge_closing() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(7810759524158039406);
    IF NEW.until <= (SELECT max(until) FROM closed_period) THEN
        RAISE EXCEPTION 'everything before % is closed already', NEW.until
            USING ERRCODE = 'check_violation', TABLE = 'closed_period', CONSTRAINT = 'closed_period_goes_forward';
    END IF;
    NEW.closed_at := clock_timestamp();
    RETURN NEW;
END
$$;

-- A closing is an event.
CREATE OR REPLACE FUNCTION record_closing() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM record_occurrence(
        'period.closed', 'period:' || NEW.id, NULL,
        jsonb_build_object('until', microseconds(NEW.until), 'closed_by', NEW.closed_by));
    RETURN NULL;
END
$$;

-- A closing that waits for a second person is carried out by another one than its proposer or withdrawn, once.
CREATE OR REPLACE FUNCTION judge_closing_proposal() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF is_forgetting() THEN
        RETURN NEW;
    END IF;
    IF OLD.status <> 'waiting' THEN
        RAISE EXCEPTION 'the proposed closing % is % and can''t become %', OLD.id, OLD.status, NEW.status
            USING ERRCODE = 'check_violation', TABLE = 'closing_proposal', CONSTRAINT = 'closing_proposal_decided_once';
    END IF;
    IF NEW.status = 'closed' AND person_of(NEW.decided_by) = person_of(OLD.proposed_by) THEN
        RAISE EXCEPTION 'another person than the proposer carries out the closing %', OLD.id
            USING ERRCODE = 'check_violation', TABLE = 'closing_proposal',
                CONSTRAINT = 'closing_proposal_by_another_person';
    END IF;
    RETURN NEW;
END
$$;

-- A link follows the one before it, entry by entry and hash by hash. The first one of a new format begins with the first entry.
CREATE OR REPLACE FUNCTION judge_chain_links() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF EXISTS (
        SELECT FROM new_chain_link AS link
        LEFT JOIN chain_link AS before ON before.id = link.id - 1
        WHERE CASE WHEN link.id = 1 OR link.format = before.format + 1 THEN link.first_position <> 1
            ELSE before.id IS NULL OR link.format <> before.format OR link.first_position <> before.last_position + 1
                OR link.previous_hash <> before.hash
                OR (link.transaction_id, link.entry_id) <= (before.transaction_id, before.entry_id) END
    ) THEN
        RAISE EXCEPTION 'a link of the chain does not follow the one before it'
            USING ERRCODE = 'foreign_key_violation', TABLE = 'chain_link', CONSTRAINT = 'chain_link_follows';
    END IF;
    RETURN NULL;
END
$$;

-- A seal is an event.
CREATE OR REPLACE FUNCTION record_seal() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM record_occurrence(
        'seal.made', 'seal:' || NEW.id, NULL,
        jsonb_build_object('id', NEW.id, 'statement', NEW.statement));
    RETURN NULL;
END
$$;

REVOKE ALL ON FUNCTION judge_closing, record_closing, judge_closing_proposal, judge_chain_links, record_seal FROM PUBLIC;
