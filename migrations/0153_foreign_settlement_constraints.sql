-- @outside-transaction
-- @compatible-from 0150
ALTER TABLE purchase VALIDATE CONSTRAINT purchase_foreign_settled_within_amount;
ALTER TABLE purchase VALIDATE CONSTRAINT purchase_foreign_settled_of_foreign;
ALTER TABLE purchase VALIDATE CONSTRAINT purchase_settled_at_own_rate;
ALTER TABLE settlement_row VALIDATE CONSTRAINT settlement_row_foreign_whole;
ALTER TABLE settlement_row VALIDATE CONSTRAINT settlement_row_foreign_same_way;
ALTER TABLE settlement_row VALIDATE CONSTRAINT settlement_row_carried_when_settled;
