-- The books: accounts, journal entries and their postings, and the judge that refuses what does not balance.
-- docs/accounting.md tells what each account means.

-- The service's rights belong to a group without a login: grant it to the role the service logs in as.
-- Roles are shared by all databases of a server, so it may be there already.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'ledgerd_service') THEN
        CREATE ROLE ledgerd_service NOLOGIN;
    END IF;
EXCEPTION
    WHEN duplicate_object OR unique_violation THEN NULL; -- another database's migration made it meanwhile
    WHEN insufficient_privilege THEN
        RAISE EXCEPTION 'the role ledgerd_service does not exist and % may not create it', current_user
            USING HINT = 'As a superuser: CREATE ROLE ledgerd_service NOLOGIN;';
END
$$;

REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO ledgerd_service;

GRANT SELECT ON migration TO ledgerd_service;

-- Ids of all that the engine plans (accounts, entries, purchases, lots). Writers take them in blocks, so the order of
-- ids is not the order of commits.
CREATE SEQUENCE record_id AS bigint INCREMENT BY 4096 MINVALUE 1;
GRANT USAGE ON SEQUENCE record_id TO ledgerd_service;

-- One row: what is fixed when the ledger is created.
CREATE TABLE ledger (
    is_only    boolean PRIMARY KEY DEFAULT true CONSTRAINT ledger_is_one_row CHECK (is_only),
    stripes    bigint NOT NULL CONSTRAINT ledger_stripes_in_range CHECK (stripes BETWEEN 1 AND 64),
    created_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT ON ledger TO ledgerd_service;

CREATE TABLE account (
    id          bigint PRIMARY KEY,
    stripe      bigint NOT NULL,
    code        text NOT NULL CONSTRAINT account_code_unique UNIQUE,
    owner       text, -- the user or provider whose account it is; NULL: a system account
    currency    text NOT NULL CONSTRAINT account_currency_is_code CHECK (currency ~ '^[A-Z]{3,4}$'),
    normal_side text NOT NULL CONSTRAINT account_normal_side_is_d_or_c CHECK (normal_side IN ('D', 'C')),
    debits      bigint NOT NULL DEFAULT 0 CONSTRAINT account_debits_not_negative CHECK (debits >= 0),
    credits     bigint NOT NULL DEFAULT 0 CONSTRAINT account_credits_not_negative CHECK (credits >= 0),
    seq         bigint NOT NULL DEFAULT 0, -- number of its last posting
    posted_at   timestamptz, -- when its last posting was recorded; never goes back
    balance     bigint NOT NULL GENERATED ALWAYS AS
        (CASE normal_side WHEN 'D' THEN debits - credits ELSE credits - debits END) STORED,
    CONSTRAINT account_owned_not_overdrawn CHECK (
        owner IS NULL OR CASE normal_side WHEN 'D' THEN debits >= credits ELSE credits >= debits END
    )
) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02); -- room for updates in place: totals are not indexed
GRANT SELECT, INSERT, UPDATE (debits, credits, seq, posted_at) ON account TO ledgerd_service;

CREATE TABLE journal_entry (
    id           bigint PRIMARY KEY,
    stripe       bigint NOT NULL,
    kind         text NOT NULL,
    reference    text NOT NULL, -- what it is about, as kind:id
    effective_at timestamptz NOT NULL, -- when it happened
    recorded_at  timestamptz NOT NULL, -- when we wrote it
    reason       text, -- why, in people's words, where an act asks for it
    reverses     bigint CONSTRAINT journal_entry_reverses_an_entry REFERENCES journal_entry (id)
);
GRANT SELECT, INSERT ON journal_entry TO ledgerd_service;

CREATE TABLE posting (
    account_id       bigint NOT NULL,
    seq              bigint NOT NULL CONSTRAINT posting_seq_positive CHECK (seq > 0),
    journal_entry_id bigint NOT NULL,
    stripe           bigint NOT NULL,
    amount           bigint NOT NULL CONSTRAINT posting_amount_positive CHECK (amount > 0),
    balance          bigint NOT NULL, -- the account's, on its normal side, after this posting
    currency         text NOT NULL,
    side             text NOT NULL CONSTRAINT posting_side_is_d_or_c CHECK (side IN ('D', 'C')),
    PRIMARY KEY (account_id, seq)
);
-- Entries are read back by people, seldom, and lie together on disk: a block-range index costs the writers nothing.
CREATE INDEX posting_by_journal_entry ON posting USING brin (journal_entry_id) WITH (pages_per_range = 16);
GRANT SELECT, INSERT ON posting TO ledgerd_service;

-- Judges every INSERT of postings as a whole, once per statement (a foreign key would ask row by row). Each entry's
-- postings must come in one statement, sum to zero in each currency and lie in the entry's stripe; each account's must
-- follow its last one, number by number, and end in the totals that the account was given. Nothing is ever deleted from
-- account or journal_entry, so what held at insert holds for good.
CREATE FUNCTION judge_postings() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    wrong record;
BEGIN
    SELECT sums.journal_entry_id, sums.currency, sums.debited INTO wrong
        FROM (
            SELECT journal_entry_id, currency, min(stripe) AS low_stripe, max(stripe) AS high_stripe,
                sum(CASE side WHEN 'D' THEN amount ELSE -amount END) AS debited
            FROM new_posting
            GROUP BY journal_entry_id, currency
        ) AS sums
        LEFT JOIN journal_entry AS entry ON entry.id = sums.journal_entry_id
        WHERE sums.debited <> 0 OR entry.id IS NULL
            OR entry.stripe <> sums.low_stripe OR entry.stripe <> sums.high_stripe
        ORDER BY sums.debited = 0
        LIMIT 1;
    IF FOUND AND wrong.debited <> 0 THEN
        RAISE EXCEPTION 'journal entry % does not balance in %', wrong.journal_entry_id, wrong.currency
            USING ERRCODE = 'check_violation', TABLE = 'posting', CONSTRAINT = 'journal_entry_balances';
    ELSIF FOUND THEN
        RAISE EXCEPTION 'the postings of journal entry % do not fit it', wrong.journal_entry_id
            USING ERRCODE = 'foreign_key_violation', TABLE = 'posting', CONSTRAINT = 'posting_fits_account_and_entry';
    END IF;

    SELECT sums.account_id INTO wrong
        FROM (
            SELECT account_id, count(*) AS count, min(seq) AS first, max(seq) AS last,
                (max(ARRAY[seq, balance]))[2] AS balance,
                min(stripe) AS low_stripe, max(stripe) AS high_stripe,
                min(currency) AS low_currency, max(currency) AS high_currency,
                sum(CASE side WHEN 'D' THEN amount ELSE -amount END) AS debited
            FROM new_posting
            GROUP BY account_id
        ) AS sums
        LEFT JOIN account ON account.id = sums.account_id
        LEFT JOIN posting AS before ON before.account_id = sums.account_id AND before.seq = sums.first - 1
        WHERE account.id IS NULL
            OR account.stripe <> sums.low_stripe OR account.stripe <> sums.high_stripe
            OR account.currency <> sums.low_currency OR account.currency <> sums.high_currency
            OR sums.count <> sums.last - sums.first + 1 OR account.seq <> sums.last
            OR sums.first > 1 AND before.seq IS NULL
            OR account.balance <> sums.balance
            OR account.balance <> coalesce(before.balance, 0)
                + CASE account.normal_side WHEN 'D' THEN sums.debited ELSE -sums.debited END
        LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'the postings of account % do not fit it', wrong.account_id
            USING ERRCODE = 'foreign_key_violation', TABLE = 'posting', CONSTRAINT = 'posting_fits_account_and_entry';
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER posting_is_judged AFTER INSERT ON posting
    REFERENCING NEW TABLE AS new_posting
    FOR EACH STATEMENT EXECUTE FUNCTION judge_postings();

-- What is written stays written, for the owner of the tables too.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is forbidden: the journal is append-only', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege', HINT = 'Post a reversal instead.';
END
$$;

CREATE TRIGGER journal_entry_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON journal_entry
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER posting_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON posting
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER account_is_kept BEFORE DELETE OR TRUNCATE ON account
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The number of an account's last posting recorded at or before a moment, 0 if none. recorded_at never falls along an
-- account's seq, so halving finds it in a few look-ups by key, without an index that every posting would pay for.
CREATE FUNCTION posting_seq_as_of(of_account bigint, moment timestamptz) RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
DECLARE
    low    bigint := 0;
    high   bigint := (SELECT seq FROM account WHERE id = of_account);
    middle bigint;
BEGIN
    WHILE low < high LOOP
        middle := (low + high + 1) / 2;
        IF (SELECT entry.recorded_at <= moment
            FROM posting JOIN journal_entry AS entry ON entry.id = posting.journal_entry_id
            WHERE posting.account_id = of_account AND posting.seq = middle) THEN
            low := middle;
        ELSE
            high := middle - 1;
        END IF;
    END LOOP;
    RETURN low;
END
$$;

-- Outcomes of commands that carry a key of their own: the same key again is answered with the first outcome.
CREATE TABLE idempotency (
    key              text PRIMARY KEY,
    command          text NOT NULL,
    fingerprint      text NOT NULL, -- of the command's content: the same key with another content is refused
    outcome          jsonb NOT NULL,
    journal_entry_id bigint,
    recorded_at      timestamptz NOT NULL
);
GRANT SELECT, INSERT ON idempotency TO ledgerd_service;
