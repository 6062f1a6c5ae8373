-- The books: accounts, journal entries and their postings, and what every act leaves under its key.

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

-- Nobody can put a table of his own before the ledger's. A session's temporary tables come first in its search path unless
-- the path names them, so a judge who asked for `account` could be shown another one by whoever posts. So every function
-- sets its path, too. Where the migrating role does not own the database, the database keeps what its owner granted.
DO $$
BEGIN
    EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
END
$$;

-- Ids of all that the engine plans (accounts, entries, purchases, lots). Writers take them in blocks, so the order of
-- ids is not the order of commits.
CREATE SEQUENCE record_id AS bigint INCREMENT BY 4096 MINVALUE 1;
GRANT USAGE ON SEQUENCE record_id TO ledgerd_service;

-- One row: what is fixed when the ledger is created.
CREATE TABLE ledger (
    is_only    boolean PRIMARY KEY DEFAULT true CONSTRAINT ledger_is_one_row CHECK (is_only),
    stripes    bigint NOT NULL CONSTRAINT ledger_stripes_in_range CHECK (stripes BETWEEN 1 AND 64),
    created_at timestamptz NOT NULL DEFAULT now(),
    -- Whether lots count whole days unless a setting says otherwise (docs/decisions/0202-days-of-lots-end-with-the-day.md): not in
    -- ledgers from before there was a choice, whose users were told something else.
    counts_whole_days boolean NOT NULL DEFAULT true
);
GRANT SELECT ON ledger TO ledgerd_service;

-- The accounts of the chart, of users and of providers, each with its totals. docs/accounting.md tells what each means.
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
    -- Never anything but NULL: who may change it may lock the row, and can change nothing.
    row_lock    boolean CONSTRAINT account_row_lock_is_null CHECK (row_lock IS NULL),
    -- Those who owe are few: whether a user does is seen in an index that is next to empty. An index whose condition names
    -- what changes is written anew at every change, and all others of its table with it; whether somebody owes seldom changes.
    owes        boolean NOT NULL
        GENERATED ALWAYS AS (owner IS NOT NULL AND normal_side = 'D' AND debits > credits) STORED,
    -- Earnings: a capture is reversed in the stripe that its user has now, so a provider's coins can be below zero in one stripe;
    -- they are one sum.
    CONSTRAINT account_owned_not_overdrawn CHECK (
        owner IS NULL OR currency = 'KRW' OR code LIKE 'earnings:%' OR CASE normal_side
            WHEN 'D' THEN debits >= credits ELSE credits >= debits END)
) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02); -- room for updates in place: totals are not indexed
-- A writer locks all accounts of its users: one look-up a user instead of one an account that there may be.
-- Users are found by the beginning of their id, too, whatever the collation: text_pattern_ops has the same equality.
CREATE INDEX account_by_owner ON account (owner text_pattern_ops)
    WHERE owner IS NOT NULL AND code NOT LIKE 'earnings:%';
CREATE INDEX account_in_debt ON account (owner) WHERE owes;
CREATE INDEX account_of_earnings ON account (id) WHERE owner IS NOT NULL AND code LIKE 'earnings:%';
GRANT SELECT, INSERT (id, stripe, code, owner, currency, normal_side), UPDATE (row_lock) ON account TO ledgerd_service;

-- What was booked: an entry is the whole balanced record, and its postings are in the table of those.
CREATE TABLE journal_entry (
    id             bigint PRIMARY KEY,
    stripe         bigint NOT NULL,
    kind           text NOT NULL,
    reference      text NOT NULL, -- what it is about, as kind:id
    effective_at   timestamptz NOT NULL, -- when it happened
    recorded_at    timestamptz NOT NULL, -- when we wrote it
    reason         text, -- why, in people's words, where an act asks for it
    reverses       bigint,
    -- What is effective in a closed period never changes again. A truth that comes late is posted at the first open moment
    -- and names the time that it is late for.
    late_for       timestamptz -- when it happened, if that was closed already; NULL: effective_at says it
        CONSTRAINT journal_entry_late_for_is_earlier CHECK (late_for < effective_at),
    -- The order of commits, as far as there is one: ids come in blocks and say nothing of it. What is recorded before the
    -- oldest transaction that still runs is complete. Entries from before there was a chain come first.
    transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
    CONSTRAINT journal_entry_kind_known CHECK (kind IN (
        'purchase', 'grant', 'claw_back', 'debt_payment', 'spend', 'hold', 'capture', 'void', 'expiry', 'refund_hold',
        'refund_release', 'refund', 'settlement', 'spend_reversal', 'capture_reversal', 'refund_payment',
        'refund_reversal', 'debt_bank_payment', 'debt_write_off', 'payout', 'provider_repayment', 'dispute_hold',
        'dispute_release', 'adjustment', 'expiry_reversal', 'debt_write_off_reversal', 'claw_back_reversal',
        'grant_void', 'gift_sent', 'gift_received', 'gift_taken_back', 'gift_returned', 'merge'))
);
-- The entries of a month, without reading those of all years. Entries are written about when they happen, so a
-- block-range index finds them, and costs the writers nothing. ledgerd summarises it (summarise_block_ranges): PostgreSQL's own
-- queue of blocks overflows under load, and it then forgets them and logs each one.
CREATE INDEX journal_entry_by_effective_at ON journal_entry USING brin (effective_at) WITH (autosummarize = off);
CREATE INDEX journal_entry_in_order ON journal_entry (transaction_id, id);
-- What went back of a purchase until a period ended is told by its reversals: the export of the period looks for them. Few
-- entries are any, so the index costs the others nothing.
CREATE INDEX journal_entry_reversing_purchase ON journal_entry (reverses) WHERE kind IN ('refund', 'claw_back');
-- All but transaction_id: nobody who posts may say when he did.
GRANT SELECT, INSERT (id, stripe, kind, reference, effective_at, recorded_at, reason, reverses, late_for)
    ON journal_entry TO ledgerd_service;

-- What the judges know of each kind of entry: a new kind is a row here, and in journal_entry_kind_known. Of a kind that has no
-- row they take nothing.
CREATE TABLE entry_kind (
    kind          text PRIMARY KEY,
    -- The table with what an entry must meet, with its kind and reference; of a hold, refund, payout or dispute also the table
    -- of what followed. NULL: what its postings must meet is enough.
    fact          text,
    reverses      boolean NOT NULL, -- whether an entry may name one that it reverses
    returns_coins boolean NOT NULL, -- whether it gives coins back to lots: of an entry whose kind is its own before `_reversal`
    debt          text CONSTRAINT entry_kind_debt_known CHECK (debt IN ('makes', 'ends', 'moves')) -- what it may do to a debt
);
GRANT SELECT ON entry_kind TO ledgerd_service;

INSERT INTO entry_kind (kind, fact, reverses, returns_coins, debt) VALUES
    ('purchase',                'purchase',           false, false, NULL),
    ('grant',                   NULL,                 false, false, NULL),
    ('claw_back',               'purchase_reversal',  true,  false, 'makes'),
    ('debt_payment',            NULL,                 false, false, 'ends'),
    ('spend',                   NULL,                 false, false, NULL),
    ('hold',                    'hold',               false, false, NULL),
    ('capture',                 'hold',               false, false, NULL),
    ('void',                    'hold',               true,  false, NULL),
    ('expiry',                  NULL,                 false, false, NULL),
    ('refund_hold',             'refund',             false, false, NULL),
    ('refund_release',          'refund',             true,  false, NULL),
    ('refund',                  'refund',             true,  false, NULL),
    ('settlement',              'settlement_row',     false, false, NULL),
    ('spend_reversal',          'coin_return',        true,  true,  NULL),
    ('capture_reversal',        'coin_return',        true,  true,  NULL),
    ('refund_payment',          'refund',             false, false, NULL),
    ('refund_reversal',         'refund',             true,  true,  NULL),
    ('debt_bank_payment',       'debt_bank_payment',  false, false, 'ends'),
    ('debt_write_off',          NULL,                 false, false, 'ends'),
    ('payout',                  'payout',             false, false, NULL),
    ('provider_repayment',      'provider_repayment', false, false, NULL),
    ('dispute_hold',            'coin_freeze',        false, false, NULL),
    ('dispute_release',         'coin_freeze',        false, false, NULL),
    ('adjustment',              'adjustment',         false, false, NULL),
    ('expiry_reversal',         'refund',             false, false, NULL),
    ('debt_write_off_reversal', NULL,                 false, false, 'makes'),
    ('claw_back_reversal',      'dispute',            true,  true,  'ends'),
    ('grant_void',              'grant_void',         true,  false, NULL),
    ('gift_sent',               'gift',               false, false, NULL),
    ('gift_received',           'gift',               false, false, NULL),
    ('gift_taken_back',         'gift',               false, false, NULL),
    ('gift_returned',           'gift',               false, false, NULL),
    ('merge',                   'user_merge',         false, false, 'moves');

-- One side of an entry: an amount on an account, numbered along the account, with the balance after it.
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
CREATE INDEX posting_by_journal_entry ON posting USING brin (journal_entry_id) WITH (pages_per_range = 16, autosummarize = off);
GRANT SELECT, INSERT ON posting TO ledgerd_service;

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

-- A transaction's tally: what its facts say of the same things, weighed and added up, must come to nothing.
--
-- Each judge adds what its rows say of an entry (so many coins into this wallet, so many into the lots of this user), the
-- two sides with opposite signs, each times a weight drawn from the entry, its stripe, the thing and a number that nobody
-- can guess. What names an entry of another transaction or stripe has nothing to cancel it out.
-- Sums that agree cancel out; sums that differ do not, but for one chance in 2^60. So entries and lots, holds, refunds and
-- purchases are compared entry by entry without being joined or read again (decision 0101).
--
-- A row lives from the first judge to the end of its transaction; nobody else ever sees one, and none survives a crash.
CREATE UNLOGGED TABLE transaction_tally (
    transaction_id xid8 PRIMARY KEY,
    salt           bigint NOT NULL,
    recorded_at    timestamptz, -- of all its entries
    entries        numeric NOT NULL DEFAULT 0, -- entries, their postings, and the purchases that they record
    lots           numeric NOT NULL DEFAULT 0, -- postings and lots
    facts          numeric NOT NULL DEFAULT 0, -- postings and purchases, reversals, holds, refunds, settlements
    holds          numeric NOT NULL DEFAULT 0, -- holds, their lots, and what is held of those
    purchases      numeric NOT NULL DEFAULT 0 -- purchases and the lots that they made
) WITH (fillfactor = 10); -- its page holds a few rows, updated in place

-- Outcomes of commands that carry a key of their own: the same key again is answered with the first outcome.
CREATE TABLE idempotency (
    key              text,
    command          text NOT NULL,
    fingerprint      text NOT NULL, -- of the command's content: the same key with another content is refused
    outcome          jsonb NOT NULL,
    journal_entry_id bigint,
    recorded_at      timestamptz NOT NULL,
    -- A key belongs to the caller who chose it: two services that choose the same one do not meet.
    caller           text NOT NULL,
    PRIMARY KEY (key, caller)
);
CREATE INDEX idempotency_of_entry ON idempotency (journal_entry_id) WHERE command IN ('spend', 'capture');
GRANT SELECT, INSERT ON idempotency TO ledgerd_service;

-- @after-judges

CREATE CONSTRAINT TRIGGER transaction_tally_is_judged AFTER INSERT ON transaction_tally
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION judge_tally();
CREATE TRIGGER idempotency_is_judged AFTER INSERT ON idempotency
    REFERENCING NEW TABLE AS new_outcome FOR EACH STATEMENT EXECUTE FUNCTION judge_outcomes();

-- Purchases are decided by functions of the database (schema/judges/crediting.sql), which have nothing to be compared with: the
-- judges of these tables are asked of everything but what those functions write. A function says so of itself in a setting,
-- which counts only for who may set triggers on the books, as the tables' owner may, whose functions they are; the service may
-- say it and is judged. The owner's own rows are judged as ever.
DO $$
DECLARE
    judged record;
BEGIN
    FOR judged IN
        SELECT * FROM (VALUES
            ('account', 'new_account', 'judge_accounts'), ('journal_entry', 'new_entry', 'judge_entries'),
            ('posting', 'new_posting', 'judge_postings'), ('purchase', 'new_purchase', 'judge_purchases'),
            ('lot', 'new_lot', 'judge_lots')) AS list (name, new_rows, judge)
    LOOP
        EXECUTE format(
            $trigger$ CREATE TRIGGER %I AFTER INSERT ON %I REFERENCING NEW TABLE AS %I FOR EACH STATEMENT
            WHEN (current_setting('ledgerd.crediting', true) IS DISTINCT FROM 'on'
                OR NOT has_table_privilege('posting'::regclass, 'TRIGGER'))
            EXECUTE FUNCTION %I() $trigger$,
            judged.name || '_is_judged', judged.name, judged.new_rows, judged.judge);
    END LOOP;
END
$$;

-- What is written stays written, for the owner of the tables too.
DO $$
DECLARE
    name text;
BEGIN
    -- Rows of these tables never change and never go.
    FOREACH name IN ARRAY ARRAY[
        'journal_entry', 'posting', 'closed_period', 'chain_link', 'entry_salt', 'account_salt', 'seal', 'purchase_reversal',
        'claw_back_reversal', 'payment_name', 'lot_movement', 'grant_void', 'hold_event', 'coin_return', 'gift', 'gift_lot',
        'refund_decision', 'debt_bank_payment', 'dispute_decision', 'dispute_win', 'coin_freeze', 'provider_terms',
        'payout_item', 'payout_part', 'payout_decision', 'payout_entry', 'occurrence', 'event', 'settlement_dismissal',
        'settlement_dismissal_check', 'finding_act', 'difference_act', 'custody_balance', 'accounting_policy',
        'adjustment_basis', 'adjustment', 'adjustment_cohort', 'audit', 'audit_outcome', 'customer_note', 'store_product',
        'user_merge', 'forgotten_payment'
    ] LOOP
        EXECUTE format(
            'CREATE TRIGGER %I BEFORE UPDATE OR DELETE OR TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()',
            name || '_is_immutable', name);
    END LOOP;
    -- Rows of these tables change, as their judges say, and never go.
    FOREACH name IN ARRAY ARRAY[
        'account', 'purchase', 'lot', 'hold', 'hold_lot', 'refund', 'payout', 'provider_share', 'provider_repayment',
        'settlement_row', 'approval', 'store_account', 'store_delivery', 'store_consent', 'refund_question', 'forgetting'
    ] LOOP
        EXECUTE format(
            'CREATE TRIGGER %I BEFORE DELETE OR TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()',
            name || '_is_kept', name);
    END LOOP;
END
$$;
