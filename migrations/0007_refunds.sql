-- Money given back on our own order: its coins are set aside, the payment is cancelled at the gateway, and only then is
-- the purchase reversed.

-- Coins of the purchase that were taken back so far, by refund or claw-back. Until now coins went back in proportion to
-- the money, and only so.
ALTER TABLE purchase
    ADD COLUMN refunded_coins bigint NOT NULL DEFAULT 0,
    ADD COLUMN refunded_bonus_coins bigint NOT NULL DEFAULT 0;
UPDATE purchase
SET refunded_coins = div(coins::numeric * refunded_amount, amount),
    refunded_bonus_coins = div(bonus_coins::numeric * refunded_amount, amount)
WHERE refunded_amount > 0;
ALTER TABLE purchase
    ADD CONSTRAINT purchase_refunded_coins_within_coins CHECK (refunded_coins BETWEEN 0 AND coins),
    ADD CONSTRAINT purchase_refunded_bonus_coins_within_bonus_coins
        CHECK (refunded_bonus_coins BETWEEN 0 AND bonus_coins);
GRANT UPDATE (refunded_coins, refunded_bonus_coins) ON purchase TO ledgerd_service;

-- What is kept of refunds as a fee; a ledger that is yet to be created gets it with all others.
WITH block AS MATERIALIZED (SELECT nextval('record_id') AS start, stripes FROM ledger)
INSERT INTO account (id, stripe, code, currency, normal_side)
SELECT block.start + stripe, stripe, 'revenue:refund-fees/' || stripe, 'KRW', 'C'
FROM block, generate_series(0, block.stripes - 1) AS stripe;

CREATE TABLE refund (
    id                bigint PRIMARY KEY,
    stripe            bigint NOT NULL,
    purchase_id       bigint NOT NULL,
    user_id           text NOT NULL,
    status            text NOT NULL
        CONSTRAINT refund_status_known CHECK (status IN ('pending', 'completed', 'refused')),
    coins             bigint NOT NULL CONSTRAINT refund_coins_positive CHECK (coins > 0), -- bought ones
    bonus_coins       bigint NOT NULL CONSTRAINT refund_bonus_coins_not_negative CHECK (bonus_coins >= 0),
    value             bigint NOT NULL, -- what the coins were bought for, minor units of currency
    fee               bigint NOT NULL CONSTRAINT refund_fee_not_negative CHECK (fee >= 0), -- what of it we keep
    amount            bigint NOT NULL CONSTRAINT refund_amount_positive CHECK (amount > 0), -- what the payer gets
    currency          text NOT NULL,
    explanation       text NOT NULL, -- why, in people's words
    refund_account    jsonb, -- where a virtual account's money goes; personal, so it is erased when it has served
    believed_balance  bigint NOT NULL, -- what could be cancelled at the gateway when it was requested
    refusal           text, -- why the gateway refused; our name of it
    refusal_code      text, -- the gateway's own code
    cancellation_id   text, -- the gateway's id of the cancellation
    journal_entry_id  bigint NOT NULL, -- of the coins set aside
    reversal_entry_id bigint, -- of the purchase's reversal
    reason            text NOT NULL, -- why it waits, or what came of it
    attempts          bigint NOT NULL DEFAULT 0,
    requested_at      timestamptz NOT NULL,
    next_attempt_at   timestamptz NOT NULL,
    decided_at        timestamptz,
    CONSTRAINT refund_amount_is_value_less_fee CHECK (amount = value - fee),
    CONSTRAINT refund_amount_within_balance CHECK (amount <= believed_balance),
    CONSTRAINT refund_decided_has_time CHECK ((status = 'pending') = (decided_at IS NULL)),
    CONSTRAINT refund_completed_has_reversal CHECK ((status = 'completed') = (reversal_entry_id IS NOT NULL)),
    CONSTRAINT refund_refused_has_refusal CHECK ((status = 'refused') = (refusal IS NOT NULL)),
    CONSTRAINT refund_account_is_erased CHECK (status = 'pending' OR refund_account IS NULL)
) WITH (fillfactor = 80);
-- Each is cancelled at the gateway against a balance that it believes in: two at once could not both be right.
CREATE UNIQUE INDEX refund_one_pending ON refund (purchase_id) WHERE status = 'pending';
CREATE INDEX refund_by_purchase ON refund (purchase_id, id);
CREATE INDEX refund_due ON refund (next_attempt_at) WHERE status = 'pending';
GRANT SELECT, INSERT, UPDATE (
    status, refund_account, refusal, refusal_code, cancellation_id, reversal_entry_id, reason, attempts,
    next_attempt_at, decided_at) ON refund TO ledgerd_service;

CREATE TRIGGER refund_is_kept BEFORE DELETE OR TRUNCATE ON refund
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
