-- Expired coins of a refund come back with what was recognised for them, whatever the price of the lot's other coins.
ALTER TABLE refund ADD COLUMN expired_won bigint; -- null: there are none, or it was begun before this migration
