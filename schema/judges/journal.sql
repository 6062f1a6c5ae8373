-- The judges of accounts, entries, postings, tallies and outcomes, and what all judges use.

-- What is written stays written, for the owner of the tables too. What is of a user who is forgotten loses ids and words.
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND is_forgetting() THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION '% of % is forbidden: the journal is append-only', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege', HINT = 'Post a reversal instead.';
END
$$;

-- The tally as it stands, begun if need be.
CREATE OR REPLACE FUNCTION current_tally() RETURNS transaction_tally LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    tally transaction_tally;
BEGIN
    SELECT * INTO tally FROM transaction_tally WHERE transaction_id = pg_current_xact_id();
    IF NOT FOUND THEN
        INSERT INTO transaction_tally (transaction_id, salt)
        VALUES (pg_current_xact_id(), hashtextextended(gen_random_uuid()::text, 0))
        RETURNING * INTO tally;
    END IF;
    RETURN tally;
END
$$;

-- The number of this transaction that nobody can guess.
CREATE OR REPLACE FUNCTION tally_salt() RETURNS bigint LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    RETURN (current_tally()).salt;
END
$$;

-- When the transaction's entries were recorded; NULL: it has none. In plpgsql, because a function in SQL is planned at every
-- call.
CREATE OR REPLACE FUNCTION tally_recorded_at() RETURNS timestamptz LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    RETURN (current_tally()).recorded_at;
END
$$;

-- Adds what the rows of a judge weigh.
CREATE OR REPLACE FUNCTION add_to_tally(
    more_entries numeric DEFAULT 0, more_lots numeric DEFAULT 0, more_facts numeric DEFAULT 0,
    more_holds numeric DEFAULT 0, more_purchases numeric DEFAULT 0
) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    UPDATE transaction_tally
    SET entries = entries + coalesce(more_entries, 0), lots = lots + coalesce(more_lots, 0),
        facts = facts + coalesce(more_facts, 0), holds = holds + coalesce(more_holds, 0),
        purchases = purchases + coalesce(more_purchases, 0)
    WHERE transaction_id = pg_current_xact_id();
    IF NOT FOUND THEN
        RAISE EXCEPTION 'facts are judged at the end of their transaction'
            USING ERRCODE = 'check_violation', TABLE = 'journal_entry', CONSTRAINT = 'transaction_facts_agree',
                HINT = 'Leave transaction_tally_is_judged deferred.';
    END IF;
END
$$;

-- System accounts are made with the ledger, by the tables' owner; a user's or provider's is named so that it is theirs. A
-- provider's won have an account in each stripe. A constraint would say the same at every posting.
CREATE OR REPLACE FUNCTION judge_accounts() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM new_account WHERE owner IS NULL)
        AND NOT pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE')
    THEN
        RAISE EXCEPTION 'system accounts are made by migrations alone'
            USING ERRCODE = 'insufficient_privilege', TABLE = 'account';
    ELSIF EXISTS (
        SELECT FROM new_account
        WHERE owner IS NOT NULL AND NOT (
            stripe >= 0 AND stripe < (SELECT stripes FROM ledger)
            AND currency = CASE WHEN code LIKE 'payable:%' THEN 'KRW' ELSE 'COIN' END AND CASE
                WHEN code = 'debt:' || owner THEN normal_side = 'D'
                ELSE normal_side = 'C' AND (
                    code IN ('wallet:' || owner || ':paid', 'wallet:' || owner || ':bonus',
                        'held:' || owner || ':paid', 'held:' || owner || ':bonus')
                    OR code IN ('earnings:' || owner || '/' || stripe, 'payable:' || owner || '/' || stripe)) END)
    ) THEN
        RAISE EXCEPTION 'an account''s code, owner, currency and side do not fit each other'
            USING ERRCODE = 'check_violation', TABLE = 'account', CONSTRAINT = 'account_code_fits_owner';
    ELSIF EXISTS (SELECT FROM new_account WHERE debits <> 0 OR credits <> 0 OR seq <> 0 OR posted_at IS NOT NULL) THEN
        RAISE EXCEPTION 'an account begins as one that was posted to'
            USING ERRCODE = 'check_violation', TABLE = 'account', CONSTRAINT = 'account_begins_empty';
    END IF;
    RETURN NULL;
END
$$;

-- An entry is effective in an open period and recorded with all entries of its transaction. A reversal names the entry that
-- it reverses. Kinds with a fact of their own must meet it: their kind and reference are weighed, too. What judges
-- ask of kinds they read as an array, once in a statement: the plan of a join would depend on statistics.
CREATE OR REPLACE FUNCTION judge_entries() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    tally transaction_tally := current_tally();
    open_from timestamptz := closed_until();
    wrong bigint;
    entries record;
BEGIN
    SELECT min(recorded_at) AS first, max(recorded_at) AS last, min(effective_at) AS effective_from,
        bool_or(NOT isfinite(recorded_at) OR recorded_at > clock_timestamp() + interval '31 days') AS is_beyond,
        bool_or(reverses IS NOT NULL) AS has_reversals,
        -- What has a fact of its own must meet it: its kind and reference are weighed too.
        sum(hashtextextended(id || '/' || stripe, tally.salt)::numeric * (1 + CASE
            WHEN kind = ANY (ARRAY(SELECT kind FROM entry_kind WHERE fact IS NULL)) THEN 0
            ELSE hashtextextended(kind || '/' || reference, tally.salt)::numeric END)) AS weight
        INTO entries FROM new_entry;
    IF entries.effective_from < open_from THEN
        RAISE EXCEPTION 'journal entry % is effective before %, and that is closed',
            (SELECT id FROM new_entry WHERE effective_at < open_from LIMIT 1), open_from
            USING ERRCODE = 'check_violation', TABLE = 'journal_entry', CONSTRAINT = 'journal_entry_in_open_period';
    END IF;
    -- Later transactions than one that reads an old state may have closed what it takes for open.
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'entries are written in transactions that are READ COMMITTED'
            USING ERRCODE = 'check_violation', TABLE = 'journal_entry', CONSTRAINT = 'journal_entry_in_open_period';
    END IF;
    IF entries.has_reversals THEN
        SELECT entry.id INTO wrong
            FROM new_entry AS entry
            LEFT JOIN journal_entry AS reversed ON reversed.id = entry.reverses
            -- What a user did who was merged into another is reversed in the stripe of that one.
            WHERE entry.reverses IS NOT NULL AND (reversed.stripe IS DISTINCT FROM entry.stripe AND NOT EXISTS (
                    SELECT FROM user_alias WHERE former_stripe = reversed.stripe AND stripe = entry.stripe)
                OR reversed.id = entry.id OR reversed.recorded_at > entry.recorded_at
                OR entry.kind <> ALL (ARRAY(SELECT kind FROM entry_kind WHERE reverses)))
            LIMIT 1;
        IF FOUND THEN
            RAISE EXCEPTION 'journal entry % can''t reverse what it names', wrong
                USING ERRCODE = 'foreign_key_violation', TABLE = 'journal_entry',
                    CONSTRAINT = 'journal_entry_reverses_an_entry';
        END IF;
    END IF;
    IF entries.first <> entries.last OR entries.is_beyond OR entries.last <> coalesce(tally.recorded_at, entries.last) THEN
        RAISE EXCEPTION 'the entries of a transaction are recorded at one time, and not in the future'
            USING ERRCODE = 'check_violation', TABLE = 'journal_entry', CONSTRAINT = 'journal_entry_recorded_at_one';
    END IF;
    UPDATE transaction_tally SET recorded_at = entries.last WHERE transaction_id = tally.transaction_id;
    PERFORM add_to_tally(more_entries => entries.weight);
    RETURN NULL;
END
$$;

-- Judges every INSERT of postings as a whole, once per statement (a foreign key would ask row by row). Each entry's
-- postings must come in one statement, in the transaction of the entry, sum to zero in each currency and lie in its stripe.
-- Each account's must follow its last one, number by number and balance by balance; they are then its totals. What they
-- post must meet facts. What was written off of a debt is owed again only as far as it is paid now.
CREATE OR REPLACE FUNCTION judge_postings() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    tally transaction_tally := current_tally();
    salt bigint := tally.salt;
    entries record;
    accounts record;
BEGIN
    SELECT min(id) FILTER (WHERE is_unbalanced) AS unbalanced, min(id) FILTER (WHERE low_stripe <> high_stripe) AS misfit,
        sum(hashtextextended(id || '/' || low_stripe, salt)) AS weight
        INTO entries
        FROM (
            SELECT journal_entry_id AS id, min(stripe) AS low_stripe, max(stripe) AS high_stripe,
                bool_or(debited <> 0) AS is_unbalanced
            FROM (
                SELECT journal_entry_id, stripe, sum(CASE side WHEN 'D' THEN amount ELSE -amount END) AS debited
                FROM new_posting
                GROUP BY journal_entry_id, stripe, currency
            ) AS in_currency
            GROUP BY journal_entry_id
        ) AS entry;
    IF entries.unbalanced IS NOT NULL THEN
        RAISE EXCEPTION 'journal entry % does not balance', entries.unbalanced
            USING ERRCODE = 'check_violation', TABLE = 'posting', CONSTRAINT = 'journal_entry_balances';
    ELSIF entries.misfit IS NOT NULL THEN
        RAISE EXCEPTION 'the postings of journal entry % do not fit it', entries.misfit
            USING ERRCODE = 'foreign_key_violation', TABLE = 'posting', CONSTRAINT = 'posting_fits_account_and_entry';
    END IF;

    -- An account of which postings say two stripes or currencies makes two groups, and fits one of them at most.
    WITH line AS (
        SELECT account_id, stripe, currency, seq, journal_entry_id, side, amount, balance,
            CASE side WHEN 'D' THEN amount ELSE -amount END AS debited,
            balance - lag(balance) OVER earlier AS step, -- NULL: the account's first
            journal_entry_id > lag(journal_entry_id) OVER earlier AS is_later
        FROM new_posting
        WINDOW earlier AS (PARTITION BY account_id, stripe, currency ORDER BY seq)
    ), sums AS (
        SELECT account_id, stripe, currency, count(*) AS count, min(seq) AS first, max(seq) AS last,
            sum(debited) FILTER (WHERE debited > 0) AS debits, -sum(debited) FILTER (WHERE debited < 0) AS credits,
            max(balance) FILTER (WHERE step IS NULL) AS first_balance,
            max(debited) FILTER (WHERE step IS NULL) AS first_debited,
            count(*) FILTER (WHERE step = debited) AS risen, count(*) FILTER (WHERE step = -debited) AS fallen,
            coalesce(bool_and(is_later), true) AS is_in_order,
            -sum(debited * hashtextextended(journal_entry_id || '/' || stripe, salt)::numeric) AS credited
        FROM line
        GROUP BY account_id, stripe, currency
    ), changed AS (
        -- Nobody posts for an id that refers to another one.
        UPDATE account
        SET debits = account.debits + coalesce(sums.debits, 0)::bigint,
            credits = account.credits + coalesce(sums.credits, 0)::bigint,
            seq = sums.last, posted_at = tally.recorded_at
        FROM sums
        WHERE account.id = sums.account_id AND account.stripe = sums.stripe AND account.currency = sums.currency
            AND (account.posted_at IS NULL OR account.posted_at <= tally.recorded_at)
            AND account.seq = sums.first - 1 AND sums.count = sums.last - sums.first + 1
            AND sums.first_balance - account.balance
                = CASE account.normal_side WHEN 'D' THEN sums.first_debited ELSE -sums.first_debited END
            AND sums.count - 1 = CASE account.normal_side WHEN 'D' THEN sums.risen ELSE sums.fallen END
            AND NOT (account.code ~ '^(wallet|held|debt):'
                AND EXISTS (SELECT FROM user_alias WHERE user_alias.former = account.owner OFFSET 0))
        RETURNING CASE WHEN owner IS NULL THEN split_part(code, '/', 1) ELSE code END AS name,
            split_part(code, ':', 1) AS family, owner, owner IS NULL AS is_systems, sums.credited,
            sums.currency NOT IN ('COIN', 'KRW') AS is_foreign
    )
    SELECT (SELECT count(*) FROM sums) AS posted_to, (SELECT bool_and(is_in_order) FROM sums) AS are_in_order,
        count(*) AS changed, bool_or(family = 'debt' AND NOT is_systems) AS has_debt,
        sum(credited * hashtextextended(name, salt)) FILTER (
            WHERE CASE WHEN is_systems THEN name IN ('coins:deferred-revenue', 'coins:expired', 'revenue:breakage')
                ELSE family IN ('wallet', 'held') END) AS lots,
        coalesce(
            sum(credited * hashtextextended(name, salt)) FILTER (
                WHERE is_systems AND (is_foreign OR family = 'fx' OR name IN (
                    'gateway:receivable', 'app-store:receivable', 'google-play:receivable', 'coins:issued',
                    'coins:promotions', 'revenue:refund-fees', 'bank',
                    'refunds:payable', 'revenue:commission', 'cost:providers', 'tax:withholding-payable',
                    'coins:expected-breakage', 'revenue:expected-breakage', 'coins:deferred-bonus',
                    'revenue:bonus-allocation', 'clearing:coins', 'clearing:won'))), 0)
        + coalesce(
            sum(credited * hashtextextended(family || ':' || owner, salt)) FILTER (
                WHERE family IN ('held', 'payable')), 0)
        AS facts
        INTO accounts FROM changed;
    IF accounts.changed <> accounts.posted_to THEN
        RAISE EXCEPTION 'the postings do not fit % of their % accounts', accounts.posted_to - accounts.changed,
            accounts.posted_to
            USING ERRCODE = 'foreign_key_violation', TABLE = 'posting', CONSTRAINT = 'posting_fits_account_and_entry';
    END IF;
    -- Where each posting of an account is of a later entry than the one before it, none is of the same.
    IF NOT accounts.are_in_order
        AND EXISTS (SELECT FROM new_posting GROUP BY journal_entry_id, account_id HAVING count(*) > 1)
    THEN
        RAISE EXCEPTION 'an entry posts to one account twice'
            USING ERRCODE = 'check_violation', TABLE = 'posting', CONSTRAINT = 'posting_once_an_account';
    END IF;
    IF accounts.has_debt AND EXISTS (
        SELECT FROM new_posting AS posting
        CROSS JOIN LATERAL (SELECT code FROM account WHERE account.id = posting.account_id OFFSET 0) AS account
        CROSS JOIN LATERAL (
            SELECT kind FROM journal_entry WHERE journal_entry.id = posting.journal_entry_id OFFSET 0
        ) AS entry
        WHERE account.code LIKE 'debt:%' AND NOT CASE posting.side
            WHEN 'D' THEN entry.kind = ANY (ARRAY(SELECT kind FROM entry_kind WHERE debt IN ('makes', 'moves')))
            ELSE entry.kind = ANY (ARRAY(SELECT kind FROM entry_kind WHERE debt IN ('ends', 'moves'))) END
    ) THEN
        RAISE EXCEPTION 'claw-backs alone make debts, and their reversals, payments and write-offs of debts alone end them'
            USING ERRCODE = 'check_violation', TABLE = 'posting', CONSTRAINT = 'debt_by_claw_back';
    END IF;
    PERFORM add_to_tally(
        more_entries => -entries.weight, more_lots => accounts.lots, more_facts => accounts.facts);
    RETURN NULL;
END
$$;

-- At the end of the transaction. Whoever asks for it earlier, with SET CONSTRAINTS, can't add to the tally after that.
CREATE OR REPLACE FUNCTION judge_tally() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    tally transaction_tally;
    differ text;
BEGIN
    DELETE FROM transaction_tally WHERE transaction_id = NEW.transaction_id RETURNING * INTO tally;
    differ := concat_ws(', ',
        CASE WHEN tally.entries <> 0 THEN 'entries and their postings or purchases' END,
        CASE WHEN tally.lots <> 0 THEN 'postings and lots' END,
        CASE WHEN tally.facts <> 0 THEN 'postings and the purchases, reversals, holds, refunds or payouts they are of' END,
        CASE WHEN tally.holds <> 0 THEN 'holds and their lots' END,
        CASE WHEN tally.purchases <> 0 THEN 'purchases and their lots' END);
    IF differ <> '' THEN
        RAISE EXCEPTION 'the transaction''s % do not agree', differ
            USING ERRCODE = 'check_violation', TABLE = 'journal_entry', CONSTRAINT = 'transaction_facts_agree';
    END IF;
    RETURN NULL;
END
$$;

-- An outcome that names an entry is recorded with it.
CREATE OR REPLACE FUNCTION judge_outcomes() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF EXISTS (
        SELECT FROM new_outcome AS outcome
        LEFT JOIN journal_entry AS entry ON entry.id = outcome.journal_entry_id
        WHERE outcome.journal_entry_id IS NOT NULL
            AND (entry.id IS NULL OR entry.transaction_id <> pg_current_xact_id())
    ) THEN
        RAISE EXCEPTION 'an outcome does not fit its journal entry'
            USING ERRCODE = 'foreign_key_violation', TABLE = 'idempotency', CONSTRAINT = 'idempotency_fits_entry';
    END IF;
    RETURN NULL;
END
$$;

-- The number of an account's last posting recorded at or before a moment, 0 if none. recorded_at never falls along an
-- account's seq, so halving finds it in a few look-ups by key, without an index that every posting would pay for.
CREATE OR REPLACE FUNCTION posting_seq_as_of(of_account bigint, moment timestamptz) RETURNS bigint
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    low    bigint := 0;
    high   bigint := (SELECT seq FROM account WHERE id = of_account);
    middle bigint;
BEGIN
    WHILE low < high LOOP
        middle := (low + high + 1) / 2;
        -- No join: PostgreSQL must look up by key, also in a plan that it made while the tables were empty.
        IF (SELECT recorded_at FROM journal_entry
            WHERE id = (
                SELECT posting.journal_entry_id FROM posting
                WHERE posting.account_id = of_account AND posting.seq = middle)) <= moment THEN
            low := middle;
        ELSE
            high := middle - 1;
        END IF;
    END LOOP;
    RETURN low;
END
$$;

-- The account's last posting up to an event: its balance is the one after the event. The last of all is the one most often
-- looked for.
CREATE OR REPLACE FUNCTION posting_seq_at_event(of_account bigint, event_seq bigint) RETURNS bigint LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    low    bigint := 0;
    high   bigint := (SELECT seq FROM account WHERE id = of_account);
    middle bigint := high;
BEGIN
    WHILE low < high LOOP
        -- No join, as above.
        IF (SELECT event.seq FROM event
            WHERE event.id = (
                SELECT posting.journal_entry_id FROM posting
                WHERE posting.account_id = of_account AND posting.seq = middle)) <= event_seq THEN
            low := middle;
        ELSE
            high := middle - 1;
        END IF;
        middle := (low + high + 1) / 2;
    END LOOP;
    RETURN low;
END
$$;

-- Summarises the new blocks in the block-range indexes; returns how many ranges. Until then each look-up reads all new blocks.
-- A vacuum summarises too. Whoever waits for it longer than a second (deadlock_timeout) ends it, so it is left alone.
CREATE OR REPLACE FUNCTION summarise_block_ranges() RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '100ms' AS $$
DECLARE
    index      regclass;
    summarised bigint := 0;
BEGIN
    FOREACH index IN ARRAY ARRAY['journal_entry_by_effective_at', 'posting_by_journal_entry', 'purchase_by_paid_at']::regclass[]
    LOOP
        BEGIN
            summarised := summarised + brin_summarize_new_values(index);
        EXCEPTION
            WHEN lock_not_available THEN NULL;
        END;
    END LOOP;
    RETURN summarised;
END
$$;

-- Work is told of as soon as it is there. Every ledgerd listens on the channel ledgerd_work and looks at the table that is
-- named. Only rows that are due at once are told of; what falls due later is found by looking.
CREATE OR REPLACE FUNCTION tell_of_work() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM pg_notify('ledgerd_work', TG_TABLE_NAME);
    RETURN NULL;
END
$$;

REVOKE ALL ON FUNCTION refuse_change, current_tally, tally_salt, tally_recorded_at, add_to_tally, judge_accounts,
    judge_entries, judge_postings, judge_tally, judge_outcomes, summarise_block_ranges, tell_of_work FROM PUBLIC;
GRANT EXECUTE ON FUNCTION summarise_block_ranges TO ledgerd_service;
