-- @outside-transaction
-- @compatible-from 0068
-- Who presented a payment, under any of its names.
DROP INDEX CONCURRENTLY IF EXISTS receipt_retry_by_order;
CREATE INDEX CONCURRENTLY receipt_retry_by_order ON receipt_retry (merchant_uid);
