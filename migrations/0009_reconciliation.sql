-- Closing the books: what the gateways say of a period against what the books say, and what the gateways paid out.

-- A comparison of a period's payments with the books. Its place is stored with what each page came to, so that after a
-- crash it goes on where it was; it is leased, so that one process works on it.
CREATE TABLE reconciliation_run (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    period_from     timestamptz NOT NULL,
    period_to       timestamptz NOT NULL, -- not within the period
    heals           boolean NOT NULL, -- whether it does what the gateway's word decides
    gateways        text[] NOT NULL,
    day             date CONSTRAINT reconciliation_run_once_a_day UNIQUE, -- of a daily run; NULL: somebody asked for it
    requested_by    text,
    idempotency_key text,
    status          text NOT NULL
        CONSTRAINT reconciliation_run_status_known CHECK (status IN ('running', 'completed', 'failed')),
    stage           text NOT NULL, -- what it is doing
    place           text, -- where the stage goes on, in its own words; NULL: it begins
    failures        bigint NOT NULL DEFAULT 0, -- in a row
    failure         text, -- why the last attempt ended; NULL: it did not fail
    counts          jsonb, -- how many items of each kind; NULL: not known yet
    lease           text, -- the process that works on it
    leased_until    timestamptz NOT NULL DEFAULT now(),
    started_at      timestamptz NOT NULL DEFAULT now(),
    ended_at        timestamptz,
    CONSTRAINT reconciliation_run_period_in_order CHECK (period_from < period_to),
    CONSTRAINT reconciliation_run_asked_once UNIQUE (idempotency_key, requested_by),
    CONSTRAINT reconciliation_run_ended_has_time CHECK ((status = 'running') = (ended_at IS NULL)),
    CONSTRAINT reconciliation_run_completed_has_counts CHECK (status <> 'completed' OR counts IS NOT NULL)
);
CREATE INDEX reconciliation_run_due ON reconciliation_run (leased_until) WHERE status = 'running';
GRANT SELECT, INSERT,
    UPDATE (status, stage, place, failures, failure, counts, lease, leased_until, ended_at)
    ON reconciliation_run TO ledgerd_service;

-- A payment of a run: what the gateway and the books say of it.
CREATE TABLE reconciliation_item (
    id                bigint GENERATED ALWAYS AS IDENTITY,
    run_id            bigint NOT NULL,
    kind              text -- NULL: not examined yet
        CONSTRAINT reconciliation_item_kind_known CHECK (kind IN (
            'matched', 'paid_not_credited', 'credited_not_paid', 'amount_differs', 'cancelled_not_clawed_back',
            'refunded_not_cancelled', 'waiting')),
    outcome           text -- what was done about it; NULL: nothing, or not yet
        CONSTRAINT reconciliation_item_outcome_known CHECK (outcome IN (
            'credited', 'clawed_back', 'receipt_waits', 'needs_person')),
    gateway           text NOT NULL,
    imp_uid           text NOT NULL,
    merchant_uid      text NOT NULL,
    payment_id        text,
    paid_status       text, -- at the gateway; NULL: it knows no such payment
    paid_amount       bigint,
    cancelled_amount  bigint,
    paid_currency     text,
    paid_at           timestamptz,
    purchase_id       bigint, -- NULL: it is not credited
    credited_amount   bigint,
    refunded_amount   bigint,
    credited_currency text,
    PRIMARY KEY (run_id, id),
    CONSTRAINT reconciliation_item_once UNIQUE (run_id, imp_uid, gateway),
    CONSTRAINT reconciliation_item_outcome_of_difference CHECK (
        outcome IS NULL OR kind NOT IN ('matched', 'waiting'))
);
-- The few that are not as they should be, among the many that are.
CREATE INDEX reconciliation_item_unmatched ON reconciliation_item (run_id, id) WHERE kind IS NULL OR kind <> 'matched';
GRANT SELECT, INSERT,
    UPDATE (kind, outcome, paid_status, paid_amount, cancelled_amount, paid_currency, paid_at, purchase_id,
        credited_amount, refunded_amount, credited_currency)
    ON reconciliation_item TO ledgerd_service;

-- The purchases of a period. They come nearly in the order in which they were paid, so a summary of pages is enough.
CREATE INDEX purchase_by_paid_at ON purchase USING brin (paid_at) WITH (pages_per_range = 32, autosummarize = on);

-- What the gateway paid out of each purchase, refunds that it kept back taken off.
ALTER TABLE purchase ADD COLUMN settled_amount bigint NOT NULL DEFAULT 0;
GRANT UPDATE (settled_amount) ON purchase TO ledgerd_service;
-- The purchases that gateway:receivable still holds something of, or owes something to.
CREATE INDEX purchase_outstanding ON purchase (id) WHERE amount - refunded_amount <> settled_amount;

-- A statement of payouts that was imported, known by its content.
CREATE TABLE settlement_file (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    sha256      bytea NOT NULL CONSTRAINT settlement_file_once UNIQUE,
    name        text NOT NULL,
    imported_by text NOT NULL,
    imported_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT, INSERT ON settlement_file TO ledgerd_service;

-- A row of it: what was paid out of one payment, or kept back for a refund of it.
CREATE TABLE settlement_row (
    id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    file_id          bigint NOT NULL CONSTRAINT settlement_row_has_file REFERENCES settlement_file (id),
    line             bigint NOT NULL, -- where it begins in the file, counted from 1
    payment          text NOT NULL, -- the payment's id as the file has it
    gross            bigint NOT NULL, -- below zero: of a refund
    fee              bigint NOT NULL,
    tax              bigint NOT NULL, -- on the fee
    net              bigint NOT NULL,
    paid_out_on      date NOT NULL,
    paid_out_at      timestamptz NOT NULL, -- the beginning of that day where the file was made, or the time it tells
    place            bigint NOT NULL, -- among the file's rows of this payment, day and direction, from 1
    status           text NOT NULL
        CONSTRAINT settlement_row_status_known CHECK (status IN ('waiting', 'settled', 'unmatched', 'refused')),
    reason           text, -- why it is refused
    purchase_id      bigint,
    journal_entry_id bigint,
    settled_at       timestamptz,
    CONSTRAINT settlement_row_of_file UNIQUE (file_id, line),
    CONSTRAINT settlement_row_adds_up CHECK (net = gross - fee - tax),
    CONSTRAINT settlement_row_settled_has_entry CHECK (
        CASE WHEN status = 'settled' THEN num_nulls(purchase_id, journal_entry_id, settled_at) = 0
            ELSE num_nonnulls(journal_entry_id, settled_at) = 0 END),
    CONSTRAINT settlement_row_refused_has_reason CHECK ((status = 'refused') = (reason IS NOT NULL))
);
-- The same payout in another file is not settled again; several refunds of a payment on one day stand in one file.
CREATE UNIQUE INDEX settlement_row_settled_once ON settlement_row (purchase_id, paid_out_on, (gross < 0), place)
    WHERE status = 'settled';
GRANT SELECT, INSERT,
    UPDATE (payment, gross, fee, tax, net, paid_out_on, paid_out_at, place, status, reason, purchase_id,
        journal_entry_id, settled_at)
    ON settlement_row TO ledgerd_service;

-- What is settled stays as it was settled.
CREATE FUNCTION keep_settled_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'settlement row % is settled and stays as it is', OLD.id
        USING ERRCODE = 'insufficient_privilege', HINT = 'A row of opposite amounts takes it back.';
END
$$;
CREATE TRIGGER settlement_row_is_kept BEFORE DELETE OR TRUNCATE ON settlement_row
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER settlement_row_settled_is_immutable BEFORE UPDATE ON settlement_row
    FOR EACH ROW WHEN (OLD.status = 'settled') EXECUTE FUNCTION keep_settled_row();
