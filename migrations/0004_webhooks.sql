-- What gateways tell us unasked. Each event is stored before it is answered and worked off afterwards, so a crash loses
-- none. An event proves nothing: it only says which payment to ask the gateway about.
CREATE TABLE webhook_event (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    gateway         text NOT NULL,
    event_id        text, -- the sender's own id of a signed event; NULL where the gateway gives none
    type            text NOT NULL,
    imp_uid         text,
    merchant_uid    text,
    payment_id      text,
    status          text NOT NULL
        CONSTRAINT webhook_event_status_known CHECK (status IN ('waiting', 'done', 'ignored', 'abandoned')),
    reason          text NOT NULL, -- why it waits, or what came of it
    attempts        bigint NOT NULL DEFAULT 0,
    received_at     timestamptz NOT NULL DEFAULT now(),
    next_attempt_at timestamptz NOT NULL DEFAULT now(),
    decided_at      timestamptz,
    CONSTRAINT webhook_event_once UNIQUE (event_id, gateway),
    CONSTRAINT webhook_event_decided_has_time CHECK ((status = 'waiting') = (decided_at IS NULL))
);
CREATE INDEX webhook_event_due ON webhook_event (next_attempt_at) WHERE status = 'waiting';
GRANT SELECT, INSERT, UPDATE (status, reason, attempts, next_attempt_at, decided_at) ON webhook_event TO ledgerd_service;

-- Payments at the gateway that the books can't follow by themselves, for finance: paid and claimed by nobody, paid with
-- an amount that buys nothing, cancelled in part before they were credited.
CREATE TABLE finding (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind         text NOT NULL,
    gateway      text NOT NULL,
    imp_uid      text NOT NULL,
    merchant_uid text NOT NULL,
    payment_id   text,
    user_id      text, -- who presented its receipt, if anybody did
    amount       bigint NOT NULL,
    currency     text NOT NULL,
    found_at     timestamptz NOT NULL DEFAULT now(),
    resolved_at  timestamptz,
    CONSTRAINT finding_once UNIQUE (imp_uid, gateway, kind)
);
CREATE INDEX finding_open ON finding (id) WHERE resolved_at IS NULL;
GRANT SELECT, INSERT, UPDATE (user_id, amount, resolved_at) ON finding TO ledgerd_service;
