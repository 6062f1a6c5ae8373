-- @outside-transaction
-- @compatible-from 0071
-- The tax-free part of a refund is as old as its constraint: rows of before have none.
ALTER TABLE refund VALIDATE CONSTRAINT refund_tax_free_within_amount;
