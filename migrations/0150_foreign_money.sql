-- Payments in foreign currencies (docs/decisions/0223). A process from before would take their amounts for won, so none may serve this.

-- The currencies whose accounts are open: every stripe has them.
CREATE TABLE foreign_currency (
    code      text PRIMARY KEY CONSTRAINT foreign_currency_is_code CHECK (code ~ '^[A-Z]{3}$'),
    opened_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT ON foreign_currency TO ledgerd_service;

-- What was paid, where it was not won: the amount of the purchase is then its worth at the rate of the payment. What goes back of it goes
-- back at the same rate, whatever its parts are.
ALTER TABLE purchase
    ADD COLUMN foreign_amount bigint, -- in minor units of its currency
    ADD COLUMN foreign_currency text,
    ADD COLUMN rate_id bigint,
    ADD COLUMN foreign_refunded bigint, -- what of it the gateway gave back
    ADD CONSTRAINT purchase_foreign_whole
        CHECK (num_nulls(foreign_amount, foreign_currency, rate_id, foreign_refunded) IN (0, 4)) NOT VALID,
    ADD CONSTRAINT purchase_foreign_amount_positive CHECK (foreign_amount > 0) NOT VALID,
    ADD CONSTRAINT purchase_foreign_refunded_within_amount
        CHECK (foreign_refunded >= 0 AND foreign_refunded <= foreign_amount) NOT VALID,
    ADD CONSTRAINT purchase_refunded_at_own_rate CHECK (
        foreign_amount IS NULL OR refunded_amount = div(amount::numeric * foreign_refunded, foreign_amount)) NOT VALID,
    ADD CONSTRAINT purchase_foreign_not_transferred CHECK (foreign_amount IS NULL OR transferred_amount = 0) NOT VALID;

ALTER TABLE purchase_reversal
    ADD COLUMN foreign_amount bigint, -- as in purchase
    ADD CONSTRAINT purchase_reversal_foreign_same_way
        CHECK (foreign_amount <> 0 AND (foreign_amount > 0) = (amount > 0)) NOT VALID;

-- @after-judges

SELECT open_foreign_currency(currency) FROM (SELECT DISTINCT currency FROM rate) AS known;
CREATE TRIGGER rate_opens_currency AFTER INSERT ON rate FOR EACH ROW EXECUTE FUNCTION open_currency_of_rate();
CREATE TRIGGER foreign_currency_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON foreign_currency
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
