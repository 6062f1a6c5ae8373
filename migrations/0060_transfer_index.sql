-- @outside-transaction
-- The list of refunds by bank transfer.
DROP INDEX CONCURRENTLY IF EXISTS refund_by_transfer;
CREATE INDEX CONCURRENTLY refund_by_transfer ON refund (id) WHERE method = 'bank_transfer';
