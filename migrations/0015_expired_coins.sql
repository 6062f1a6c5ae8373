-- Coins of a purchase that expired unused were not spent: when its payment is cancelled they are taken back from what
-- expired, and are no debt. A lot says how many those are, and what was recognised for them.

ALTER TABLE lot
    ADD COLUMN expired bigint NOT NULL DEFAULT 0, -- coins that expired and were not taken back since
    ADD COLUMN breakage bigint NOT NULL DEFAULT 0, -- won recognised for those
    ADD CONSTRAINT lot_expired_not_negative CHECK (expired >= 0),
    ADD CONSTRAINT lot_breakage_not_negative CHECK (breakage >= 0);
GRANT UPDATE (expired, breakage) ON lot TO ledgerd_service;

-- What each expiry took. No claw-back has taken any of it: they asked for such coins as for spent ones.
UPDATE lot SET expired = taken.coins, breakage = taken.won
FROM (
    SELECT moved.lot_id, sum(coalesce(before.remaining, lot.coins) - moved.remaining) AS coins,
        sum(coalesce(before.deferred, lot.amount) - moved.deferred) AS won
    FROM lot_movement AS moved
    JOIN journal_entry AS entry ON entry.id = moved.journal_entry_id AND entry.kind = 'expiry'
    JOIN lot ON lot.id = moved.lot_id
    LEFT JOIN lot_movement AS before ON before.lot_id = moved.lot_id AND before.seq = moved.seq - 1
    GROUP BY moved.lot_id
) AS taken
WHERE lot.id = taken.lot_id;

CREATE INDEX lot_expired_by_purchase ON lot (purchase_id) WHERE expired > 0;
