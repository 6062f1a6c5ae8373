-- @outside-transaction
-- Rows of before have what the constraints of repaid refunds ask for.
ALTER TABLE refund VALIDATE CONSTRAINT refund_paid_has_bank_reference;
ALTER TABLE refund_decision VALIDATE CONSTRAINT refund_decision_repaid_has_reference;
