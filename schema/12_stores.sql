-- Purchases in the App Store and in Google Play: what their products are of ours, whose a purchase there is, what a store must be
-- told, and what it asks before it gives money back.

-- What the products of stores are of ours (docs/decisions/0213). Each change is a row: of those from before a purchase the last one
-- counts, and the first one also for purchases of before it.
CREATE TABLE store_product (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    store      text NOT NULL, -- the gateway's name
    app        text NOT NULL, -- the bundle id or package
    product_id text NOT NULL, -- the store's id of its product
    product    text NOT NULL, -- the code of ours
    set_by     text NOT NULL,
    set_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT store_product_store_known CHECK (store IN ('app-store', 'google-play'))
);
CREATE INDEX store_product_by_name ON store_product (product_id, app, store, set_at);
GRANT SELECT, INSERT ON store_product TO ledgerd_service;

-- The token that an app passes with a purchase in a store, so that the purchase names its user. Nobody can tell the user from it. A
-- user's oldest token is the one that is told; after a merge, or two first calls at once, a user has more, which all name the user.
CREATE TABLE store_account (
    token   uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    user_id text NOT NULL,
    made_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX store_account_of_user ON store_account (user_id, made_at, token);
GRANT SELECT, INSERT ON store_account TO ledgerd_service;

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
    -- How often in a row it waited for its reason: only refusals in a row are the store's last word.
    in_a_row        bigint NOT NULL DEFAULT 0,
    CONSTRAINT store_delivery_status_known CHECK (status IN ('waiting', 'finished', 'left', 'abandoned')),
    CONSTRAINT store_delivery_decided_has_time CHECK ((status = 'waiting') = (decided_at IS NULL))
) WITH (fillfactor = 80);
CREATE INDEX store_delivery_due ON store_delivery (next_attempt_at) WHERE status = 'waiting';
CREATE INDEX store_delivery_leased ON store_delivery (lease_holder) WHERE status = 'waiting' AND lease_holder IS NOT NULL;
GRANT SELECT, UPDATE (status, reason, attempts, next_attempt_at, lease_holder, decided_at, in_a_row)
    ON store_delivery TO ledgerd_service;

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

-- @after-judges

CREATE TRIGGER purchase_in_store AFTER INSERT ON purchase
    FOR EACH ROW WHEN (NEW.gateway IN ('app-store', 'google-play')) EXECUTE FUNCTION begin_store_delivery();
CREATE TRIGGER store_delivery_is_told_of AFTER INSERT OR UPDATE OF status, next_attempt_at ON store_delivery
    FOR EACH ROW WHEN (NEW.status = 'waiting' AND NEW.next_attempt_at <= now()) EXECUTE FUNCTION tell_of_work();
CREATE TRIGGER refund_question_is_told_of AFTER INSERT OR UPDATE OF status, next_attempt_at ON refund_question
    FOR EACH ROW WHEN (NEW.status = 'waiting' AND NEW.next_attempt_at <= now()) EXECUTE FUNCTION tell_of_work();
