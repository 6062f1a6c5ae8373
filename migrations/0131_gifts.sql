-- @compatible-from 0105
-- Coins that users give to others (docs/decisions/0204): a gift is two entries, one of each user, through clearing accounts.

-- A gift splits a lot: the coins are a lot of their own, of whoever has them now.
ALTER TABLE lot
    ADD COLUMN origin_id          bigint, -- the lot that was bought or granted; NULL: this one was
    ADD COLUMN origin_purchase_id bigint, -- the purchase of that lot; NULL: none, or this is that lot
    -- The won that the lot begins with as recognised, in another part of what was bought: so the VAT of the parts adds up to
    -- that of the whole.
    ADD COLUMN began_taxed        bigint NOT NULL DEFAULT 0;
-- A part can be too small for a won.
ALTER TABLE lot DROP CONSTRAINT lot_amount_by_kind;
ALTER TABLE lot ADD CONSTRAINT lot_amount_by_kind CHECK (CASE kind
    WHEN 'paid' THEN amount > 0 OR amount = 0 AND origin_id IS NOT NULL ELSE amount = 0 END) NOT VALID;

-- Coins that went from one user to another, and what comes back of them when their purchase is refunded.
CREATE TABLE gift (
    id                bigint PRIMARY KEY,
    from_user         text NOT NULL,
    to_user           text NOT NULL,
    coins             bigint NOT NULL CONSTRAINT gift_coins_not_negative CHECK (coins >= 0),
    amount            bigint NOT NULL CONSTRAINT gift_amount_not_negative CHECK (amount >= 0), -- won of the lots
    sent_entry_id     bigint NOT NULL CONSTRAINT gift_sent_entry_unique UNIQUE,
    received_entry_id bigint NOT NULL CONSTRAINT gift_received_entry_unique UNIQUE,
    purchase_id       bigint, -- the purchase for which the coins came back to its buyer; NULL: they were given
    recorded_at       timestamptz NOT NULL,
    CONSTRAINT gift_to_another CHECK (from_user <> to_user OR purchase_id IS NOT NULL),
    CONSTRAINT gift_moves_coins CHECK (coins > 0 OR amount > 0 AND purchase_id IS NOT NULL)
);
-- What a user gave, and got, on a day.
CREATE INDEX gift_by_giver ON gift (from_user, recorded_at) WHERE purchase_id IS NULL;
CREATE INDEX gift_by_receiver ON gift (to_user, recorded_at) WHERE purchase_id IS NULL;
GRANT SELECT, INSERT ON gift TO ledgerd_service;

-- The coins that a gift moved from one lot to another.
CREATE TABLE gift_lot (
    gift_id     bigint NOT NULL,
    from_lot_id bigint NOT NULL,
    to_lot_id   bigint NOT NULL,
    coins       bigint NOT NULL CONSTRAINT gift_lot_coins_not_negative CHECK (coins >= 0),
    amount      bigint NOT NULL CONSTRAINT gift_lot_amount_not_negative CHECK (amount >= 0), -- deferred won of the coins
    -- Won that were recognised for used coins, with VAT: they go where the money of these goes back.
    recognised  bigint NOT NULL DEFAULT 0 CONSTRAINT gift_lot_recognised_not_negative CHECK (recognised >= 0),
    PRIMARY KEY (gift_id, from_lot_id)
);
GRANT SELECT, INSERT ON gift_lot TO ledgerd_service;

ALTER TABLE journal_entry DROP CONSTRAINT journal_entry_kind_known;
ALTER TABLE journal_entry ADD CONSTRAINT journal_entry_kind_known CHECK (kind IN (
    'purchase', 'grant', 'claw_back', 'debt_payment', 'spend', 'hold', 'capture', 'void', 'expiry', 'refund_hold',
    'refund_release', 'refund', 'settlement', 'spend_reversal', 'capture_reversal', 'refund_payment',
    'refund_reversal', 'debt_bank_payment', 'debt_write_off', 'payout', 'provider_repayment', 'dispute_hold',
    'dispute_release', 'adjustment', 'expiry_reversal', 'debt_write_off_reversal', 'claw_back_reversal',
    'grant_void', 'gift_sent', 'gift_received', 'gift_taken_back', 'gift_returned')) NOT VALID;
INSERT INTO entry_kind (kind, fact, reverses, returns_coins, debt) VALUES
    ('gift_sent',       'gift', false, false, NULL),
    ('gift_received',   'gift', false, false, NULL),
    ('gift_taken_back', 'gift', false, false, NULL),
    ('gift_returned',   'gift', false, false, NULL)
    ON CONFLICT (kind) DO NOTHING;

-- A ledger that is made after the migrations has these accounts from the beginning.
WITH block AS MATERIALIZED (SELECT nextval('record_id') AS start)
INSERT INTO account (id, stripe, code, currency, normal_side)
SELECT block.start - 1 + row_number() OVER (), number.stripe, new.name || '/' || number.stripe, new.currency, 'C'
FROM block, ledger, generate_series(0, ledger.stripes - 1) AS number (stripe),
    (VALUES ('clearing:coins', 'COIN'), ('clearing:won', 'KRW')) AS new (name, currency)
ON CONFLICT (code) DO NOTHING;

-- @after-judges

CREATE TRIGGER gift_is_judged AFTER INSERT ON gift
    REFERENCING NEW TABLE AS new_gift FOR EACH STATEMENT EXECUTE FUNCTION judge_gifts();
CREATE TRIGGER gift_lot_is_judged AFTER INSERT ON gift_lot
    REFERENCING NEW TABLE AS new_gift_lot FOR EACH STATEMENT EXECUTE FUNCTION judge_gift_lots();
CREATE TRIGGER gift_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON gift
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER gift_lot_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON gift_lot
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
