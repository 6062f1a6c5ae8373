-- Users whose id changes: two who became one, and those who are forgotten.

-- Users who became one (docs/decisions/0205): what was merged, and what each former id refers to.
CREATE TABLE user_merge (
    former            text CONSTRAINT user_merge_once PRIMARY KEY, -- refers to the user from then on
    former_stripe     bigint NOT NULL,
    user_id           text NOT NULL,
    stripe            bigint NOT NULL,
    is_rename         boolean NOT NULL, -- whether the id had nobody before
    coins             bigint NOT NULL CONSTRAINT user_merge_coins_not_negative CHECK (coins >= 0), -- in the wallet and on hold
    debt              bigint NOT NULL CONSTRAINT user_merge_debt_not_negative CHECK (debt >= 0),
    sent_entry_id     bigint, -- of the former user's accounts; NULL: there was nothing to move
    received_entry_id bigint,
    merged_at         timestamptz NOT NULL,
    merged_by         text NOT NULL, -- the caller, as in the subject of the token
    reason            text NOT NULL,
    CONSTRAINT user_merge_into_another CHECK (former <> user_id),
    CONSTRAINT user_merge_has_entries CHECK (
        num_nulls(sent_entry_id, received_entry_id) = CASE WHEN coins + debt > 0 THEN 0 ELSE 2 END)
);
GRANT SELECT, INSERT ON user_merge TO ledgerd_service;

-- Whom an id refers to now. It follows from the merges.
CREATE TABLE user_alias (
    former        text PRIMARY KEY,
    former_stripe bigint NOT NULL,
    user_id       text NOT NULL,
    stripe        bigint NOT NULL
);
CREATE INDEX user_alias_of_user ON user_alias (user_id);
GRANT SELECT ON user_alias TO ledgerd_service;

-- Users who are to be forgotten, and who were (docs/decisions/0209). A work list: a request waits for its time, and then until
-- nothing of the user is open.
CREATE TABLE forgetting (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id         text NOT NULL, -- of a user who was forgotten: the id that took the place of theirs
    status          text NOT NULL DEFAULT 'waiting',
    reason          text NOT NULL DEFAULT 'asked', -- what it waits for, or what came of it
    note            text, -- why it was asked for
    asked_by        text NOT NULL,
    asked_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
    due_at          timestamptz NOT NULL, -- not forgotten before
    attempts        bigint NOT NULL DEFAULT 0,
    next_attempt_at timestamptz NOT NULL,
    lease_holder    bigint,
    cancelled_by    text,
    decided_at      timestamptz,
    -- The transaction that forgets, while it does: what it does to rows is not judged (is_forgetting). NULL when it has ended.
    under_way       xid8,
    -- The id that the user had, encrypted with a key that is not in the database; NULL: there is nothing to keep it for.
    kept_id         bytea,
    kept_with       text, -- the name of that key
    kept_until      timestamptz, -- when the records that it is kept for have been kept as long as they must
    CONSTRAINT forgetting_status_known CHECK (status IN ('waiting', 'cancelled', 'forgotten')),
    CONSTRAINT forgetting_decided_has_time CHECK ((status = 'waiting') = (decided_at IS NULL)),
    CONSTRAINT forgetting_cancelled_by_somebody CHECK ((status = 'cancelled') = (cancelled_by IS NOT NULL)),
    CONSTRAINT forgetting_waits_a_day CHECK (due_at >= asked_at + interval '24 hours'),
    CONSTRAINT forgetting_replaces_id CHECK (status <> 'forgotten' OR user_id ~ '^forgotten-[0-9a-f]{32}$'),
    CONSTRAINT forgetting_keeps_whole CHECK (
        num_nonnulls(kept_id, kept_with, kept_until) IN (0, 3) AND (status = 'forgotten' OR kept_id IS NULL))
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX forgetting_waits_once ON forgetting (user_id) WHERE status = 'waiting';
CREATE UNIQUE INDEX forgetting_of_user ON forgetting (user_id) WHERE status = 'forgotten';
CREATE UNIQUE INDEX forgetting_under_way ON forgetting (under_way) WHERE under_way IS NOT NULL;
-- Its second condition keeps it from look-ups by user, which a plan of an empty table would read it for as a whole.
CREATE INDEX forgetting_due ON forgetting (next_attempt_at) WHERE status = 'waiting' AND next_attempt_at IS NOT NULL;
CREATE INDEX forgetting_leased ON forgetting (lease_holder) WHERE status = 'waiting' AND lease_holder IS NOT NULL;
CREATE INDEX forgetting_kept ON forgetting (kept_until) WHERE kept_until IS NOT NULL;
GRANT SELECT, UPDATE (reason, attempts, next_attempt_at, lease_holder) ON forgetting TO ledgerd_service;

-- Names of payments that had the id of a user in them, as keyed hashes: the same payment is not credited again.
CREATE TABLE forgotten_payment (
    digest      bytea PRIMARY KEY CONSTRAINT forgotten_payment_digest_is_sha256 CHECK (octet_length(digest) = 32),
    purchase_id bigint NOT NULL,
    hashed_with text NOT NULL -- the name of the key; with another one the hashes say nothing
);
GRANT SELECT ON forgotten_payment TO ledgerd_service;

-- @after-judges

CREATE TRIGGER user_merge_is_judged AFTER INSERT ON user_merge FOR EACH ROW EXECUTE FUNCTION judge_user_merge();
CREATE TRIGGER forgetting_is_judged BEFORE UPDATE ON forgetting FOR EACH ROW EXECUTE FUNCTION judge_forgetting();
