-- What is sold, ordered and bought, and what gateways say of it.

-- Sales can be planned: the sale of a version begins or ends at a moment that is to come. So no two versions of a product,
-- and no two products of a price, may be on sale at the same moment, whenever that is.
CREATE TYPE text_range AS RANGE (subtype = text, collation = "C");

-- One row is one version of a product: a change closes the version and opens the next, so that a payment made a moment
-- before a price change still finds what it was for.
CREATE TABLE product (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    code            text NOT NULL CONSTRAINT product_code_is_plain CHECK (code ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$'),
    title           text NOT NULL CONSTRAINT product_title_in_range CHECK (char_length(title) BETWEEN 1 AND 40),
    price           bigint NOT NULL CONSTRAINT product_price_positive CHECK (price > 0),
    currency        text NOT NULL CONSTRAINT product_currency_is_krw CHECK (currency = 'KRW'),
    coins           bigint NOT NULL CONSTRAINT product_coins_positive CHECK (coins > 0),
    bonus_coins     bigint NOT NULL CONSTRAINT product_bonus_coins_not_negative CHECK (bonus_coins >= 0),
    active_from     timestamptz NOT NULL DEFAULT now(),
    active_until    timestamptz CONSTRAINT product_active_in_order CHECK (active_until >= active_from),
    -- A product version can say how long its coins live, and an order keeps what was sold: days after the credit, 0: forever,
    -- NULL: as the service's settings say.
    coin_days       bigint CONSTRAINT product_coin_days_in_range CHECK (coin_days BETWEEN 0 AND 36500),
    bonus_coin_days bigint CONSTRAINT product_bonus_coin_days_in_range CHECK (bonus_coin_days BETWEEN 0 AND 36500),
    -- When the VAT of a product arises. An order keeps what was sold; NULL: it was made before there was VAT.
    vat             text NOT NULL DEFAULT 'at_use'
        CONSTRAINT product_vat_known CHECK (vat IN ('exempt', 'at_use', 'at_sale')),
    CONSTRAINT product_code_sold_once EXCLUDE USING gist (
        text_range(code, code, '[]') WITH &&, tstzrange(active_from, active_until) WITH &&),
    -- A payment without an order is credited by its price.
    CONSTRAINT product_price_sold_once EXCLUDE USING gist (
        text_range(currency, currency, '[]') WITH &&, int8range(price, price, '[]') WITH &&,
        tstzrange(active_from, active_until) WITH &&)
);
GRANT SELECT, INSERT, UPDATE (active_until) ON product TO ledgerd_service;

-- What users are about to pay: product, price and coins as they were shown, fixed under an id of ours before the payment
-- window opens. Nothing of an order changes: it is paid when a purchase has its merchant_uid, and else open until it
-- expires.
CREATE TABLE "order" (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    merchant_uid    text NOT NULL CONSTRAINT order_merchant_uid_unique UNIQUE,
    user_id         text NOT NULL,
    gateway         text NOT NULL, -- at which the amount is registered
    product         text NOT NULL, -- the product's code when it was ordered
    amount          bigint NOT NULL CONSTRAINT order_amount_positive CHECK (amount > 0),
    currency        text NOT NULL CONSTRAINT order_currency_is_krw CHECK (currency = 'KRW'),
    coins           bigint NOT NULL CONSTRAINT order_coins_positive CHECK (coins > 0),
    bonus_coins     bigint NOT NULL CONSTRAINT order_bonus_coins_not_negative CHECK (bonus_coins >= 0),
    idempotency_key text, -- the user's own name for the request
    created_at      timestamptz NOT NULL DEFAULT now(),
    expires_at      timestamptz NOT NULL CONSTRAINT order_expires_after_creation CHECK (expires_at > created_at),
    coin_days       bigint,
    bonus_coin_days bigint,
    vat             text,
    CONSTRAINT order_idempotency_key_unique UNIQUE (idempotency_key, user_id)
);
CREATE INDEX order_of_user ON "order" (user_id text_pattern_ops, id DESC);
CREATE INDEX order_by_expiry ON "order" (expires_at);
GRANT SELECT, INSERT ON "order" TO ledgerd_service;

-- Nothing of an order changes when it expires, so somebody has to look.
CREATE TABLE order_expiry (
    is_only boolean PRIMARY KEY DEFAULT true CONSTRAINT order_expiry_is_one_row CHECK (is_only),
    until   timestamptz NOT NULL -- orders that expired up to here are told of
);
INSERT INTO order_expiry (until) VALUES (now());

-- A payment that was credited: what was paid, what it bought, and what of it went back since.
CREATE TABLE purchase (
    id                   bigint PRIMARY KEY,
    stripe               bigint NOT NULL,
    user_id              text NOT NULL,
    status               text NOT NULL
        CONSTRAINT purchase_status_known CHECK (status IN ('credited', 'partially_refunded', 'refunded')),
    gateway              text NOT NULL,
    imp_uid              text NOT NULL,
    merchant_uid         text NOT NULL,
    payment_id           text,
    product              text NOT NULL, -- the product's code when it was bought
    amount               bigint NOT NULL CONSTRAINT purchase_amount_positive CHECK (amount > 0),
    currency             text NOT NULL,
    coins                bigint NOT NULL CONSTRAINT purchase_coins_positive CHECK (coins > 0),
    bonus_coins          bigint NOT NULL CONSTRAINT purchase_bonus_coins_not_negative CHECK (bonus_coins >= 0),
    refunded_amount      bigint NOT NULL DEFAULT 0
        CONSTRAINT purchase_refunded_within_amount CHECK (refunded_amount BETWEEN 0 AND amount),
    paid_at              timestamptz NOT NULL, -- at the gateway
    credited_at          timestamptz NOT NULL, -- in the ledger
    journal_entry_id     bigint NOT NULL,
    -- Coins of the purchase that were taken back so far, by refund or claw-back.
    refunded_coins       bigint NOT NULL DEFAULT 0,
    refunded_bonus_coins bigint NOT NULL DEFAULT 0,
    -- What the gateway paid out of each purchase, refunds that it kept back taken off.
    settled_amount       bigint NOT NULL DEFAULT 0,
    charged_coins        bigint NOT NULL DEFAULT 0, -- bought coins that went in place of used bonus coins
    -- The part of the refunded amount that goes back by bank transfer: the gateway does not cancel it.
    transferred_amount   bigint NOT NULL DEFAULT 0,
    -- The part of a payment that has no VAT by the gateway's record; NULL: the gateway does not tell.
    tax_free             bigint,
    -- The telling column first: a plan made on an empty table takes either index for a look-up by gateway, and keeps it.
    CONSTRAINT purchase_imp_uid_unique UNIQUE (imp_uid, gateway),
    -- An order is credited once, whichever gateway it was paid through: one payment may show through two APIs.
    CONSTRAINT purchase_merchant_uid_unique UNIQUE (merchant_uid),
    CONSTRAINT purchase_refunded_coins_within_coins CHECK (refunded_coins BETWEEN 0 AND coins),
    CONSTRAINT purchase_refunded_bonus_coins_within_bonus_coins CHECK (refunded_bonus_coins BETWEEN 0 AND bonus_coins),
    CONSTRAINT purchase_charged_coins_within_coins CHECK (charged_coins BETWEEN 0 AND coins),
    CONSTRAINT purchase_transferred_within_refunded
        CHECK (transferred_amount >= 0 AND transferred_amount <= refunded_amount),
    CONSTRAINT purchase_tax_free_within_amount CHECK (tax_free BETWEEN 0 AND amount)
) WITH (fillfactor = 90);
CREATE INDEX purchase_by_user ON purchase (user_id, credited_at DESC, id DESC);
-- The purchases of a period: they come nearly in the order in which they were paid, so a summary of pages is enough.
CREATE INDEX purchase_by_paid_at ON purchase USING brin (paid_at) WITH (pages_per_range = 32, autosummarize = off);
-- Payments of an amount on a day.
CREATE INDEX purchase_by_time ON purchase (paid_at, amount);
-- The oldest first: the checklist of a closing counts those from before a moment.
CREATE INDEX purchase_unsettled_by_time ON purchase (paid_at, id)
    WHERE amount - refunded_amount + transferred_amount <> settled_amount;
-- Google's earnings files name a purchase by its order's id. Apple's finance reports name none: those until the end of its period
-- are read (docs/decisions/0215).
CREATE INDEX purchase_by_play_order ON purchase (payment_id) WHERE gateway = 'google-play';
CREATE INDEX purchase_at_app_store ON purchase (paid_at, id) WHERE gateway = 'app-store';
GRANT SELECT, INSERT ON purchase TO ledgerd_service;

-- One part of a payment that went back, by refund or claw-back.
CREATE TABLE purchase_reversal (
    journal_entry_id bigint PRIMARY KEY,
    purchase_id      bigint NOT NULL,
    amount           bigint NOT NULL,
    coins            bigint NOT NULL,
    bonus_coins      bigint NOT NULL,
    charged_coins    bigint NOT NULL,
    -- A refund that is reversed takes back its own reversal of the purchase, so all of its numbers are negative.
    is_transfer      boolean NOT NULL DEFAULT false, -- whether the money goes back by bank transfer
    CONSTRAINT purchase_reversal_goes_one_way CHECK (
        amount > 0 AND coins >= 0 AND bonus_coins >= 0 AND charged_coins >= 0
        OR amount < 0 AND coins <= 0 AND bonus_coins <= 0 AND charged_coins <= 0)
);
GRANT SELECT, INSERT ON purchase_reversal TO ledgerd_service;

-- A store that gave money back can take it back: then the claw-back of that refund is reversed, once (docs/decisions/0214).
CREATE TABLE claw_back_reversal (
    journal_entry_id bigint PRIMARY KEY,
    claw_back_id     bigint NOT NULL CONSTRAINT claw_back_reversal_once UNIQUE, -- the entry that it reverses
    purchase_id      bigint NOT NULL,
    told_at          timestamptz NOT NULL -- when the store signed that the refund does not stand
);
CREATE INDEX claw_back_reversal_of_purchase ON claw_back_reversal (purchase_id, told_at);
GRANT SELECT, INSERT ON claw_back_reversal TO ledgerd_service;

-- The further names of credited payments: a payment that both APIs of a gateway show is credited under one name
-- (docs/decisions/0080-one-payment-in-two-apis.md). A name is kept when the gateway has shown that it is the payment's.
CREATE TABLE payment_name (
    imp_uid      text NOT NULL, -- as in purchase; V2 has a second name, the payment id that receipts present
    gateway      text NOT NULL,
    merchant_uid text NOT NULL,
    purchase_id  bigint NOT NULL,
    noted_at     timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (imp_uid, gateway)
);
GRANT SELECT, INSERT (imp_uid, gateway, merchant_uid, purchase_id) ON payment_name TO ledgerd_service;

-- Receipts that could not be decided when they were presented (the gateway could not be reached, or still waits for the
-- money): asked again until the gateway decides, by whichever process comes first.
CREATE TABLE receipt_retry (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id         text NOT NULL,
    gateway         text NOT NULL,
    imp_uid         text NOT NULL,
    merchant_uid    text NOT NULL,
    payment_id      text,
    status          text NOT NULL
        CONSTRAINT receipt_retry_status_known CHECK (status IN ('waiting', 'credited', 'refused', 'abandoned')),
    reason          text NOT NULL, -- why it waits, or what decided it
    attempts        bigint NOT NULL DEFAULT 0,
    created_at      timestamptz NOT NULL DEFAULT now(),
    next_attempt_at timestamptz NOT NULL,
    decided_at      timestamptz,
    -- A payment without an order is whoever's presents it, so who presented it first, and who else, is kept.
    claimed_at      timestamptz NOT NULL DEFAULT now(), -- when its user first presented it
    -- A lease ends with the process that has it. The holder is named by the key of an advisory lock that one of the process's
    -- sessions holds: PostgreSQL releases the lock when the session ends. NULL: nobody has a lease, or the lease only runs out.
    lease_holder    bigint,
    CONSTRAINT receipt_retry_once_a_user UNIQUE (gateway, imp_uid, merchant_uid, user_id),
    CONSTRAINT receipt_retry_decided_has_time CHECK ((status = 'waiting') = (decided_at IS NULL))
);
CREATE INDEX receipt_retry_due ON receipt_retry (next_attempt_at) WHERE status = 'waiting';
CREATE INDEX receipt_retry_waiting_by_user ON receipt_retry (user_id) WHERE status = 'waiting';
CREATE INDEX receipt_retry_of_user ON receipt_retry (user_id text_pattern_ops, id);
CREATE INDEX receipt_retry_leased ON receipt_retry (lease_holder) WHERE status = 'waiting' AND lease_holder IS NOT NULL;
CREATE INDEX receipt_retry_waiting ON receipt_retry (id) WHERE status = 'waiting';
CREATE INDEX receipt_retry_by_order ON receipt_retry (merchant_uid);
GRANT SELECT, INSERT, UPDATE ON receipt_retry TO ledgerd_service;

-- How many receipts of each user the gateway knew nothing of, so that ids can't be guessed: one row a user, and only while
-- its window lasts.
CREATE TABLE receipt_refusal (
    user_id        text PRIMARY KEY,
    window_ends_at timestamptz NOT NULL,
    refused        bigint NOT NULL CONSTRAINT receipt_refusal_refused_positive CHECK (refused > 0)
);
CREATE INDEX receipt_refusal_ended ON receipt_refusal (window_ends_at);
GRANT SELECT, INSERT, UPDATE (window_ends_at, refused) ON receipt_refusal TO ledgerd_service;

-- What gateways tell us unasked. Each event is stored before it is answered and worked off afterwards, so a crash loses
-- none. An event proves nothing: it only says which payment to ask the gateway about.
CREATE TABLE webhook_event (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    gateway         text NOT NULL,
    event_id        text, -- the sender's own id of a signed event; NULL where the gateway gives none
    type            text NOT NULL,
    imp_uid         text,
    merchant_uid    text,
    payment_id      text,
    status          text NOT NULL
        CONSTRAINT webhook_event_status_known CHECK (status IN ('waiting', 'done', 'ignored', 'abandoned')),
    reason          text NOT NULL, -- why it waits, or what came of it
    attempts        bigint NOT NULL DEFAULT 0,
    received_at     timestamptz NOT NULL DEFAULT now(),
    next_attempt_at timestamptz NOT NULL DEFAULT now(),
    decided_at      timestamptz,
    -- Anybody can send an unsigned event, so many of them may cost neither room nor the true ones' time.
    source          text, -- the network that an unsigned event came from
    urgency         smallint NOT NULL DEFAULT 0, -- 2: signed, or an order or a waiting receipt knows the payment; 1: a purchase does
    repeats         bigint NOT NULL DEFAULT 0, -- events of the same payment that came while it waited
    lease_holder    bigint,
    told_at         timestamptz, -- when the gateway says that it happened
    question_token  text, -- what a store calls the question in it (refund_question)
    question_reason text, -- and why the buyer asks
    CONSTRAINT webhook_event_once UNIQUE (event_id, gateway),
    CONSTRAINT webhook_event_decided_has_time CHECK ((status = 'waiting') = (decided_at IS NULL))
);
CREATE UNIQUE INDEX webhook_event_waits_once ON webhook_event (imp_uid, gateway)
    WHERE status = 'waiting' AND event_id IS NULL;
CREATE INDEX webhook_event_waiting_by_order ON webhook_event (merchant_uid) WHERE status = 'waiting' AND event_id IS NULL;
-- What is bounded: by network, and in all.
CREATE INDEX webhook_event_waiting_by_source ON webhook_event (source, id)
    WHERE status = 'waiting' AND event_id IS NULL AND urgency < 2;
CREATE INDEX webhook_event_due ON webhook_event (urgency DESC, next_attempt_at) WHERE status = 'waiting';
CREATE INDEX webhook_event_decided ON webhook_event (decided_at) WHERE status <> 'waiting';
CREATE INDEX webhook_event_leased ON webhook_event (lease_holder) WHERE status = 'waiting' AND lease_holder IS NOT NULL;
-- Events by the payment that they name.
CREATE INDEX webhook_event_by_payment ON webhook_event (imp_uid, id);
CREATE INDEX webhook_event_by_order ON webhook_event ((coalesce(payment_id, merchant_uid)), id);
GRANT SELECT, INSERT, UPDATE (status, reason, attempts, next_attempt_at, decided_at, urgency, repeats, lease_holder)
    ON webhook_event TO ledgerd_service;

-- Until when the notifications of gateways were walked that list them, because a notification can be lost (docs/decisions/0214).
CREATE TABLE notification_walk (
    gateway      text NOT NULL,
    list         text NOT NULL, -- the gateway's name of it: an environment
    walked_until timestamptz NOT NULL,
    PRIMARY KEY (gateway, list)
);
GRANT SELECT, INSERT, UPDATE (walked_until) ON notification_walk TO ledgerd_service;

-- @after-judges

CREATE TRIGGER purchase_reversal_is_judged AFTER INSERT ON purchase_reversal
    REFERENCING NEW TABLE AS new_reversal FOR EACH STATEMENT EXECUTE FUNCTION judge_reversals();
CREATE TRIGGER claw_back_reversal_is_judged AFTER INSERT ON claw_back_reversal
    FOR EACH ROW EXECUTE FUNCTION judge_claw_back_reversal();
CREATE TRIGGER payment_name_is_judged AFTER INSERT ON payment_name FOR EACH ROW EXECUTE FUNCTION judge_payment_name();
CREATE TRIGGER receipt_retry_is_told_of AFTER INSERT OR UPDATE OF status, next_attempt_at ON receipt_retry
    FOR EACH ROW WHEN (NEW.status = 'waiting' AND NEW.next_attempt_at <= now()) EXECUTE FUNCTION tell_of_work();
CREATE TRIGGER receipt_retry_inserted_is_recorded AFTER INSERT ON receipt_retry
    FOR EACH ROW WHEN (NEW.status <> 'credited') EXECUTE FUNCTION record_receipt();
CREATE TRIGGER receipt_retry_decided_is_recorded AFTER UPDATE ON receipt_retry
    FOR EACH ROW WHEN (NEW.status <> 'credited' AND NEW.status <> OLD.status) EXECUTE FUNCTION record_receipt();
CREATE TRIGGER webhook_event_is_told_of AFTER INSERT OR UPDATE OF status, next_attempt_at ON webhook_event
    FOR EACH ROW WHEN (NEW.status = 'waiting' AND NEW.next_attempt_at <= now()) EXECUTE FUNCTION tell_of_work();
