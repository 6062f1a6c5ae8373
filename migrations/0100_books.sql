-- @compatible-from 0088
-- Pages of the books read sums and not postings, and a closing in the console is one person's proposal and another's decision.

-- Debits and credits of a day's entries, by kind of account: the day on which they are effective, in a time zone. ledgerd adds
-- them up after entries are committed. It is a report of the books, which `ledgerd doctor` compares with the postings.
CREATE TABLE account_day (
    zone     text NOT NULL,
    class    text NOT NULL, -- wallet:paid, bank, …
    currency text NOT NULL,
    day      date NOT NULL,
    debits   bigint NOT NULL,
    credits  bigint NOT NULL,
    PRIMARY KEY (zone, class, currency, day)
);
GRANT SELECT, INSERT, UPDATE (debits, credits) ON account_day TO ledgerd_service;

-- The last entry that is in the sums of a time zone, in the order of the chain.
CREATE TABLE account_day_progress (
    zone           text PRIMARY KEY,
    transaction_id xid8 NOT NULL,
    entry_id       bigint NOT NULL
);
GRANT SELECT, INSERT, UPDATE (transaction_id, entry_id) ON account_day_progress TO ledgerd_service;

-- A closing that one person proposes in the console, and another one carries out or withdraws.
CREATE TABLE closing_proposal (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key           text NOT NULL CONSTRAINT closing_proposal_key_once UNIQUE, -- of the form: one that is sent twice is one
    until         timestamptz NOT NULL, -- everything effective before it is to be closed
    open_items    bigint NOT NULL CONSTRAINT closing_proposal_open_items_not_negative CHECK (open_items >= 0),
    reason        text NOT NULL,
    proposed_by   text NOT NULL,
    proposed_name text NOT NULL,
    proposed_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    status        text NOT NULL DEFAULT 'waiting'
        CONSTRAINT closing_proposal_status_known CHECK (status IN ('waiting', 'closed', 'withdrawn')),
    decided_by    text,
    decided_name  text,
    decided_at    timestamptz,
    CONSTRAINT closing_proposal_decided_by_somebody CHECK (
        num_nonnulls(decided_by, decided_name, decided_at) = CASE status WHEN 'waiting' THEN 0 ELSE 3 END),
    CONSTRAINT closing_proposal_has_second_person CHECK (status <> 'closed' OR decided_by <> proposed_by)
);
CREATE UNIQUE INDEX closing_proposal_waiting_once ON closing_proposal (status) WHERE status = 'waiting';
GRANT SELECT, INSERT (key, until, open_items, reason, proposed_by, proposed_name),
    UPDATE (status, decided_by, decided_name, decided_at) ON closing_proposal TO ledgerd_service;
