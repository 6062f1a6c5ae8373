-- @outside-transaction
-- A new column, and kinds that were known before: every row fulfils them.
ALTER TABLE finding VALIDATE CONSTRAINT finding_cancelled_not_negative;
ALTER TABLE reconciliation_item VALIDATE CONSTRAINT reconciliation_item_kind_known;
