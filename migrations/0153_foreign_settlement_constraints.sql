-- @outside-transaction
-- @compatible-from 0150
ALTER TABLE purchase VALIDATE CONSTRAINT purchase_foreign_settled_within_amount;
ALTER TABLE purchase VALIDATE CONSTRAINT purchase_foreign_settled_of_foreign;
ALTER TABLE purchase VALIDATE CONSTRAINT purchase_settled_at_own_rate;
ALTER TABLE settlement_row VALIDATE CONSTRAINT settlement_row_foreign_whole;
ALTER TABLE settlement_row VALIDATE CONSTRAINT settlement_row_foreign_same_way;
ALTER TABLE settlement_row VALIDATE CONSTRAINT settlement_row_carried_when_settled;
-- Since when somebody has paid in a currency.
DROP INDEX CONCURRENTLY IF EXISTS purchase_in_foreign_currency;
CREATE INDEX CONCURRENTLY purchase_in_foreign_currency ON purchase (foreign_currency, paid_at)
    WHERE foreign_currency IS NOT NULL;
