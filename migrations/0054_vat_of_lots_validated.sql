-- @outside-transaction
-- Claw-backs need lots whose coins were all used, because their VAT is taken back. Expired lots are found by the same index.
DROP INDEX CONCURRENTLY IF EXISTS lot_expired_or_taxed_by_purchase;
CREATE INDEX CONCURRENTLY lot_expired_or_taxed_by_purchase ON lot (purchase_id) WHERE expired > 0 OR vat IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS lot_expired_by_purchase;
-- No lot had VAT before, and of no payment the part without VAT was kept.
ALTER TABLE lot VALIDATE CONSTRAINT lot_vat_of_paid_coins;
ALTER TABLE lot VALIDATE CONSTRAINT lot_taxed_breakage_within_breakage;
ALTER TABLE purchase VALIDATE CONSTRAINT purchase_tax_free_within_amount;
