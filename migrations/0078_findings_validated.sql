-- @outside-transaction
-- The columns are new: every row fulfils them.
ALTER TABLE finding VALIDATE CONSTRAINT finding_cancelled_not_negative;
