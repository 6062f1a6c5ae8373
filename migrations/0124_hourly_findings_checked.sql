-- @outside-transaction
-- @compatible-from 0105
-- The findings from before were of a payment, an endpoint or custody.
ALTER TABLE finding VALIDATE CONSTRAINT finding_is_of_one_thing;
ALTER TABLE finding VALIDATE CONSTRAINT finding_hour_is_whole;
ALTER TABLE finding VALIDATE CONSTRAINT finding_hour_is_above_limit;
-- Several processes that note the same hour note it once.
DROP INDEX CONCURRENTLY IF EXISTS finding_once_an_hour;
CREATE UNIQUE INDEX CONCURRENTLY finding_once_an_hour ON finding (kinds, hour) WHERE hour IS NOT NULL;
