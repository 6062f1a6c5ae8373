-- Coins: the lots that they came in, what became of them, coins that are set aside, and coins that users give to others.

-- Coins that came together and leave in order.
CREATE TABLE lot (
    id               bigint PRIMARY KEY,
    stripe           bigint NOT NULL,
    user_id          text NOT NULL,
    kind             text NOT NULL CONSTRAINT lot_kind_known CHECK (kind IN ('paid', 'bonus')),
    coins            bigint NOT NULL CONSTRAINT lot_coins_positive CHECK (coins > 0),
    remaining        bigint NOT NULL,
    amount           bigint NOT NULL, -- what the coins were bought for, minor units of currency
    deferred         bigint NOT NULL, -- what of it is not yet recognised as revenue
    currency         text NOT NULL,
    acquired_at      timestamptz NOT NULL,
    expires_at       timestamptz,
    purchase_id      bigint, -- NULL: given without a purchase
    journal_entry_id bigint NOT NULL,
    -- remaining: in the wallet. held: set aside for someone, still the user's and still deferred.
    held             bigint NOT NULL DEFAULT 0,
    seq              bigint NOT NULL DEFAULT 0, -- number of its last movement
    issuer           text, -- who gave the coins; NULL: bought, or not told
    -- Coins of a purchase that expired unused were not spent: when its payment is cancelled they are taken back from what
    -- expired, and are no debt. A lot says how many those are, and what was recognised for them.
    expired          bigint NOT NULL DEFAULT 0, -- coins that expired and were not taken back since
    breakage         bigint NOT NULL DEFAULT 0, -- won recognised for those
    returned_at      timestamptz, -- when held coins last came back to the wallet; NULL: never
    -- Whether a lot is open changes once, so an index of the open ones is seldom written (see account.owes).
    is_open          boolean NOT NULL GENERATED ALWAYS AS (remaining + held > 0) STORED,
    vat              text, -- the rule; NULL: VAT was off when the coins were sold, or they are bonus coins
    taxed            bigint NOT NULL DEFAULT 0, -- won recognised for supplies since, less those that went back; below zero there is no VAT
    taxed_breakage   bigint NOT NULL DEFAULT 0, -- the part of the breakage that was supplied when coins expired
    -- Whether all coins in the wallet were voided once: what comes back of a spend or capture is then voided with it.
    is_voided        boolean NOT NULL DEFAULT false,
    -- A gift splits a lot: the coins are a lot of their own, of whoever has them now.
    origin_id        bigint, -- the lot that was bought or granted; NULL: this one was
    origin_purchase_id bigint, -- the purchase of that lot; NULL: none, or this is that lot
    -- The won that the lot begins with as recognised, in another part of what was bought: so the VAT of the parts adds up to
    -- that of the whole.
    began_taxed      bigint NOT NULL DEFAULT 0,
    -- A part that was given can be too small for a won.
    CONSTRAINT lot_amount_by_kind CHECK (CASE kind
        WHEN 'paid' THEN amount > 0 OR amount = 0 AND origin_id IS NOT NULL ELSE amount = 0 END),
    CONSTRAINT lot_remaining_not_negative CHECK (remaining >= 0),
    CONSTRAINT lot_held_not_negative CHECK (held >= 0),
    CONSTRAINT lot_spent_is_recognised CHECK (remaining + held > 0 OR deferred = 0),
    CONSTRAINT lot_expired_not_negative CHECK (expired >= 0),
    CONSTRAINT lot_breakage_not_negative CHECK (breakage >= 0),
    CONSTRAINT lot_left_within_coins CHECK (remaining + held + expired <= coins),
    CONSTRAINT lot_deferred_within_amount CHECK (deferred >= 0 AND deferred + breakage <= amount),
    CONSTRAINT lot_vat_of_paid_coins CHECK (CASE kind
        WHEN 'paid' THEN coalesce(vat IN ('exempt', 'at_use', 'at_sale'), taxed = 0)
        ELSE vat IS NULL AND taxed = 0 END),
    CONSTRAINT lot_taxed_breakage_within_breakage CHECK (
        taxed_breakage BETWEEN 0 AND breakage AND (vat IS NOT NULL OR taxed_breakage = 0))
) WITH (fillfactor = 80);
CREATE INDEX lot_expiring ON lot (expires_at, id) WHERE is_open AND expires_at IS NOT NULL;
CREATE INDEX lot_open_by_user ON lot (user_id, expires_at, kind, acquired_at, id) WHERE is_open;
CREATE INDEX lot_expired_or_taxed_by_purchase ON lot (purchase_id) WHERE expired > 0 OR vat IS NOT NULL;
-- Who has coins of a purchase, or of a lot, that were given away. Most lots are none, so the indexes cost the others nothing.
CREATE INDEX lot_given_of_purchase ON lot (origin_purchase_id)
    WHERE origin_purchase_id IS NOT NULL AND (is_open OR vat IS NOT NULL);
CREATE INDEX lot_given_of_lot ON lot (origin_id) WHERE origin_id IS NOT NULL;
GRANT SELECT, INSERT ON lot TO ledgerd_service;

-- What became of a lot, change by change: its state after each. A lot begins with all its coins in the wallet and all
-- its won deferred.
CREATE TABLE lot_movement (
    lot_id           bigint NOT NULL,
    seq              bigint NOT NULL CONSTRAINT lot_movement_seq_positive CHECK (seq > 0),
    stripe           bigint NOT NULL,
    journal_entry_id bigint NOT NULL,
    remaining        bigint NOT NULL,
    held             bigint NOT NULL,
    deferred         bigint NOT NULL,
    recorded_at      timestamptz NOT NULL, -- its journal entry's; never falls along seq
    -- NULL in what was recorded before migration 0025.
    expired          bigint CONSTRAINT lot_movement_expired_not_negative CHECK (expired >= 0),
    breakage         bigint CONSTRAINT lot_movement_breakage_not_negative CHECK (breakage >= 0),
    returned_at      timestamptz,
    -- The lot's, after the movement.
    taxed            bigint NOT NULL DEFAULT 0,
    taxed_breakage   bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (lot_id, seq)
);
GRANT SELECT, INSERT ON lot_movement TO ledgerd_service;

-- Coins set aside for someone until they are captured, voided, or the time is up.
CREATE TABLE hold (
    id               bigint PRIMARY KEY,
    stripe           bigint NOT NULL,
    user_id          text NOT NULL,
    status           text NOT NULL
        CONSTRAINT hold_status_known CHECK (status IN ('open', 'captured', 'voided', 'expired')),
    coins            bigint NOT NULL CONSTRAINT hold_coins_positive CHECK (coins > 0),
    captured         bigint NOT NULL CONSTRAINT hold_captured_not_negative CHECK (captured >= 0),
    released         bigint NOT NULL CONSTRAINT hold_released_not_negative CHECK (released >= 0),
    reference        text, -- the caller's own name of what it is for
    placed_at        timestamptz NOT NULL,
    expires_at       timestamptz NOT NULL,
    closed_at        timestamptz,
    journal_entry_id bigint NOT NULL,
    CONSTRAINT hold_left_within_coins CHECK (captured + released <= coins),
    CONSTRAINT hold_open_while_coins_are_left CHECK ((status = 'open') = (captured + released < coins)),
    CONSTRAINT hold_closed_has_time CHECK ((status = 'open') = (closed_at IS NULL))
) WITH (fillfactor = 80);
CREATE INDEX hold_due ON hold (expires_at, id) WHERE status = 'open';
CREATE INDEX hold_by_user ON hold (user_id, id DESC);
GRANT SELECT, INSERT ON hold TO ledgerd_service;

-- The lots that a hold's coins came from, in the order in which they are captured.
CREATE TABLE hold_lot (
    hold_id bigint NOT NULL,
    place   bigint NOT NULL,
    lot_id  bigint NOT NULL,
    coins   bigint NOT NULL CONSTRAINT hold_lot_coins_positive CHECK (coins > 0),
    held    bigint NOT NULL CONSTRAINT hold_lot_held_within_coins CHECK (held BETWEEN 0 AND coins),
    PRIMARY KEY (hold_id, place)
) WITH (fillfactor = 80);
GRANT SELECT, INSERT ON hold_lot TO ledgerd_service;

-- One capture or release of a hold's coins.
CREATE TABLE hold_event (
    journal_entry_id bigint PRIMARY KEY,
    hold_id          bigint NOT NULL,
    captured         bigint NOT NULL CONSTRAINT hold_event_captured_not_negative CHECK (captured >= 0),
    released         bigint NOT NULL CONSTRAINT hold_event_released_not_negative CHECK (released >= 0),
    status           text NOT NULL -- the hold's afterwards
        CONSTRAINT hold_event_status_known CHECK (status IN ('open', 'captured', 'voided', 'expired')),
    CONSTRAINT hold_event_moves_coins CHECK (captured + released > 0),
    CONSTRAINT hold_event_captured_is_captured CHECK (captured = 0 OR status IN ('open', 'captured'))
);
GRANT SELECT, INSERT ON hold_event TO ledgerd_service;

-- The coins that came back into one lot.
CREATE TABLE coin_return (
    journal_entry_id bigint NOT NULL, -- of the reversal
    lot_id           bigint NOT NULL,
    redemption_id    bigint NOT NULL, -- the entry of the spend or capture that took the coins
    coins            bigint NOT NULL CONSTRAINT coin_return_coins_positive CHECK (coins > 0),
    amount           bigint NOT NULL CONSTRAINT coin_return_amount_not_negative CHECK (amount >= 0),
    -- When the lot expires now, and when it had expired; NULL: it had not, or its coins expire at once.
    expires_at       timestamptz,
    expired_at       timestamptz,
    PRIMARY KEY (journal_entry_id, lot_id),
    CONSTRAINT coin_return_expiry_is_later CHECK (
        (expires_at IS NULL) = (expired_at IS NULL) AND coalesce(expires_at > expired_at, true))
);
CREATE INDEX coin_return_of_redemption ON coin_return (redemption_id, lot_id);
CREATE INDEX coin_return_of_lot ON coin_return (lot_id);
GRANT SELECT, INSERT ON coin_return TO ledgerd_service;

-- What each caller gave on a day, where a setting bounds it: counted before the grant is posted, so that all processes share
-- one sum.
CREATE TABLE grant_day (
    caller text NOT NULL,
    day    date NOT NULL,
    -- Counted, whether or not the grant was then made.
    coins  bigint NOT NULL CONSTRAINT grant_day_coins_positive CHECK (coins > 0),
    PRIMARY KEY (caller, day)
);
GRANT SELECT, INSERT, UPDATE (coins) ON grant_day TO ledgerd_service;

-- A request that is sent again is counted once.
CREATE TABLE grant_counted (
    caller text NOT NULL,
    key    text NOT NULL,
    day    date NOT NULL,
    coins  bigint NOT NULL CONSTRAINT grant_counted_coins_positive CHECK (coins > 0),
    PRIMARY KEY (caller, key)
);
GRANT SELECT, INSERT ON grant_counted TO ledgerd_service;

-- Coins of a grant that were taken back from the wallet. A void of all that is left voids what comes back into the lot later,
-- too.
CREATE TABLE grant_void (
    journal_entry_id bigint PRIMARY KEY,
    lot_id           bigint NOT NULL,
    coins            bigint NOT NULL CONSTRAINT grant_void_coins_positive CHECK (coins > 0),
    is_whole         boolean NOT NULL, -- whether all coins that were in the wallet were asked for
    reversal_id      bigint, -- the entry by which the coins had just come back; NULL: the void was asked for
    CONSTRAINT grant_void_is_asked_or_follows CHECK (NOT is_whole OR reversal_id IS NULL)
);
CREATE INDEX grant_void_of_lot ON grant_void (lot_id);
GRANT SELECT, INSERT ON grant_void TO ledgerd_service;

-- Coins that went from one user to another, and what comes back of them when their purchase is refunded: two entries, one of each
-- user, through clearing accounts (docs/decisions/0204).
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

-- @after-judges

CREATE TRIGGER lot_movement_is_judged AFTER INSERT ON lot_movement
    REFERENCING NEW TABLE AS new_lot_movement FOR EACH STATEMENT EXECUTE FUNCTION judge_lot_movements();
CREATE TRIGGER hold_is_judged AFTER INSERT ON hold
    REFERENCING NEW TABLE AS new_hold FOR EACH STATEMENT EXECUTE FUNCTION judge_holds();
CREATE TRIGGER hold_lot_is_judged AFTER INSERT ON hold_lot
    REFERENCING NEW TABLE AS new_hold_lot FOR EACH STATEMENT EXECUTE FUNCTION judge_hold_lots();
CREATE TRIGGER hold_event_is_judged AFTER INSERT ON hold_event
    REFERENCING NEW TABLE AS new_hold_event FOR EACH STATEMENT EXECUTE FUNCTION judge_hold_events();
CREATE TRIGGER coin_return_is_judged AFTER INSERT ON coin_return
    REFERENCING NEW TABLE AS new_return FOR EACH STATEMENT EXECUTE FUNCTION judge_coin_returns();
CREATE TRIGGER grant_void_is_judged AFTER INSERT ON grant_void
    REFERENCING NEW TABLE AS new_void FOR EACH STATEMENT EXECUTE FUNCTION judge_grant_voids();
CREATE TRIGGER gift_is_judged AFTER INSERT ON gift
    REFERENCING NEW TABLE AS new_gift FOR EACH STATEMENT EXECUTE FUNCTION judge_gifts();
CREATE TRIGGER gift_lot_is_judged AFTER INSERT ON gift_lot
    REFERENCING NEW TABLE AS new_gift_lot FOR EACH STATEMENT EXECUTE FUNCTION judge_gift_lots();
