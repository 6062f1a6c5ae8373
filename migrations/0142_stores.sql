-- @compatible-from 0136
-- What the products of stores are of ours (docs/decisions/0213). Each change is a row: of those from before a purchase the last one
-- counts, and the first one also for purchases of before it.
CREATE TABLE store_product (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    store      text NOT NULL, -- the gateway's name
    app        text NOT NULL, -- the bundle id or package
    product_id text NOT NULL, -- the store's id of its product
    product    text NOT NULL, -- the code of ours
    set_by     text NOT NULL,
    set_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT store_product_store_known CHECK (store IN ('app-store', 'google-play'))
);
CREATE INDEX store_product_by_name ON store_product (product_id, app, store, set_at);
GRANT SELECT, INSERT ON store_product TO ledgerd_service;

-- The token that an app passes with a purchase in a store, so that the purchase names its user. Nobody can tell the user from it. A
-- user's oldest token is the one that is told; after a merge, or two first calls at once, a user has more, which all name the user.
CREATE TABLE store_account (
    token   uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    user_id text NOT NULL,
    made_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX store_account_of_user ON store_account (user_id, made_at, token);
GRANT SELECT, INSERT ON store_account TO ledgerd_service;

-- @after-judges

CREATE TRIGGER store_product_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON store_product
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER store_account_is_kept BEFORE DELETE OR TRUNCATE ON store_account
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
