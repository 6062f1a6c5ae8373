-- @outside-transaction
-- @compatible-from 0071
-- The earnings of all providers are added up for the figures of days.
DROP INDEX CONCURRENTLY IF EXISTS account_of_earnings;
CREATE INDEX CONCURRENTLY account_of_earnings ON account (id) WHERE owner IS NOT NULL AND code LIKE 'earnings:%';
