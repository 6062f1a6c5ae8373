-- What the judges cost. A batch of one purchase waited for them longer than for its rows; of a large batch the judge of
-- postings alone took a third. What they refuse is the same.

-- A user's open lots in the order in which they are spent: a spend reads the first, however many there are.
DROP INDEX lot_open_by_user;
CREATE INDEX lot_open_by_user ON lot (user_id, expires_at, kind, acquired_at, id) WHERE is_open;

-- The tally as it stands, begun if need be.
CREATE FUNCTION current_tally() RETURNS transaction_tally LANGUAGE plpgsql
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
REVOKE ALL ON FUNCTION current_tally FROM PUBLIC;

CREATE OR REPLACE FUNCTION tally_salt() RETURNS bigint LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    RETURN (current_tally()).salt;
END
$$;

-- One in SQL is planned at every call.
CREATE OR REPLACE FUNCTION tally_recorded_at() RETURNS timestamptz LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    RETURN (current_tally()).recorded_at;
END
$$;

-- Nobody adds to a tally that was judged: its row is gone. So the first event of a transaction is enough.
DROP TRIGGER transaction_tally_is_judged ON transaction_tally;
CREATE CONSTRAINT TRIGGER transaction_tally_is_judged AFTER INSERT ON transaction_tally
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION judge_tally();

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
            WHEN kind IN ('purchase', 'claw_back', 'hold', 'capture', 'void', 'refund_hold', 'refund_release', 'refund',
                'settlement')
            THEN hashtextextended(kind || '/' || reference, tally.salt)::numeric ELSE 0 END)) AS weight
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
            WHERE entry.reverses IS NOT NULL AND (reversed.stripe IS DISTINCT FROM entry.stripe
                OR reversed.id = entry.id OR reversed.recorded_at > entry.recorded_at
                OR entry.kind NOT IN ('void', 'refund_release', 'refund', 'claw_back'))
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
        RETURNING CASE WHEN owner IS NULL THEN split_part(code, '/', 1) ELSE code END AS name,
            split_part(code, ':', 1) AS family, owner, owner IS NULL AS is_systems, sums.credited
    )
    SELECT (SELECT count(*) FROM sums) AS posted_to, (SELECT bool_and(is_in_order) FROM sums) AS are_in_order,
        count(*) AS changed, bool_or(family = 'debt' AND NOT is_systems) AS has_debt,
        sum(credited * hashtextextended(name, salt)) FILTER (
            WHERE CASE WHEN is_systems THEN name IN ('coins:deferred-revenue', 'coins:expired', 'revenue:breakage')
                ELSE family IN ('wallet', 'held') END) AS lots,
        coalesce(
            sum(credited * hashtextextended(name, salt)) FILTER (
                WHERE is_systems AND name IN (
                    'gateway:receivable', 'coins:issued', 'coins:promotions', 'revenue:refund-fees', 'bank')), 0)
        + coalesce(
            sum(credited * hashtextextended('held:' || owner, salt)) FILTER (WHERE family = 'held'), 0)
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
        JOIN account ON account.id = posting.account_id AND account.code LIKE 'debt:%'
        JOIN journal_entry AS entry ON entry.id = posting.journal_entry_id
        WHERE entry.kind <> CASE posting.side WHEN 'D' THEN 'claw_back' ELSE 'debt_payment' END
    ) THEN
        RAISE EXCEPTION 'claw-backs alone make debts, and payments of debts alone end them'
            USING ERRCODE = 'check_violation', TABLE = 'posting', CONSTRAINT = 'debt_by_claw_back';
    END IF;
    PERFORM add_to_tally(
        more_entries => -entries.weight, more_lots => accounts.lots, more_facts => accounts.facts);
    RETURN NULL;
END
$$;
