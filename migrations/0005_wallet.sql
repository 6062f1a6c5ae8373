-- What happens to coins after they came: they are spent, held, captured, given back, and they expire.

-- A key belongs to the caller who chose it: two services that choose the same one do not meet.
ALTER TABLE idempotency ADD COLUMN caller text NOT NULL DEFAULT '';
ALTER TABLE idempotency ALTER COLUMN caller DROP DEFAULT;
ALTER TABLE idempotency DROP CONSTRAINT idempotency_pkey, ADD PRIMARY KEY (key, caller);

-- remaining: in the wallet. held: set aside for someone, still the user's and still deferred.
ALTER TABLE lot
    ADD COLUMN held bigint NOT NULL DEFAULT 0,
    ADD COLUMN seq bigint NOT NULL DEFAULT 0, -- number of its last movement
    ADD COLUMN issuer text, -- who gave the coins; NULL: bought, or not told
    DROP CONSTRAINT lot_remaining_within_coins,
    DROP CONSTRAINT lot_spent_is_recognised,
    ADD CONSTRAINT lot_remaining_not_negative CHECK (remaining >= 0),
    ADD CONSTRAINT lot_held_not_negative CHECK (held >= 0),
    ADD CONSTRAINT lot_left_within_coins CHECK (remaining + held <= coins),
    ADD CONSTRAINT lot_spent_is_recognised CHECK (remaining + held > 0 OR deferred = 0);
DROP INDEX lot_open_by_user;
CREATE INDEX lot_open_by_user ON lot (user_id) WHERE remaining + held > 0;
-- What expires next, over all users.
CREATE INDEX lot_expiring ON lot (expires_at, id) WHERE remaining > 0 AND expires_at IS NOT NULL;
GRANT UPDATE (held, seq) ON lot TO ledgerd_service;

-- What became of a lot, change by change: its state after each. A lot begins with all its coins in the wallet and all
-- its won deferred.
CREATE TABLE lot_movement (
    lot_id           bigint NOT NULL,
    seq              bigint NOT NULL CONSTRAINT lot_movement_seq_positive CHECK (seq > 0),
    stripe           bigint NOT NULL,
    journal_entry_id bigint NOT NULL,
    remaining        bigint NOT NULL,
    held             bigint NOT NULL,
    deferred         bigint NOT NULL,
    recorded_at      timestamptz NOT NULL, -- its journal entry's; never falls along seq
    PRIMARY KEY (lot_id, seq)
);
GRANT SELECT, INSERT ON lot_movement TO ledgerd_service;

-- Movements follow one another without gaps and end in what their lot says of itself.
CREATE FUNCTION judge_lot_movements() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    wrong record;
BEGIN
    SELECT moved.lot_id INTO wrong
        FROM (
            SELECT lot_id, count(*) AS count, min(seq) AS first, max(seq) AS last,
                max(ARRAY[seq, remaining, held, deferred]) AS state, min(stripe) AS low_stripe,
                max(stripe) AS high_stripe
            FROM new_lot_movement
            GROUP BY lot_id
        ) AS moved
        LEFT JOIN lot ON lot.id = moved.lot_id
        LEFT JOIN lot_movement AS before ON before.lot_id = moved.lot_id AND before.seq = moved.first - 1
        WHERE lot.id IS NULL OR lot.stripe <> moved.low_stripe OR lot.stripe <> moved.high_stripe
            OR moved.count <> moved.last - moved.first + 1
            OR moved.first > 1 AND before.seq IS NULL
            OR moved.state <> ARRAY[lot.seq, lot.remaining, lot.held, lot.deferred]
        LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'the movements of lot % do not fit it', wrong.lot_id
            USING ERRCODE = 'foreign_key_violation', TABLE = 'lot_movement', CONSTRAINT = 'lot_movement_fits_lot';
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER lot_movement_is_judged AFTER INSERT ON lot_movement
    REFERENCING NEW TABLE AS new_lot_movement
    FOR EACH STATEMENT EXECUTE FUNCTION judge_lot_movements();
CREATE TRIGGER lot_movement_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON lot_movement
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What claw-backs took before movements were kept is one movement, of the last of them.
UPDATE lot SET seq = 1 WHERE remaining <> coins OR deferred <> amount;
INSERT INTO lot_movement
SELECT lot.id, 1, lot.stripe, entry.id, lot.remaining, 0, lot.deferred, entry.recorded_at
FROM lot
CROSS JOIN LATERAL (
    SELECT id, recorded_at FROM journal_entry WHERE reverses = lot.journal_entry_id ORDER BY recorded_at DESC LIMIT 1
) AS entry
WHERE lot.seq = 1;

-- Coins set aside for someone until they are captured, voided, or the time is up.
CREATE TABLE hold (
    id               bigint PRIMARY KEY,
    stripe           bigint NOT NULL,
    user_id          text NOT NULL,
    status           text NOT NULL
        CONSTRAINT hold_status_known CHECK (status IN ('open', 'captured', 'voided', 'expired')),
    coins            bigint NOT NULL CONSTRAINT hold_coins_positive CHECK (coins > 0),
    captured         bigint NOT NULL CONSTRAINT hold_captured_not_negative CHECK (captured >= 0),
    released         bigint NOT NULL CONSTRAINT hold_released_not_negative CHECK (released >= 0),
    reference        text, -- the caller's own name of what it is for
    placed_at        timestamptz NOT NULL,
    expires_at       timestamptz NOT NULL,
    closed_at        timestamptz,
    journal_entry_id bigint NOT NULL,
    CONSTRAINT hold_left_within_coins CHECK (captured + released <= coins),
    CONSTRAINT hold_open_while_coins_are_left CHECK ((status = 'open') = (captured + released < coins)),
    CONSTRAINT hold_closed_has_time CHECK ((status = 'open') = (closed_at IS NULL))
) WITH (fillfactor = 80);
CREATE INDEX hold_due ON hold (expires_at, id) WHERE status = 'open';
CREATE INDEX hold_by_user ON hold (user_id, id DESC);
GRANT SELECT, INSERT, UPDATE (status, captured, released, closed_at) ON hold TO ledgerd_service;

CREATE TRIGGER hold_is_kept BEFORE DELETE OR TRUNCATE ON hold
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The lots that a hold's coins came from, in the order in which they are captured.
CREATE TABLE hold_lot (
    hold_id bigint NOT NULL,
    place   bigint NOT NULL,
    lot_id  bigint NOT NULL,
    coins   bigint NOT NULL CONSTRAINT hold_lot_coins_positive CHECK (coins > 0),
    held    bigint NOT NULL CONSTRAINT hold_lot_held_within_coins CHECK (held BETWEEN 0 AND coins),
    PRIMARY KEY (hold_id, place)
) WITH (fillfactor = 80);
GRANT SELECT, INSERT, UPDATE (held) ON hold_lot TO ledgerd_service;

CREATE TRIGGER hold_lot_is_kept BEFORE DELETE OR TRUNCATE ON hold_lot
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
