-- A payment without an order is whoever's presents it, so who presented it first, and who else, is kept.
ALTER TABLE receipt_retry ADD COLUMN claimed_at timestamptz; -- when its user first presented it
UPDATE receipt_retry SET claimed_at = created_at;
ALTER TABLE receipt_retry ALTER COLUMN claimed_at SET NOT NULL, ALTER COLUMN claimed_at SET DEFAULT now();

-- How many receipts of each user the gateway knew nothing of, so that ids can't be guessed: one row a user, and only while
-- its window lasts.
CREATE TABLE receipt_refusal (
    user_id        text PRIMARY KEY,
    window_ends_at timestamptz NOT NULL,
    refused        bigint NOT NULL CONSTRAINT receipt_refusal_refused_positive CHECK (refused > 0)
);
CREATE INDEX receipt_refusal_ended ON receipt_refusal (window_ends_at);
GRANT SELECT, INSERT, UPDATE (window_ends_at, refused) ON receipt_refusal TO ledgerd_service;

-- The service's role deletes nothing else.
CREATE FUNCTION purge_receipt_refusals(most bigint) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH gone AS (
        DELETE FROM public.receipt_refusal
        WHERE user_id IN (
            SELECT user_id FROM public.receipt_refusal WHERE window_ends_at < now()
            ORDER BY window_ends_at LIMIT least(most, 10000) FOR UPDATE SKIP LOCKED)
        RETURNING 1
    )
    SELECT count(*) FROM gone
$$;
REVOKE ALL ON FUNCTION purge_receipt_refusals FROM PUBLIC;
GRANT EXECUTE ON FUNCTION purge_receipt_refusals TO ledgerd_service;
