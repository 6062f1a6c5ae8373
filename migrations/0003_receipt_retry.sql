-- Receipts that could not be decided when they were presented (the gateway could not be reached, or still waits for the
-- money): asked again until the gateway decides, by whichever process comes first.
CREATE TABLE receipt_retry (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id         text NOT NULL,
    gateway         text NOT NULL,
    imp_uid         text NOT NULL,
    merchant_uid    text NOT NULL,
    payment_id      text,
    status          text NOT NULL
        CONSTRAINT receipt_retry_status_known CHECK (status IN ('waiting', 'credited', 'refused', 'abandoned')),
    reason          text NOT NULL, -- why it waits, or what decided it
    attempts        bigint NOT NULL DEFAULT 0,
    created_at      timestamptz NOT NULL DEFAULT now(),
    next_attempt_at timestamptz NOT NULL,
    decided_at      timestamptz,
    CONSTRAINT receipt_retry_once_a_user UNIQUE (gateway, imp_uid, merchant_uid, user_id),
    CONSTRAINT receipt_retry_decided_has_time CHECK ((status = 'waiting') = (decided_at IS NULL))
);
CREATE INDEX receipt_retry_due ON receipt_retry (next_attempt_at) WHERE status = 'waiting';
CREATE INDEX receipt_retry_waiting_by_user ON receipt_retry (user_id) WHERE status = 'waiting';
GRANT SELECT, INSERT, UPDATE ON receipt_retry TO ledgerd_service;
