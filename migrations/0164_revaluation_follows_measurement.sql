-- @compatible-from 0162
-- A revaluation is measured before it is booked, and follows from that by what was booked since (docs/decisions/0225). Both are NULL of
-- what was measured before.
ALTER TABLE revaluation_basis
    ADD COLUMN measured_from bigint, -- the measurement that it continues; NULL: all postings were added up
    ADD COLUMN last_rate_id  bigint; -- the last rate of the currency that was published by then
GRANT INSERT (measured_from) ON revaluation_basis TO ledgerd_service;
