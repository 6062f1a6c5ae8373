-- @compatible-from 0162
-- A row without a gross amount, such as a flat fee, tells its rate by the net amount alone (docs/decisions/0235).
ALTER TABLE settlement_row
    ADD COLUMN foreign_net bigint; -- in minor units of foreign_currency; NULL: the file tells only its won, or it was paid in won
GRANT UPDATE (foreign_net) ON settlement_row TO ledgerd_service;
