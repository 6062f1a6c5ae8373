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
    CONSTRAINT order_idempotency_key_unique UNIQUE (idempotency_key, user_id)
);
CREATE INDEX order_by_user ON "order" (user_id, id DESC);
GRANT SELECT, INSERT ON "order" TO ledgerd_service;
