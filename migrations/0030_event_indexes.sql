-- @outside-transaction
-- What the events of spends and captures are read by: the lots that they used are in their outcomes.
DROP INDEX CONCURRENTLY IF EXISTS idempotency_of_entry;
CREATE INDEX CONCURRENTLY idempotency_of_entry ON idempotency (journal_entry_id) WHERE command IN ('spend', 'capture');
-- Orders that expired.
DROP INDEX CONCURRENTLY IF EXISTS order_by_expiry;
CREATE INDEX CONCURRENTLY order_by_expiry ON "order" (expires_at);
