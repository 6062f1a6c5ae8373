-- @outside-transaction
-- @compatible-from 0088
-- No statement looks for the acts of a proposal, or for the proposals about a user.
DROP INDEX CONCURRENTLY IF EXISTS audit_of_approval;
DROP INDEX CONCURRENTLY IF EXISTS approval_of_user;
