-- @compatible-from 0162
-- A gateway's settlement files may have amounts in foreign currencies, and say at which rate they were paid out.
ALTER TABLE settlement_columns
    ADD COLUMN payment_currency text, -- NULL: the files have none, likewise the others
    ADD COLUMN payout_rate text, -- the won of one unit
    ADD COLUMN payout_won text; -- the won of the net amount
GRANT INSERT (payment_currency, payout_rate, payout_won), UPDATE (payment_currency, payout_rate, payout_won)
    ON settlement_columns TO ledgerd_service;
