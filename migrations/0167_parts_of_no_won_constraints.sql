-- @outside-transaction
-- @compatible-from 0162
ALTER TABLE purchase_reversal VALIDATE CONSTRAINT purchase_reversal_foreign_same_way;
ALTER TABLE purchase_reversal VALIDATE CONSTRAINT purchase_reversal_goes_one_way;
