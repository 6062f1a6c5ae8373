-- A refund charges bonus coins that were used against bought coins, and both it and the purchase say how many. A lot says
-- when coins last came back to the wallet: they can't expire or be taken back before that.

ALTER TABLE refund
    ADD COLUMN bonus_charged bigint NOT NULL DEFAULT 0, -- of its coins, how many go in place of used bonus coins
    ADD CONSTRAINT refund_bonus_charged_within_coins CHECK (bonus_charged >= 0 AND bonus_charged < coins);
ALTER TABLE purchase
    ADD COLUMN charged_coins bigint NOT NULL DEFAULT 0, -- bought coins that went in place of used bonus coins
    ADD CONSTRAINT purchase_charged_coins_within_coins CHECK (charged_coins BETWEEN 0 AND coins);
GRANT UPDATE (charged_coins) ON purchase TO ledgerd_service;

ALTER TABLE lot ADD COLUMN returned_at timestamptz; -- when held coins last came back to the wallet; NULL: never
GRANT UPDATE (returned_at) ON lot TO ledgerd_service;
UPDATE lot SET returned_at = returned.at
FROM (
    SELECT moved.lot_id, max(moved.recorded_at) AS at
    FROM lot_movement AS moved
    JOIN lot_movement AS before ON before.lot_id = moved.lot_id AND before.seq = moved.seq - 1
    WHERE moved.remaining > before.remaining
    GROUP BY moved.lot_id
) AS returned
WHERE lot.id = returned.lot_id;
