-- @outside-transaction
-- @compatible-from 0105
-- Lines without a payment that nobody dismissed: of those that are dismissed there are more each month.
DROP INDEX CONCURRENTLY IF EXISTS settlement_row_open;
CREATE INDEX CONCURRENTLY settlement_row_open ON settlement_row (id) WHERE status = 'unmatched' AND NOT is_dismissed;
-- What a payout pays, in the order in which it is listed. Nothing is read by stripe since payouts have parts (decision 0160).
DROP INDEX CONCURRENTLY IF EXISTS provider_share_paid;
CREATE INDEX CONCURRENTLY provider_share_paid ON provider_share (payout_id, provider, journal_entry_id);
DROP INDEX CONCURRENTLY IF EXISTS provider_share_of_payout;
