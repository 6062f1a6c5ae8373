-- @outside-transaction
-- @compatible-from 0088
-- Those of 0094 serve the same look-ups. They are in a migration of their own, so that one that is repeated never drops the last
-- index of a column.
DROP INDEX CONCURRENTLY IF EXISTS account_of_user;
DROP INDEX CONCURRENTLY IF EXISTS order_by_user;
DROP INDEX CONCURRENTLY IF EXISTS receipt_retry_by_user;
DROP INDEX CONCURRENTLY IF EXISTS finding_by_user;
