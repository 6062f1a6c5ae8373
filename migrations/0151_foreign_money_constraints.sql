-- @outside-transaction
-- @compatible-from 0150
ALTER TABLE purchase VALIDATE CONSTRAINT purchase_foreign_whole;
ALTER TABLE purchase VALIDATE CONSTRAINT purchase_foreign_amount_positive;
ALTER TABLE purchase VALIDATE CONSTRAINT purchase_foreign_refunded_within_amount;
ALTER TABLE purchase VALIDATE CONSTRAINT purchase_refunded_at_own_rate;
ALTER TABLE purchase VALIDATE CONSTRAINT purchase_foreign_not_transferred;
ALTER TABLE purchase_reversal VALIDATE CONSTRAINT purchase_reversal_foreign_same_way;
