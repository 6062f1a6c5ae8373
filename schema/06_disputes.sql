-- Payments that buyers dispute at their card company or bank.

-- A buyer disputes a payment.
CREATE TABLE dispute (
    id          bigint PRIMARY KEY,
    stripe      bigint NOT NULL,
    purchase_id bigint NOT NULL,
    user_id     text NOT NULL,
    gateway_id  text, -- the payment company's id of the dispute
    opened_at   timestamptz NOT NULL, -- by the gateway's clock
    reason      text NOT NULL, -- in the gateway's words
    recorded_at timestamptz NOT NULL,
    -- What follows from its decisions.
    status      text NOT NULL DEFAULT 'open' CONSTRAINT dispute_status_known CHECK (status IN ('open', 'won', 'lost')),
    decided_at  timestamptz CONSTRAINT dispute_decided_or_open CHECK ((status = 'open') = (decided_at IS NULL)),
    -- The gateway gives not every dispute an id, but each the time when it began.
    CONSTRAINT dispute_once UNIQUE (purchase_id, opened_at)
);
CREATE INDEX dispute_open ON dispute (id) WHERE status = 'open';
GRANT SELECT, INSERT (id, stripe, purchase_id, user_id, gateway_id, opened_at, reason, recorded_at)
    ON dispute TO ledgerd_service;

-- How a dispute ended. One that was won can be lost later, and one that was booked as lost can be won: the last decision counts.
-- No two decisions are of one entry, so nothing comes back twice.
CREATE TABLE dispute_decision (
    dispute_id       bigint NOT NULL,
    outcome          text NOT NULL CONSTRAINT dispute_decision_outcome_known CHECK (outcome IN ('won', 'lost')),
    decided_at       timestamptz NOT NULL,
    decided_by       text, -- the caller; NULL: it followed from the gateway's record of the payment
    reason           text CONSTRAINT dispute_decision_has_reason CHECK ((reason IS NULL) = (decided_by IS NULL)),
    -- What a caller's decision took back although the gateway has cancelled nothing, or gave back, and by which entry.
    amount           bigint NOT NULL CONSTRAINT dispute_decision_amount_not_negative CHECK (amount >= 0),
    journal_entry_id bigint CONSTRAINT dispute_decision_of_one_entry UNIQUE,
    recorded_at      timestamptz NOT NULL,
    seq              bigint GENERATED ALWAYS AS IDENTITY, -- the order of decisions
    PRIMARY KEY (dispute_id, seq),
    CONSTRAINT dispute_decision_moves_by_caller CHECK (
        (journal_entry_id IS NULL) = (amount = 0) AND (amount = 0 OR decided_by IS NOT NULL))
);
GRANT SELECT, INSERT ON dispute_decision TO ledgerd_service;

-- The gateway decided a dispute for the shop after finance had booked it as lost, so what was taken back is the buyer's.
-- That is a fact, and a finding until a person has settled it.
CREATE TABLE dispute_win (
    dispute_id  bigint PRIMARY KEY,
    resolved_at timestamptz NOT NULL, -- by the gateway's clock
    recorded_at timestamptz NOT NULL
);
GRANT SELECT, INSERT ON dispute_win TO ledgerd_service;

-- Coins of a disputed purchase that an entry froze, or released again.
CREATE TABLE coin_freeze (
    journal_entry_id bigint PRIMARY KEY,
    purchase_id      bigint NOT NULL,
    act              text NOT NULL CONSTRAINT coin_freeze_act_known CHECK (act IN ('hold', 'release')),
    coins            bigint NOT NULL CONSTRAINT coin_freeze_coins_not_negative CHECK (coins >= 0),
    bonus_coins      bigint NOT NULL CONSTRAINT coin_freeze_bonus_coins_not_negative CHECK (bonus_coins >= 0),
    CONSTRAINT coin_freeze_of_coins CHECK (coins + bonus_coins > 0)
);
CREATE INDEX coin_freeze_of_purchase ON coin_freeze (purchase_id);
GRANT SELECT, INSERT ON coin_freeze TO ledgerd_service;

-- @after-judges

CREATE TRIGGER dispute_is_judged AFTER INSERT ON dispute FOR EACH ROW EXECUTE FUNCTION judge_dispute();
CREATE TRIGGER dispute_decision_is_judged AFTER INSERT ON dispute_decision
    FOR EACH ROW EXECUTE FUNCTION judge_dispute_decision();
CREATE TRIGGER dispute_win_is_judged AFTER INSERT ON dispute_win FOR EACH ROW EXECUTE FUNCTION judge_dispute_win();
CREATE TRIGGER coin_freeze_is_judged AFTER INSERT ON coin_freeze
    REFERENCING NEW TABLE AS new_freeze FOR EACH STATEMENT EXECUTE FUNCTION judge_coin_freezes();
