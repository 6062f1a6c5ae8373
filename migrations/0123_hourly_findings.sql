-- @compatible-from 0105
-- Hours in which more coins or won moved than a limit allows are findings, too: one of each kind and hour.
ALTER TABLE finding
    ADD COLUMN hour timestamptz, -- the start of the hour; NULL: it is about something else
    ADD COLUMN measured bigint, -- what moved in the hour when it was last looked at: coins, or won of the liability
    ADD COLUMN hour_limit bigint, -- the limit then
    DROP CONSTRAINT finding_is_of_payment_or_endpoint,
    ADD CONSTRAINT finding_is_of_one_thing CHECK (
        num_nulls(gateway, imp_uid, merchant_uid, amount, currency)
        = CASE WHEN endpoint_id IS NULL AND hour IS NULL AND kinds <> '{custody_short}' THEN 0 ELSE 5 END) NOT VALID,
    ADD CONSTRAINT finding_hour_is_whole CHECK (num_nulls(hour, measured, hour_limit) IN (0, 3)) NOT VALID,
    ADD CONSTRAINT finding_hour_is_above_limit CHECK (measured > hour_limit) NOT VALID;
GRANT UPDATE (measured) ON finding TO ledgerd_service;
