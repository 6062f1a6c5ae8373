-- @outside-transaction
-- Rows of before have what the constraints of refunds and of their fees ask for.
ALTER TABLE refund VALIDATE CONSTRAINT refund_fee_rule_known;
ALTER TABLE refund VALIDATE CONSTRAINT refund_fee_fits_rule;
ALTER TABLE refund VALIDATE CONSTRAINT refund_expired_within_refund;
ALTER TABLE refund VALIDATE CONSTRAINT refund_expired_has_entry;
ALTER TABLE refund VALIDATE CONSTRAINT refund_fee_vat_of_fee;
