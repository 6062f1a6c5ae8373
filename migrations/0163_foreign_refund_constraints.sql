-- @outside-transaction
-- @compatible-from 0162
ALTER TABLE refund VALIDATE CONSTRAINT refund_foreign_whole;
ALTER TABLE refund VALIDATE CONSTRAINT refund_foreign_amount_positive;
ALTER TABLE refund VALIDATE CONSTRAINT refund_foreign_fee_not_negative;
ALTER TABLE refund VALIDATE CONSTRAINT refund_foreign_within_balance;
ALTER TABLE refund VALIDATE CONSTRAINT refund_foreign_by_gateway;
ALTER TABLE refund VALIDATE CONSTRAINT refund_tax_free_within_amount;
