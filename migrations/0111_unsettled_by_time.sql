-- @outside-transaction
-- @compatible-from 0088
-- Payments that are not settled, the oldest first: the checklist of a closing counts those from before a moment. By id it read all
-- that came later, too. What reads them all needs no order.
DROP INDEX CONCURRENTLY IF EXISTS purchase_unsettled_by_time;
CREATE INDEX CONCURRENTLY purchase_unsettled_by_time ON purchase (paid_at, id)
    WHERE amount - refunded_amount + transferred_amount <> settled_amount;
DROP INDEX CONCURRENTLY IF EXISTS purchase_unsettled;
