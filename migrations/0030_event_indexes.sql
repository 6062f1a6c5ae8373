-- @outside-transaction
-- @compatible-from 0028
-- The user and the lots of a spend or a capture are in its outcome.
DROP INDEX CONCURRENTLY IF EXISTS idempotency_of_entry;
CREATE INDEX CONCURRENTLY idempotency_of_entry ON idempotency (journal_entry_id) WHERE command IN ('spend', 'capture');

-- Orders that have expired since somebody looked last.
DROP INDEX CONCURRENTLY IF EXISTS order_by_expiry;
CREATE INDEX CONCURRENTLY order_by_expiry ON "order" (expires_at);
