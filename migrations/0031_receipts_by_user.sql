-- @outside-transaction
-- Customer support lists a user's receipts, also the decided ones, newest first.
DROP INDEX CONCURRENTLY IF EXISTS receipt_retry_by_user;
CREATE INDEX CONCURRENTLY receipt_retry_by_user ON receipt_retry (user_id, id);
