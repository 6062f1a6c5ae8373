-- Prices of products in foreign currencies, and orders in them (docs/decisions/0226). A process from before would take the amount of such an
-- order for won, so none may serve this.

-- One row is a price of a product in a currency while it is on sale, beside its price in won. A change closes it and opens the next one.
CREATE TABLE product_price (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    product      text NOT NULL, -- the code of the product, whichever of its versions is on sale
    currency     text NOT NULL
        -- A currency has accounts from its first rate on: what is paid in it can be booked.
        CONSTRAINT product_price_has_rate REFERENCES foreign_currency (code),
    amount       bigint NOT NULL -- in minor units of its currency
        CONSTRAINT product_price_in_range CHECK (amount BETWEEN 1 AND 1000000000000000),
    active_from  timestamptz NOT NULL DEFAULT now(),
    active_until timestamptz CONSTRAINT product_price_active_in_order CHECK (active_until >= active_from),
    CONSTRAINT product_price_once EXCLUDE USING gist (
        text_range(product, product, '[]') WITH &&, text_range(currency, currency, '[]') WITH &&,
        tstzrange(active_from, active_until) WITH &&)
);
GRANT SELECT, INSERT (product, currency, amount, active_from, active_until), UPDATE (active_until)
    ON product_price TO ledgerd_service;

ALTER TABLE "order"
    DROP CONSTRAINT order_currency_is_krw,
    ADD CONSTRAINT order_currency_is_code CHECK (currency ~ '^[A-Z]{3}$') NOT VALID;
