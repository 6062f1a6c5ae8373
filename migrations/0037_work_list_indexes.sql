-- @outside-transaction
-- Lists of what waits, across all users and files.
DROP INDEX CONCURRENTLY IF EXISTS receipt_retry_waiting;
CREATE INDEX CONCURRENTLY receipt_retry_waiting ON receipt_retry (id) WHERE status = 'waiting';
DROP INDEX CONCURRENTLY IF EXISTS refund_pending;
CREATE INDEX CONCURRENTLY refund_pending ON refund (id) WHERE status = 'pending';
DROP INDEX CONCURRENTLY IF EXISTS settlement_row_unmatched;
CREATE INDEX CONCURRENTLY settlement_row_unmatched ON settlement_row (id) WHERE status = 'unmatched';
