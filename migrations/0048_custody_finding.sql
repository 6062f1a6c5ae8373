-- @outside-transaction
-- One finding about custody: it is opened again, not made again.
DROP INDEX CONCURRENTLY IF EXISTS finding_once_of_custody;
CREATE UNIQUE INDEX CONCURRENTLY finding_once_of_custody ON finding (kinds) WHERE kinds = '{custody_short}';
ALTER TABLE finding VALIDATE CONSTRAINT finding_is_of_payment_or_endpoint;
