-- @outside-transaction
-- What is leased, so that the leases of ended processes are found.
DROP INDEX CONCURRENTLY IF EXISTS receipt_retry_leased;
CREATE INDEX CONCURRENTLY receipt_retry_leased ON receipt_retry (lease_holder)
    WHERE status = 'waiting' AND lease_holder IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS webhook_event_leased;
CREATE INDEX CONCURRENTLY webhook_event_leased ON webhook_event (lease_holder)
    WHERE status = 'waiting' AND lease_holder IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS refund_leased;
CREATE INDEX CONCURRENTLY refund_leased ON refund (lease_holder)
    WHERE status = 'pending' AND lease_holder IS NOT NULL;
