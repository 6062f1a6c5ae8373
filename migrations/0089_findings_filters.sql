-- @outside-transaction
-- @compatible-from 0088
-- Support and finance list the findings of one user.
DROP INDEX CONCURRENTLY IF EXISTS finding_by_user;
CREATE INDEX CONCURRENTLY finding_by_user ON finding (user_id) WHERE user_id IS NOT NULL;
