-- Which rule set the fee of a refund, and why it was waived; NULL: begun before there were rules.
ALTER TABLE refund
    ADD COLUMN fee_rule text,
    ADD COLUMN fee_waiver text,
    ADD CONSTRAINT refund_fee_rule_known
        CHECK (fee_rule IN ('waived', 'free_days', 'percentage', 'minimum')) NOT VALID,
    ADD CONSTRAINT refund_fee_fits_rule CHECK (
        (fee = 0 OR coalesce(fee_rule NOT IN ('waived', 'free_days'), true))
        AND (fee_waiver IS NOT NULL) = coalesce(fee_rule = 'waived', false)) NOT VALID;
