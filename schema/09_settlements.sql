-- The gateway's payouts, its payments compared with the books, and what people have to look at.

-- A statement of payouts that was imported, known by its content.
CREATE TABLE settlement_file (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    sha256      bytea NOT NULL CONSTRAINT settlement_file_once UNIQUE,
    name        text NOT NULL,
    imported_by text NOT NULL,
    imported_at timestamptz NOT NULL DEFAULT now(),
    -- Whether settlement_file_sum has its sums; those of files from before migration 0117 are added up when they are shown.
    is_summed   boolean NOT NULL DEFAULT true
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
    input_vat        bigint NOT NULL DEFAULT 0, -- the part of the tax that was booked apart
    is_dismissed     boolean NOT NULL DEFAULT false, -- whether it is unmatched, and a person dismissed its payment
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
CREATE INDEX settlement_row_unmatched ON settlement_row (id) WHERE status = 'unmatched';
-- Lines without a payment that nobody dismissed: of those that are dismissed there are more each month.
CREATE INDEX settlement_row_open ON settlement_row (id) WHERE status = 'unmatched' AND NOT is_dismissed;
GRANT SELECT, INSERT, UPDATE (payment, gross, fee, tax, net, paid_out_on, paid_out_at, place, status, reason,
    purchase_id, journal_entry_id, settled_at, input_vat) ON settlement_row TO ledgerd_service;

-- How many rows of a settlement file are how far, and the sums of the settled ones: all parts of a file together. Each stripe
-- adds to a part of its own, so that none waits for another; a part alone can be below zero. The judges write it.
CREATE TABLE settlement_file_sum (
    file_id    bigint NOT NULL,
    part       bigint NOT NULL, -- the stripe that settled rows; -1: what else became of rows
    waiting    bigint NOT NULL,
    settled    bigint NOT NULL,
    unmatched  bigint NOT NULL,
    dismissed  bigint NOT NULL,
    refused    bigint NOT NULL,
    gross      bigint NOT NULL, -- of the settled rows, likewise the others
    fee        bigint NOT NULL,
    tax        bigint NOT NULL,
    net        bigint NOT NULL,
    PRIMARY KEY (file_id, part)
);
GRANT SELECT ON settlement_file_sum TO ledgerd_service;

-- The columns of each gateway's settlement files, as a person mapped them last: the console offers them with the next file.
CREATE TABLE settlement_columns (
    gateway     text PRIMARY KEY CONSTRAINT settlement_columns_has_gateway CHECK (gateway <> ''),
    payment_id  text NOT NULL,
    gross       text NOT NULL,
    fee         text, -- NULL: the files have none; likewise tax
    tax         text,
    net         text NOT NULL,
    paid_out_at text NOT NULL,
    saved_by    text NOT NULL, -- the caller, as in the subject of the token
    saved_at    timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT, INSERT (gateway, payment_id, gross, fee, tax, net, paid_out_at, saved_by),
    UPDATE (payment_id, gross, fee, tax, net, paid_out_at, saved_by, saved_at) ON settlement_columns TO ledgerd_service;

-- Lines of settlement files that are not ours, by a person's decision. A line stays unmatched: an import of its file books
-- it if its payment is credited after all.
CREATE TABLE settlement_dismissal (
    row_id       bigint NOT NULL, -- of settlement_row
    payment      text NOT NULL, -- the row's: the decision is not about another payment that another mapping makes of it
    reason       text NOT NULL CONSTRAINT settlement_dismissal_has_reason CHECK (reason <> ''),
    dismissed_by text NOT NULL, -- the caller, as in the subject of the token
    dismissed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    kind         text -- what the line is; NULL: it was dismissed before that was asked
        CONSTRAINT settlement_dismissal_kind_known CHECK (kind IN ('other_goods', 'total', 'other')),
    PRIMARY KEY (row_id, payment)
);
GRANT SELECT, INSERT (row_id, payment, reason, dismissed_by, kind) ON settlement_dismissal TO ledgerd_service;

-- Another person looked at a dismissal and agrees.
CREATE TABLE settlement_dismissal_check (
    row_id     bigint NOT NULL, -- of settlement_dismissal, with the payment
    payment    text NOT NULL,
    checked_by text NOT NULL, -- the caller, as in the subject of the token; not the one who dismissed it
    checked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (row_id, payment)
);
GRANT SELECT, INSERT (row_id, payment, checked_by) ON settlement_dismissal_check TO ledgerd_service;

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
    lease_holder    bigint,
    CONSTRAINT reconciliation_run_period_in_order CHECK (period_from < period_to),
    CONSTRAINT reconciliation_run_asked_once UNIQUE (idempotency_key, requested_by),
    CONSTRAINT reconciliation_run_ended_has_time CHECK ((status = 'running') = (ended_at IS NULL)),
    CONSTRAINT reconciliation_run_completed_has_counts CHECK (status <> 'completed' OR counts IS NOT NULL)
);
CREATE INDEX reconciliation_run_due ON reconciliation_run (leased_until) WHERE status = 'running';
GRANT SELECT, INSERT, UPDATE (status, stage, place, failures, failure, counts, lease, leased_until, ended_at,
    lease_holder) ON reconciliation_run TO ledgerd_service;

-- A payment of a run: what the gateway and the books say of it.
CREATE TABLE reconciliation_item (
    id                    bigint GENERATED ALWAYS AS IDENTITY,
    run_id                bigint NOT NULL,
    kind                  text, -- NULL: not examined yet
    outcome               text -- what was done about it; NULL: nothing, or not yet
        CONSTRAINT reconciliation_item_outcome_known CHECK (outcome IN (
            'credited', 'clawed_back', 'receipt_waits', 'needs_person')),
    gateway               text NOT NULL,
    imp_uid               text NOT NULL,
    merchant_uid          text NOT NULL,
    payment_id            text,
    paid_status           text, -- at the gateway; NULL: it knows no such payment
    paid_amount           bigint,
    cancelled_amount      bigint,
    paid_currency         text,
    paid_at               timestamptz,
    purchase_id           bigint, -- NULL: it is not credited
    credited_amount       bigint,
    refunded_amount       bigint,
    credited_currency     text,
    -- What a pending refund of ours will take of a payment: a cancellation at the gateway up to that is no difference.
    pending_refund_amount bigint, -- NULL: no refund of it was pending
    -- What of a payment's refunded amount the gateway is not to cancel.
    transferred_amount    bigint,
    PRIMARY KEY (run_id, id),
    CONSTRAINT reconciliation_item_once UNIQUE (run_id, imp_uid, gateway),
    CONSTRAINT reconciliation_item_outcome_of_difference CHECK (outcome IS NULL OR kind NOT IN ('matched', 'waiting')),
    CONSTRAINT reconciliation_item_kind_known CHECK (kind IN (
        'matched', 'paid_not_credited', 'credited_not_paid', 'amount_differs', 'cancelled_not_clawed_back',
        'refunded_not_cancelled', 'refunded_twice', 'won_not_given_back', 'waiting', 'unreadable'))
);
-- Nothing matches that no gateway knows. Runs of the past may hold such items.
ALTER TABLE reconciliation_item ADD CONSTRAINT reconciliation_item_matched_has_payment
    CHECK (kind <> 'matched' OR paid_status IS NOT NULL) NOT VALID;
-- The few that are not as they should be, among the many that are.
CREATE INDEX reconciliation_item_unmatched ON reconciliation_item (run_id, id) WHERE kind IS NULL OR kind <> 'matched';
GRANT SELECT, INSERT, INSERT (transferred_amount), UPDATE (kind, outcome, paid_status, paid_amount, cancelled_amount,
    paid_currency, paid_at, purchase_id, credited_amount, refunded_amount, credited_currency, pending_refund_amount,
    transferred_amount), DELETE ON reconciliation_item TO ledgerd_service;

-- What people do about a payment that differs between the gateway and the books: who works on it, and notes. It is of the
-- payment, not of one comparison, so that the next comparison shows it too.
CREATE TABLE difference_act (
    id       bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    gateway  text NOT NULL,
    imp_uid  text NOT NULL,
    act      text NOT NULL CONSTRAINT difference_act_known CHECK (act IN ('assign', 'unassign', 'note')),
    by       text NOT NULL, -- the caller, as in the subject of the token
    whom     text, -- who works on it
    reason   text, -- the note
    acted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT difference_act_names_whom CHECK ((act = 'assign') = (whom IS NOT NULL)),
    CONSTRAINT difference_act_has_note CHECK ((act = 'note') = (reason IS NOT NULL))
);
CREATE INDEX difference_act_by_payment ON difference_act (imp_uid, gateway, id);
GRANT SELECT, INSERT (gateway, imp_uid, act, by, whom, reason) ON difference_act TO ledgerd_service;

-- Payments at the gateway that the books can't follow by themselves, for finance: paid and claimed by nobody, paid with
-- an amount that buys nothing, cancelled in part before they were credited. A payment is one finding, with all that is the
-- matter with it. Endpoints that fail, custody that is too little and hours in which more moved than a limit allows are
-- findings, too: one of each kind and hour.
CREATE TABLE finding (
    id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    gateway          text,
    imp_uid          text,
    merchant_uid     text,
    payment_id       text,
    user_id          text, -- who presented its receipt, if anybody did
    amount           bigint,
    currency         text,
    found_at         timestamptz NOT NULL DEFAULT now(),
    resolved_at      timestamptz,
    kinds            text[] NOT NULL, -- all that was found, the last at the end
    paid_at          timestamptz, -- as the gateway says; NULL: not known
    endpoint_id      bigint,
    assigned_to      text, -- who works on it; NULL: nobody
    cancelled_amount bigint, -- what the gateway had cancelled of the payment when it was noted; NULL: not noted
    reopened_at      timestamptz, -- since when it is open again; NULL: since it was found
    named_user       text, -- whom the payment's own data names, as the app or the payer wrote it; NULL: nobody
    -- Whether the books ended it: its payment was credited, its refund decided or its period closed. Somebody's act or the
    -- gateway ended the others that are resolved. One that is opened again loses it (note_reopening).
    ended_by_books   boolean NOT NULL DEFAULT false,
    hour             timestamptz, -- the start of the hour; NULL: it is about something else
    measured         bigint, -- what moved in the hour when it was last looked at: coins, or won of the liability
    hour_limit       bigint, -- the limit then
    CONSTRAINT finding_has_kind CHECK (cardinality(kinds) > 0),
    CONSTRAINT finding_once UNIQUE (imp_uid, gateway),
    CONSTRAINT finding_endpoint_is_known FOREIGN KEY (endpoint_id) REFERENCES endpoint,
    CONSTRAINT finding_is_of_one_thing CHECK (
        num_nulls(gateway, imp_uid, merchant_uid, amount, currency)
        = CASE WHEN endpoint_id IS NULL AND hour IS NULL AND kinds <> '{custody_short}' THEN 0 ELSE 5 END),
    CONSTRAINT finding_hour_is_whole CHECK (num_nulls(hour, measured, hour_limit) IN (0, 3)),
    CONSTRAINT finding_hour_is_above_limit CHECK (measured > hour_limit),
    CONSTRAINT finding_cancelled_not_negative CHECK (cancelled_amount >= 0)
);
CREATE INDEX finding_open ON finding (id) WHERE resolved_at IS NULL;
-- One payment may be told of by two APIs, under one name of its order.
CREATE INDEX finding_by_order ON finding (merchant_uid);
CREATE INDEX finding_of_user ON finding (user_id text_pattern_ops) WHERE user_id IS NOT NULL;
CREATE INDEX finding_by_time ON finding ((coalesce(paid_at, found_at)), amount);
CREATE INDEX finding_by_assignee ON finding (assigned_to) WHERE assigned_to IS NOT NULL;
CREATE UNIQUE INDEX finding_once_an_endpoint ON finding (endpoint_id) WHERE endpoint_id IS NOT NULL;
CREATE UNIQUE INDEX finding_once_of_custody ON finding (kinds) WHERE kinds = '{custody_short}';
-- Several processes that note the same hour note it once.
CREATE UNIQUE INDEX finding_once_an_hour ON finding (kinds, hour) WHERE hour IS NOT NULL;
GRANT SELECT, INSERT, UPDATE (user_id, amount, resolved_at, kinds, paid_at, assigned_to, cancelled_amount, named_user,
    ended_by_books, measured) ON finding TO ledgerd_service;

-- What people do about findings: who works on one, notes, why it was resolved, whom its payment was credited to, that
-- it was given back.
CREATE TABLE finding_act (
    id         bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    finding_id bigint NOT NULL CONSTRAINT finding_act_of_finding REFERENCES finding (id),
    act        text NOT NULL
        CONSTRAINT finding_act_known CHECK (act IN ('assign', 'unassign', 'note', 'resolve', 'claim', 'refund')),
    by         text NOT NULL, -- the caller, as in the subject of the token
    whom       text, -- who works on it; for whom it is claimed
    reason     text, -- the note, or why
    acted_at   timestamptz NOT NULL DEFAULT now(),
    -- What the store had given back by the finding refund_reversed that the act resolved: a person settled the purchase by hand.
    cancelled_amount bigint,
    CONSTRAINT finding_act_names_whom CHECK ((act IN ('assign', 'claim')) = (whom IS NOT NULL)),
    CONSTRAINT finding_act_has_reason CHECK (act NOT IN ('note', 'resolve', 'claim', 'refund') OR reason IS NOT NULL)
);
CREATE INDEX finding_act_by_finding ON finding_act (finding_id, id);
-- Findings of a person.
CREATE INDEX finding_act_of_person ON finding_act (by, finding_id) WHERE act IN ('resolve', 'claim', 'refund');
GRANT SELECT, INSERT ON finding_act TO ledgerd_service;

-- What is in custody for the prepaid money of users, as finance reads it from the custodians. Only added: a wrong balance is
-- followed by the right one.
CREATE TABLE custody_balance (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key        text NOT NULL CONSTRAINT custody_balance_once UNIQUE, -- of the request: one that is sent twice is one balance
    custodian  text NOT NULL, -- the bank, trustee or insurer
    method     text NOT NULL
        CONSTRAINT custody_balance_method_known CHECK (method IN ('trust', 'deposit', 'guarantee_insurance')),
    balance    bigint NOT NULL CONSTRAINT custody_balance_not_negative CHECK (balance >= 0), -- won
    held_at    timestamptz NOT NULL, -- when the custodian held it
    note       text,
    entered_by text NOT NULL, -- the caller, as in the subject of the token
    entered_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT custody_balance_is_of_the_past CHECK (held_at <= entered_at + interval '1 day') -- clocks differ
);
CREATE INDEX custody_balance_latest ON custody_balance (custodian, held_at, id);
GRANT SELECT, INSERT (key, custodian, method, balance, held_at, note, entered_by) ON custody_balance TO ledgerd_service;

-- @after-judges

CREATE TRIGGER settlement_row_settled_is_immutable BEFORE UPDATE ON settlement_row
    FOR EACH ROW WHEN (OLD.status = 'settled') EXECUTE FUNCTION keep_settled_row();
CREATE TRIGGER settlement_row_is_judged AFTER UPDATE ON settlement_row
    REFERENCING NEW TABLE AS new_row FOR EACH STATEMENT EXECUTE FUNCTION judge_settled_rows();
CREATE TRIGGER settlement_row_begins_waiting AFTER INSERT ON settlement_row
    REFERENCING NEW TABLE AS new_row FOR EACH STATEMENT EXECUTE FUNCTION refuse_settled_rows();
CREATE TRIGGER settlement_row_follows_dismissal BEFORE UPDATE ON settlement_row
    FOR EACH ROW WHEN (NEW.status = 'unmatched' OR OLD.is_dismissed) EXECUTE FUNCTION follow_dismissal();
CREATE TRIGGER settlement_row_inserted_is_added_up AFTER INSERT ON settlement_row
    REFERENCING NEW TABLE AS new_row FOR EACH STATEMENT EXECUTE FUNCTION add_up_settlement_rows();
CREATE TRIGGER settlement_row_updated_is_added_up AFTER UPDATE ON settlement_row
    REFERENCING OLD TABLE AS old_row NEW TABLE AS new_row FOR EACH STATEMENT EXECUTE FUNCTION add_up_settlement_rows();
CREATE TRIGGER settlement_dismissal_is_judged AFTER INSERT ON settlement_dismissal
    FOR EACH ROW EXECUTE FUNCTION judge_settlement_dismissal();
CREATE TRIGGER settlement_dismissal_check_is_judged AFTER INSERT ON settlement_dismissal_check
    FOR EACH ROW EXECUTE FUNCTION judge_settlement_dismissal_check();
CREATE TRIGGER reconciliation_run_ended_is_recorded AFTER UPDATE ON reconciliation_run
    FOR EACH ROW WHEN (OLD.status = 'running' AND NEW.status <> 'running') EXECUTE FUNCTION record_reconciliation();
CREATE TRIGGER finding_opened_is_recorded AFTER INSERT ON finding FOR EACH ROW EXECUTE FUNCTION record_finding();
CREATE TRIGGER finding_closed_is_recorded AFTER UPDATE ON finding
    FOR EACH ROW WHEN ((OLD.resolved_at IS NULL) <> (NEW.resolved_at IS NULL)) EXECUTE FUNCTION record_finding();
CREATE TRIGGER finding_reopening_is_noted BEFORE UPDATE ON finding FOR EACH ROW
    WHEN (OLD.resolved_at IS NOT NULL AND NEW.resolved_at IS NULL) EXECUTE FUNCTION note_reopening();
