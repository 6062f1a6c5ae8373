-- Closing the books of a period: what is effective in it never changes again. A truth that comes late is posted at the
-- first open moment and names the time that it is late for.

ALTER TABLE journal_entry
    ADD COLUMN late_for timestamptz -- when it happened, if that was closed already; NULL: effective_at says it
        CONSTRAINT journal_entry_late_for_is_earlier CHECK (late_for < effective_at);

CREATE TABLE closed_period (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    until     timestamptz NOT NULL CONSTRAINT closed_period_once UNIQUE, -- everything effective before it is closed
    closed_by text NOT NULL,
    closed_at timestamptz NOT NULL, -- no entry that was recorded later is effective in it
    CONSTRAINT closed_period_is_over CHECK (until <= closed_at)
);
GRANT SELECT, INSERT (until, closed_by) ON closed_period TO ledgerd_service;

CREATE TRIGGER closed_period_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON closed_period
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- From when on entries may be effective, NULL if nothing was closed yet. It stays so until the transaction ends: whoever
-- closes waits for all who have asked. (The key of the lock spells ledgopen.)
CREATE FUNCTION closed_until() RETURNS timestamptz LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(7810759524158039406);
    RETURN (SELECT max(until) FROM closed_period);
END
$$;

CREATE FUNCTION judge_entries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    open_from timestamptz := closed_until();
    wrong record;
BEGIN
    SELECT id, effective_at INTO wrong FROM new_entry WHERE effective_at < open_from LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'journal entry % is effective before %, and that is closed', wrong.id, open_from
            USING ERRCODE = 'check_violation', TABLE = 'journal_entry', CONSTRAINT = 'journal_entry_in_open_period';
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER journal_entry_is_judged AFTER INSERT ON journal_entry
    REFERENCING NEW TABLE AS new_entry
    FOR EACH STATEMENT EXECUTE FUNCTION judge_entries();

-- Periods are closed one after the other, and never opened again.
CREATE FUNCTION judge_closing() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE TRIGGER closed_period_is_judged BEFORE INSERT ON closed_period
    FOR EACH ROW EXECUTE FUNCTION judge_closing();
