-- What is sold, what was bought, and the lots of coins that came of it.

-- One row is one version of a product: a change closes the version and opens the next, so that a payment made a moment
-- before a price change still finds what it was for.
CREATE TABLE product (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    code         text NOT NULL CONSTRAINT product_code_is_plain CHECK (code ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$'),
    title        text NOT NULL CONSTRAINT product_title_in_range CHECK (char_length(title) BETWEEN 1 AND 40),
    price        bigint NOT NULL CONSTRAINT product_price_positive CHECK (price > 0),
    currency     text NOT NULL CONSTRAINT product_currency_is_krw CHECK (currency = 'KRW'),
    coins        bigint NOT NULL CONSTRAINT product_coins_positive CHECK (coins > 0),
    bonus_coins  bigint NOT NULL CONSTRAINT product_bonus_coins_not_negative CHECK (bonus_coins >= 0),
    active_from  timestamptz NOT NULL DEFAULT now(),
    active_until timestamptz CONSTRAINT product_active_in_order CHECK (active_until >= active_from)
);
CREATE UNIQUE INDEX product_active_code_unique ON product (code) WHERE active_until IS NULL;
-- A receipt without an order is told by its amount, so two products on sale can't have one price.
CREATE UNIQUE INDEX product_active_price_unique ON product (currency, price) WHERE active_until IS NULL;
GRANT SELECT, INSERT, UPDATE (active_until) ON product TO ledgerd_service;

CREATE TABLE purchase (
    id               bigint PRIMARY KEY,
    stripe           bigint NOT NULL,
    user_id          text NOT NULL,
    status           text NOT NULL
        CONSTRAINT purchase_status_known CHECK (status IN ('credited', 'partially_refunded', 'refunded')),
    gateway          text NOT NULL,
    imp_uid          text NOT NULL,
    merchant_uid     text NOT NULL,
    payment_id       text,
    product          text NOT NULL, -- the product's code when it was bought
    amount           bigint NOT NULL CONSTRAINT purchase_amount_positive CHECK (amount > 0),
    currency         text NOT NULL,
    coins            bigint NOT NULL CONSTRAINT purchase_coins_positive CHECK (coins > 0),
    bonus_coins      bigint NOT NULL CONSTRAINT purchase_bonus_coins_not_negative CHECK (bonus_coins >= 0),
    refunded_amount  bigint NOT NULL DEFAULT 0
        CONSTRAINT purchase_refunded_within_amount CHECK (refunded_amount BETWEEN 0 AND amount),
    paid_at          timestamptz NOT NULL, -- at the gateway
    credited_at      timestamptz NOT NULL, -- in the ledger
    journal_entry_id bigint NOT NULL,
    -- The telling column first: a plan made on an empty table takes either index for a look-up by gateway, and keeps it.
    CONSTRAINT purchase_imp_uid_unique UNIQUE (imp_uid, gateway),
    -- An order is credited once, whichever gateway it was paid through: one payment may show through two APIs.
    CONSTRAINT purchase_merchant_uid_unique UNIQUE (merchant_uid)
) WITH (fillfactor = 90);
CREATE INDEX purchase_by_user ON purchase (user_id, credited_at DESC, id DESC);
GRANT SELECT, INSERT, UPDATE (status, refunded_amount) ON purchase TO ledgerd_service;

-- As with postings, references are judged once per statement: nothing is ever deleted from what they name.
CREATE FUNCTION judge_purchases() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    wrong record;
BEGIN
    SELECT purchase.id INTO wrong
        FROM new_purchase AS purchase
        LEFT JOIN journal_entry AS entry ON entry.id = purchase.journal_entry_id
        WHERE entry.id IS NULL OR entry.stripe <> purchase.stripe
        LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'purchase % does not fit its journal entry', wrong.id
            USING ERRCODE = 'foreign_key_violation', TABLE = 'purchase', CONSTRAINT = 'purchase_has_entry';
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER purchase_is_judged AFTER INSERT ON purchase
    REFERENCING NEW TABLE AS new_purchase
    FOR EACH STATEMENT EXECUTE FUNCTION judge_purchases();
CREATE TRIGGER purchase_is_kept BEFORE DELETE OR TRUNCATE ON purchase
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Coins that came together and leave in order.
CREATE TABLE lot (
    id               bigint PRIMARY KEY,
    stripe           bigint NOT NULL,
    user_id          text NOT NULL,
    kind             text NOT NULL CONSTRAINT lot_kind_known CHECK (kind IN ('paid', 'bonus')),
    coins            bigint NOT NULL CONSTRAINT lot_coins_positive CHECK (coins > 0),
    remaining        bigint NOT NULL CONSTRAINT lot_remaining_within_coins CHECK (remaining BETWEEN 0 AND coins),
    amount           bigint NOT NULL, -- what the coins were bought for, minor units of currency
    deferred         bigint NOT NULL, -- what of it is not yet recognised as revenue
    currency         text NOT NULL,
    acquired_at      timestamptz NOT NULL,
    expires_at       timestamptz,
    purchase_id      bigint, -- NULL: given without a purchase
    journal_entry_id bigint NOT NULL,
    CONSTRAINT lot_amount_by_kind CHECK (CASE kind WHEN 'paid' THEN amount > 0 ELSE amount = 0 END),
    CONSTRAINT lot_deferred_within_amount CHECK (deferred BETWEEN 0 AND amount),
    CONSTRAINT lot_spent_is_recognised CHECK (remaining > 0 OR deferred = 0)
) WITH (fillfactor = 80);
CREATE INDEX lot_open_by_user ON lot (user_id) WHERE remaining > 0;
GRANT SELECT, INSERT, UPDATE (remaining, deferred) ON lot TO ledgerd_service;

CREATE FUNCTION judge_lots() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    wrong record;
BEGIN
    SELECT lot.id INTO wrong
        FROM new_lot AS lot
        LEFT JOIN journal_entry AS entry ON entry.id = lot.journal_entry_id
        LEFT JOIN purchase ON purchase.id = lot.purchase_id
        WHERE entry.id IS NULL OR entry.stripe <> lot.stripe
            OR lot.purchase_id IS NOT NULL
            AND (purchase.id IS NULL OR purchase.journal_entry_id <> lot.journal_entry_id
                OR purchase.user_id <> lot.user_id)
        LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'lot % does not fit its journal entry or purchase', wrong.id
            USING ERRCODE = 'foreign_key_violation', TABLE = 'lot', CONSTRAINT = 'lot_fits_entry_and_purchase';
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER lot_is_judged AFTER INSERT ON lot
    REFERENCING NEW TABLE AS new_lot
    FOR EACH STATEMENT EXECUTE FUNCTION judge_lots();
CREATE TRIGGER lot_is_kept BEFORE DELETE OR TRUNCATE ON lot
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
