-- Campaigns: coins that are given to many users within a budget, once to each (docs/decisions/0201).

-- What is given, within which budget and time, and how far it is.
CREATE TABLE campaign (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name            text NOT NULL CONSTRAINT campaign_name_unique UNIQUE,
    status          text NOT NULL,
    status_reason   text, -- why it is paused, or was voided
    coins           bigint NOT NULL CONSTRAINT campaign_coins_positive CHECK (coins > 0), -- of a user without a number of their own
    most_per_user   bigint NOT NULL,
    budget          bigint NOT NULL, -- coins; what is voided can be given again
    starts_at       timestamptz NOT NULL,
    ends_at         timestamptz, -- nothing is given from then on; NULL: until its budget is met
    coins_expire_at timestamptz, -- NULL with coin_days NULL: never
    coin_days       bigint CONSTRAINT campaign_coin_days_in_range CHECK (coin_days BETWEEN 1 AND 36500),
    reason          text NOT NULL, -- of its grants, in the books
    note            text, -- for the users
    code            text CONSTRAINT campaign_code_unique UNIQUE, -- who sends it claims coins; NULL: a list has its users
    can_be_moved    boolean NOT NULL DEFAULT false, -- whether its users may give the coins to others
    created_by      text NOT NULL, -- the service or person
    created_at      timestamptz NOT NULL DEFAULT now(),
    approved_by     text, -- the second person; NULL: none was needed, or nobody has approved it
    changed_by      text, -- who paused, resumed or voided it last; NULL: nobody, or ledgerd paused it
    -- The users of the list have the numbers 1 to `users`. Up to `taken_to` their coins are reserved; up to `done_to` they have
    -- them, or were refused.
    users           bigint NOT NULL DEFAULT 0,
    taken_to        bigint NOT NULL DEFAULT 0,
    done_to         bigint NOT NULL DEFAULT 0,
    asked           bigint NOT NULL DEFAULT 0, -- coins of all its users who were not refused
    reserved        bigint NOT NULL DEFAULT 0, -- coins of those who are given coins, or have got them
    refused         bigint NOT NULL DEFAULT 0, -- users who were refused
    -- Voids go through its lots by their ids, once each time that it is voided.
    void_pass       bigint NOT NULL DEFAULT 0,
    voided_to       bigint NOT NULL DEFAULT 0,
    CONSTRAINT campaign_status_known CHECK (status IN ('waiting', 'active', 'paused', 'ended', 'voiding', 'voided')),
    CONSTRAINT campaign_stopped_has_reason CHECK ((status IN ('paused', 'voiding', 'voided')) = (status_reason IS NOT NULL)),
    CONSTRAINT campaign_most_within_budget CHECK (coins <= most_per_user AND most_per_user <= budget),
    CONSTRAINT campaign_ends_after_start CHECK (ends_at > starts_at),
    CONSTRAINT campaign_coins_expire_after_start CHECK (coins_expire_at > starts_at),
    CONSTRAINT campaign_coins_have_one_end CHECK (coins_expire_at IS NULL OR coin_days IS NULL),
    CONSTRAINT campaign_numbers_follow CHECK (0 <= done_to AND done_to <= taken_to AND taken_to <= users),
    CONSTRAINT campaign_code_or_list CHECK (code IS NULL OR users = 0),
    CONSTRAINT campaign_reserved_is_asked CHECK (0 <= reserved AND reserved <= asked AND refused >= 0)
) WITH (fillfactor = 50);
GRANT SELECT ON campaign TO ledgerd_service;

-- Who gets coins of a campaign: once each.
CREATE TABLE campaign_user (
    campaign_id bigint NOT NULL CONSTRAINT campaign_user_of_campaign REFERENCES campaign,
    user_id     text NOT NULL,
    number      bigint, -- the place in the list; NULL: the user claimed the coins
    coins       bigint NOT NULL CONSTRAINT campaign_user_coins_positive CHECK (coins > 0),
    refusal     text, -- why the ledger gave nothing, such as account_full
    PRIMARY KEY (user_id, campaign_id)
);
CREATE UNIQUE INDEX campaign_user_in_list ON campaign_user (campaign_id, number) WHERE number IS NOT NULL;
GRANT SELECT ON campaign_user TO ledgerd_service;

-- The lot that a user got. It is inserted with the lot, after the movements of lots.
CREATE TABLE campaign_grant (
    lot_id           bigint PRIMARY KEY,
    campaign_id      bigint NOT NULL,
    user_id          text NOT NULL,
    journal_entry_id bigint NOT NULL,
    coins            bigint NOT NULL,
    CONSTRAINT campaign_grant_once UNIQUE (user_id, campaign_id)
);
CREATE INDEX campaign_grant_in_order ON campaign_grant (campaign_id, lot_id);
GRANT SELECT, INSERT ON campaign_grant TO ledgerd_service;

-- What became of a campaign's coins, by stripe: only who has the lock of the stripe changes a row, so nobody waits for another
-- one, and the costs of a campaign are read from few rows. What is not here was used.
CREATE TABLE campaign_sum (
    campaign_id bigint NOT NULL,
    stripe      bigint NOT NULL,
    users       bigint NOT NULL,
    given       bigint NOT NULL,
    remaining   bigint NOT NULL, -- in wallets and on hold
    expired     bigint NOT NULL,
    voided      bigint NOT NULL,
    PRIMARY KEY (campaign_id, stripe),
    CONSTRAINT campaign_sum_within_given CHECK (
        remaining >= 0 AND expired >= 0 AND voided >= 0 AND remaining + expired + voided <= given)
) WITH (fillfactor = 50);
GRANT SELECT ON campaign_sum TO ledgerd_service;

-- A work list: one process at a time gives or voids the coins of a campaign. The id is the campaign's.
CREATE TABLE campaign_run (
    id              bigint PRIMARY KEY CONSTRAINT campaign_run_of_campaign REFERENCES campaign,
    status          text NOT NULL DEFAULT 'waiting',
    reason          text NOT NULL DEFAULT 'created',
    attempts        bigint NOT NULL DEFAULT 0,
    next_attempt_at timestamptz NOT NULL,
    lease_holder    bigint,
    decided_at      timestamptz,
    CONSTRAINT campaign_run_status_known CHECK (status IN ('waiting', 'over')),
    CONSTRAINT campaign_run_over_has_time CHECK ((status = 'waiting') = (decided_at IS NULL))
) WITH (fillfactor = 50);
CREATE INDEX campaign_run_due ON campaign_run (next_attempt_at) WHERE status = 'waiting';
CREATE INDEX campaign_run_leased ON campaign_run (lease_holder) WHERE status = 'waiting' AND lease_holder IS NOT NULL;
GRANT SELECT, UPDATE (status, reason, attempts, next_attempt_at, lease_holder, decided_at) ON campaign_run TO ledgerd_service;

-- @after-judges

CREATE TRIGGER campaign_is_judged BEFORE UPDATE ON campaign FOR EACH ROW EXECUTE FUNCTION judge_campaign();
CREATE TRIGGER campaign_is_told_of AFTER INSERT OR UPDATE OF status ON campaign
    FOR EACH ROW EXECUTE FUNCTION record_campaign();
CREATE TRIGGER campaign_grant_is_judged AFTER INSERT ON campaign_grant
    REFERENCING NEW TABLE AS new_grant FOR EACH STATEMENT EXECUTE FUNCTION judge_campaign_grants();
CREATE TRIGGER lot_movement_of_campaign AFTER INSERT ON lot_movement
    REFERENCING NEW TABLE AS new_lot_movement FOR EACH STATEMENT EXECUTE FUNCTION count_campaign_movements();
CREATE TRIGGER grant_void_of_campaign AFTER INSERT ON grant_void
    REFERENCING NEW TABLE AS new_void FOR EACH STATEMENT EXECUTE FUNCTION count_campaign_voids();
CREATE TRIGGER campaign_run_is_told_of AFTER INSERT OR UPDATE OF status, next_attempt_at ON campaign_run
    FOR EACH ROW WHEN (NEW.status = 'waiting' AND NEW.next_attempt_at <= now()) EXECUTE FUNCTION tell_of_work();
