-- @outside-transaction
-- @compatible-from 0104
-- The accounts of providers that wait for another person, of all that are kept: every page of the console counts them.
-- With it, functions know one person at every door (person_of in schema/judges/console.sql).
DROP INDEX CONCURRENTLY IF EXISTS provider_account_waiting;
CREATE INDEX CONCURRENTLY provider_account_waiting ON provider_account (id) WHERE status = 'proposed';
