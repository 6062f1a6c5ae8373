-- @compatible-from 0136
-- Whether a user lets the stores be told how the coins were used that were bought there (docs/decisions/0216). Each change is a
-- row, and the last one counts.
CREATE TABLE store_consent (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id  text NOT NULL,
    consents boolean NOT NULL,
    set_by   text NOT NULL,
    set_at   timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX store_consent_of_user ON store_consent (user_id, set_at, id);
GRANT SELECT, INSERT ON store_consent TO ledgerd_service;

-- A store asks what the shop says to a refund, until a deadline (docs/decisions/0216). A work list: the answer is kept before it is
-- sent, so that a repeat after a crash says the same.
CREATE TABLE refund_question (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    purchase_id     bigint NOT NULL,
    gateway         text NOT NULL,
    token           text NOT NULL, -- what the store calls the question
    store_reason    text,          -- why the buyer asks, as the store says it
    asked_at        timestamptz NOT NULL,
    deadline        timestamptz NOT NULL,
    status          text NOT NULL DEFAULT 'waiting',
    reason          text NOT NULL DEFAULT 'asked', -- why it waits, or what came of it
    attempts        bigint NOT NULL DEFAULT 0,
    next_attempt_at timestamptz NOT NULL,
    lease_holder    bigint,
    decided_at      timestamptz,
    preference      text,          -- the answer: what the shop would do
    percentage      bigint,        -- and the used part in thousandths of a percent; NULL: it is not told
    overruled_to    text,          -- what a person chose in place of the rule
    overruled_by    text,
    overruled_why   text,
    overruled_at    timestamptz,
    outcome         text,          -- what the store did
    outcome_at      timestamptz,
    CONSTRAINT refund_question_once UNIQUE (token, gateway),
    CONSTRAINT refund_question_status_known CHECK (
        status IN ('waiting', 'answered', 'unconsented', 'unanswered', 'ended')),
    CONSTRAINT refund_question_decided_has_time CHECK ((status = 'waiting') = (decided_at IS NULL)),
    CONSTRAINT refund_question_preference_known CHECK (
        preference IN ('grant_full', 'grant_prorated', 'decline')
        AND overruled_to IN ('grant_full', 'grant_prorated', 'decline')),
    CONSTRAINT refund_question_percentage_within_whole CHECK (percentage BETWEEN 0 AND 100000),
    CONSTRAINT refund_question_outcome_known CHECK (outcome IN ('refunded', 'declined')),
    CONSTRAINT refund_question_outcome_has_time CHECK ((outcome IS NULL) = (outcome_at IS NULL))
) WITH (fillfactor = 80);
CREATE INDEX refund_question_of_purchase ON refund_question (purchase_id, id);
CREATE INDEX refund_question_due ON refund_question (next_attempt_at) WHERE status = 'waiting';
CREATE INDEX refund_question_leased ON refund_question (lease_holder) WHERE status = 'waiting' AND lease_holder IS NOT NULL;
GRANT SELECT, INSERT, UPDATE (status, reason, attempts, next_attempt_at, lease_holder, decided_at, preference, percentage,
    overruled_to, overruled_by, overruled_why, overruled_at, outcome, outcome_at) ON refund_question TO ledgerd_service;

-- When the gateway says that it happened, and what a store calls the question in it.
ALTER TABLE webhook_event
    ADD COLUMN told_at timestamptz,
    ADD COLUMN question_token text,
    ADD COLUMN question_reason text;

-- @after-judges

CREATE TRIGGER store_consent_is_kept BEFORE DELETE OR TRUNCATE ON store_consent
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER refund_question_is_kept BEFORE DELETE OR TRUNCATE ON refund_question
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER refund_question_is_told_of AFTER INSERT OR UPDATE OF status, next_attempt_at ON refund_question
    FOR EACH ROW WHEN (NEW.status = 'waiting' AND NEW.next_attempt_at <= now()) EXECUTE FUNCTION tell_of_work();
