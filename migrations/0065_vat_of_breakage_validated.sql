-- @outside-transaction
-- No breakage and no fee had VAT before.
ALTER TABLE lot VALIDATE CONSTRAINT lot_taxed_breakage_within_breakage;
ALTER TABLE refund VALIDATE CONSTRAINT refund_fee_vat_of_fee;
