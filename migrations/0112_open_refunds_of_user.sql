-- @outside-transaction
-- @compatible-from 0088
-- The refunds of a customer that are not decided: the console's page of a customer shows them, whichever purchase they are of.
-- IS TRUE: a statement that looks for open refunds of something else doesn't read this index as a whole.
DROP INDEX CONCURRENTLY IF EXISTS refund_open_of_user;
CREATE INDEX CONCURRENTLY refund_open_of_user ON refund (user_id, id) WHERE (status IN ('pending', 'approved')) IS TRUE;
