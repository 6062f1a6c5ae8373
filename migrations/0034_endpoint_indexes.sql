-- @outside-transaction
-- The lane of events that belong to no user.
DROP INDEX CONCURRENTLY IF EXISTS event_of_nobody;
CREATE INDEX CONCURRENTLY event_of_nobody ON event (seq) WHERE user_id IS NULL;
-- One finding an endpoint.
DROP INDEX CONCURRENTLY IF EXISTS finding_once_an_endpoint;
CREATE UNIQUE INDEX CONCURRENTLY finding_once_an_endpoint ON finding (endpoint_id) WHERE endpoint_id IS NOT NULL;
ALTER TABLE finding VALIDATE CONSTRAINT finding_endpoint_is_known;
ALTER TABLE finding VALIDATE CONSTRAINT finding_is_of_payment_or_endpoint;
