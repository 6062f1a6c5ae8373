-- Events, and where they are sent to.

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
CREATE INDEX event_of_nobody ON event (seq) WHERE user_id IS NULL;
GRANT SELECT, INSERT ON event TO ledgerd_service;

-- Where events are sent to. An endpoint is a reader of the events: what is kept is how far it read, and which users' events
-- wait for a receiver that did not take one. Nothing is kept of an event that arrived at the first attempt, but the attempt.
CREATE TABLE endpoint (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    url             text NOT NULL,
    description     text NOT NULL,
    types           text[] NOT NULL, -- of events; empty: all
    users           text[] NOT NULL, -- whose events; empty: everybody's
    status          text NOT NULL DEFAULT 'enabled'
        CONSTRAINT endpoint_status_known CHECK (status IN ('enabled', 'disabled', 'deleted')),
    status_reason   text, -- why it is disabled: requested, gone, failing
    -- Secrets are made of the service's key and the salt, so there is none here.
    secret_key_id   text NOT NULL,
    secret_salt     bytea NOT NULL,
    former_key_id   text, -- signs too until former_until
    former_salt     bytea,
    former_until    timestamptz,
    rotation_key    text, -- the idempotency key of the last rotation
    failures        bigint NOT NULL DEFAULT 0, -- since the last success
    failing_since   timestamptz,
    paused_until    timestamptz,
    turn            bigint NOT NULL DEFAULT 0, -- fences off a process that lost the endpoint and does not know it
    version         bigint NOT NULL DEFAULT 1,
    created_by      text NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT now(),
    idempotency_key text NOT NULL,
    fingerprint     text NOT NULL,
    CONSTRAINT endpoint_once UNIQUE (idempotency_key, created_by),
    CONSTRAINT endpoint_disabled_has_reason CHECK ((status = 'enabled') = (status_reason IS NULL)),
    CONSTRAINT endpoint_former_secret_whole CHECK (num_nulls(former_key_id, former_salt, former_until) IN (0, 3)),
    CONSTRAINT endpoint_failing_counts CHECK ((failures = 0) = (failing_since IS NULL))
);
GRANT SELECT, INSERT, UPDATE ON endpoint TO ledgerd_service;

-- How far an endpoint read: of everything new, and of each part of the past that somebody wants again.
CREATE TABLE endpoint_reader (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    endpoint_id     bigint NOT NULL REFERENCES endpoint,
    position        bigint NOT NULL, -- every event up to it was delivered, is not wanted, was given up, or waits in a lane
    until           bigint, -- the last event of a replay; NULL: reads everything new
    only_failed     boolean NOT NULL DEFAULT false, -- reads only events that were given up
    requested_by    text,
    requested_at    timestamptz NOT NULL DEFAULT now(),
    finished_at     timestamptz,
    idempotency_key text,
    fingerprint     text,
    CONSTRAINT endpoint_reader_once UNIQUE (endpoint_id, idempotency_key, requested_by),
    CONSTRAINT endpoint_reader_failed_is_replay CHECK (until IS NOT NULL OR NOT only_failed)
);
CREATE UNIQUE INDEX endpoint_reader_live ON endpoint_reader (endpoint_id) WHERE until IS NULL;
CREATE INDEX endpoint_reader_running ON endpoint_reader (endpoint_id) WHERE finished_at IS NULL;
GRANT SELECT, INSERT, UPDATE ON endpoint_reader TO ledgerd_service;

-- A user whose events wait, because the receiver did not take one of them.
CREATE TABLE endpoint_lane (
    reader_id       bigint NOT NULL REFERENCES endpoint_reader,
    lane            text NOT NULL, -- the user; empty: events that belong to no user
    seq             bigint NOT NULL, -- from this event on, none was delivered
    attempts        bigint NOT NULL, -- that this event failed
    next_attempt_at timestamptz NOT NULL,
    waiting_since   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (reader_id, lane)
);
CREATE INDEX endpoint_lane_due ON endpoint_lane (reader_id, next_attempt_at);
CREATE INDEX endpoint_lane_oldest ON endpoint_lane (reader_id, waiting_since);
GRANT SELECT, INSERT, UPDATE, DELETE ON endpoint_lane TO ledgerd_service;

-- Events that were given up, until a replay delivers them.
CREATE TABLE endpoint_failure (
    endpoint_id bigint NOT NULL REFERENCES endpoint,
    seq         bigint NOT NULL,
    failed_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (endpoint_id, seq)
);
GRANT SELECT, INSERT, DELETE ON endpoint_failure TO ledgerd_service;

-- What became of attempts: a row for each failure, and a row for all successes that were stored together.
CREATE TABLE endpoint_attempt (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    endpoint_id bigint NOT NULL REFERENCES endpoint,
    recorded_at timestamptz NOT NULL DEFAULT now(),
    outcome     text NOT NULL, -- delivered, or why not
    seqs        bigint[] NOT NULL,
    statuses    bigint[] NOT NULL, -- HTTP's; 0: no response
    latencies   bigint[] NOT NULL, -- milliseconds
    answer      text, -- the first KiB of the response to a failed attempt
    CONSTRAINT endpoint_attempt_is_even
        CHECK (cardinality(seqs) > 0 AND cardinality(seqs) = ALL (ARRAY[cardinality(statuses), cardinality(latencies)]))
);
CREATE INDEX endpoint_attempt_by_endpoint ON endpoint_attempt (endpoint_id, id);
CREATE INDEX endpoint_attempt_by_age ON endpoint_attempt (recorded_at);
GRANT SELECT, INSERT ON endpoint_attempt TO ledgerd_service;

-- Thresholds of available coins: there is an event when coins fall below one, or rise above one.
CREATE TABLE balance_alert (
    owner  text CONSTRAINT balance_alert_once PRIMARY KEY, -- the user; empty: the ledger's, for users without thresholds of their own
    below  bigint[] NOT NULL, -- ascending; there is an event when coins fall from one of these or more to less
    above  bigint[] NOT NULL, -- ascending; likewise when they rise from one of these or less to more
    set_by text NOT NULL, -- the caller, as in the subject of the token
    set_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT balance_alert_is_short CHECK (cardinality(below) <= 10 AND cardinality(above) <= 10),
    CONSTRAINT balance_alert_in_range CHECK (1 <= ALL (below || above))
);
GRANT SELECT, INSERT, UPDATE (below, above, set_by, set_at), DELETE ON balance_alert TO ledgerd_service;

-- @after-judges

CREATE TRIGGER event_is_judged AFTER INSERT ON event
    REFERENCING NEW TABLE AS new_event FOR EACH STATEMENT EXECUTE FUNCTION judge_events();
-- An endpoint that is changed, and a replay that begins, are looked at at once.
CREATE TRIGGER endpoint_is_told_of AFTER INSERT OR UPDATE OF version ON endpoint
    FOR EACH STATEMENT EXECUTE FUNCTION tell_of_work();
CREATE TRIGGER endpoint_change_is_recorded AFTER UPDATE ON endpoint
    FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION record_endpoint();
CREATE TRIGGER endpoint_reader_is_told_of AFTER INSERT ON endpoint_reader
    FOR EACH STATEMENT EXECUTE FUNCTION tell_of_work();
-- Also of what credit_purchases writes, which the judges are not asked of. It comes after them by its name.
CREATE TRIGGER posting_tells_of_balance AFTER INSERT ON posting
    REFERENCING NEW TABLE AS new_posting FOR EACH STATEMENT EXECUTE FUNCTION record_balance_crossings();
