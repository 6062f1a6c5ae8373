-- @compatible-from 0150
-- What was paid in foreign currencies is settled (docs/decisions/0225). A process from before refuses such lines, and posts none.

-- What the gateway paid out of a payment in a foreign currency, and its won: the amount less what would go back of the rest. So
-- nothing of it is left when the payment is settled or went back in whole.
ALTER TABLE purchase
    ADD COLUMN foreign_settled bigint, -- in minor units, refunds that it kept back taken off; NULL: nothing yet, or paid in won
    ADD CONSTRAINT purchase_foreign_settled_within_amount CHECK (abs(foreign_settled) <= foreign_amount) NOT VALID,
    ADD CONSTRAINT purchase_foreign_settled_of_foreign
        CHECK (foreign_settled IS NULL OR foreign_amount IS NOT NULL) NOT VALID,
    ADD CONSTRAINT purchase_settled_at_own_rate CHECK (
        foreign_amount IS NULL OR settled_amount
            = amount - div(amount::numeric * (foreign_amount - coalesce(foreign_settled, 0)), foreign_amount)) NOT VALID;

-- The won of such a row are at the rate of the payout.
ALTER TABLE settlement_row
    ADD COLUMN foreign_gross bigint, -- in minor units of the payment's currency; NULL: it was paid in won
    ADD COLUMN foreign_currency text,
    ADD COLUMN carried bigint, -- the won that left the carrying amount; NULL: not settled, or paid in won
    ADD CONSTRAINT settlement_row_foreign_whole CHECK ((foreign_gross IS NULL) = (foreign_currency IS NULL)) NOT VALID,
    ADD CONSTRAINT settlement_row_foreign_same_way
        CHECK (sign(foreign_gross) * sign(gross) >= 0 AND (foreign_gross <> 0 OR gross = 0)) NOT VALID,
    ADD CONSTRAINT settlement_row_carried_when_settled
        CHECK ((carried IS NOT NULL) = (status = 'settled' AND foreign_gross IS NOT NULL)) NOT VALID;
GRANT UPDATE (foreign_gross, foreign_currency, carried) ON settlement_row TO ledgerd_service;

-- @after-judges

SELECT open_accounts_of_currency(code) FROM foreign_currency;
