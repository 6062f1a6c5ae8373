-- Facts in, totals by the database. The service only inserts what happened: entries with postings, lots and their
-- movements, holds and what became of them, refunds and what was decided of them, reversals of purchases. What follows of
-- these (totals of accounts, what is left of lots and holds, where refunds and purchases stand) is written here, by the
-- judges that read the facts anyway. A judge belongs to the owner of the tables, so the service needs no right to change
-- what it may not falsify (docs/decisions/0100-facts-in-totals-by-the-database.md).

-- What could not be wrong any more, if the service obeyed its own rules, is refused now whatever it obeys.

ALTER TABLE journal_entry ADD CONSTRAINT journal_entry_kind_known CHECK (kind IN (
    'purchase', 'grant', 'claw_back', 'debt_payment', 'spend', 'hold', 'capture', 'void', 'expiry', 'refund_hold',
    'refund_release', 'refund', 'settlement')) NOT VALID;
ALTER TABLE journal_entry VALIDATE CONSTRAINT journal_entry_kind_known;

-- Its judge asks by the statement, where a foreign key asks by the row.
ALTER TABLE journal_entry DROP CONSTRAINT journal_entry_reverses_an_entry;

ALTER TABLE account
    -- Never anything but NULL: who may change it may lock the row, and can change nothing.
    ADD COLUMN row_lock boolean CONSTRAINT account_row_lock_is_null CHECK (row_lock IS NULL);
-- A writer locks all accounts of its users: one look-up a user instead of one an account that there may be.
CREATE INDEX account_of_user ON account (owner) WHERE owner IS NOT NULL AND code NOT LIKE 'earnings:%';
-- Those who owe are few: whether a user does is seen in an index that is next to empty. An index whose condition names
-- what changes is written anew at every change, and all others of its table with it; whether somebody owes seldom changes.
ALTER TABLE account ADD COLUMN owes boolean NOT NULL
    GENERATED ALWAYS AS (owner IS NOT NULL AND normal_side = 'D' AND debits > credits) STORED;
CREATE INDEX account_in_debt ON account (owner) WHERE owes;

ALTER TABLE lot
    DROP CONSTRAINT lot_left_within_coins,
    ADD CONSTRAINT lot_left_within_coins CHECK (remaining + held + expired <= coins) NOT VALID,
    DROP CONSTRAINT lot_deferred_within_amount,
    ADD CONSTRAINT lot_deferred_within_amount CHECK (deferred >= 0 AND deferred + breakage <= amount) NOT VALID;
ALTER TABLE lot VALIDATE CONSTRAINT lot_left_within_coins;

-- Likewise: whether a lot is open changes once.
ALTER TABLE lot ADD COLUMN is_open boolean NOT NULL GENERATED ALWAYS AS (remaining + held > 0) STORED;
DROP INDEX lot_open_by_user, lot_expiring;
CREATE INDEX lot_open_by_user ON lot (user_id) WHERE is_open;
CREATE INDEX lot_expiring ON lot (expires_at, id) WHERE is_open AND expires_at IS NOT NULL;
ALTER TABLE lot VALIDATE CONSTRAINT lot_deferred_within_amount;

-- A purchase has one pending refund, at the end of each transaction: one may be decided and the next begun in it.
DROP INDEX refund_one_pending;
ALTER TABLE refund ADD CONSTRAINT refund_one_pending
    EXCLUDE USING btree (purchase_id WITH =) WHERE (status = 'pending') DEFERRABLE INITIALLY DEFERRED;

-- The facts that were only totals until now.

-- NULL in what was recorded before.
ALTER TABLE lot_movement
    ADD COLUMN expired     bigint CONSTRAINT lot_movement_expired_not_negative CHECK (expired >= 0),
    ADD COLUMN breakage    bigint CONSTRAINT lot_movement_breakage_not_negative CHECK (breakage >= 0),
    ADD COLUMN returned_at timestamptz;

-- One capture or release of a hold's coins.
CREATE TABLE hold_event (
    journal_entry_id bigint PRIMARY KEY,
    hold_id          bigint NOT NULL,
    captured         bigint NOT NULL CONSTRAINT hold_event_captured_not_negative CHECK (captured >= 0),
    released         bigint NOT NULL CONSTRAINT hold_event_released_not_negative CHECK (released >= 0),
    status           text NOT NULL -- the hold's afterwards
        CONSTRAINT hold_event_status_known CHECK (status IN ('open', 'captured', 'voided', 'expired')),
    CONSTRAINT hold_event_moves_coins CHECK (captured + released > 0),
    CONSTRAINT hold_event_captured_is_captured CHECK (captured = 0 OR status IN ('open', 'captured'))
);

-- One decision on a refund. One that was refused may be carried out all the same, and is completed then.
CREATE TABLE refund_decision (
    journal_entry_id bigint PRIMARY KEY, -- that released the coins or took them
    refund_id        bigint NOT NULL,
    status           text NOT NULL
        CONSTRAINT refund_decision_status_known CHECK (status IN ('completed', 'refused')),
    refusal          text,
    refusal_code     text,
    cancellation_id  text,
    CONSTRAINT refund_decision_refused_has_refusal CHECK ((status = 'refused') = (refusal IS NOT NULL))
);

-- One part of a payment that went back, by refund or claw-back.
CREATE TABLE purchase_reversal (
    journal_entry_id bigint PRIMARY KEY,
    purchase_id      bigint NOT NULL,
    amount           bigint NOT NULL CONSTRAINT purchase_reversal_amount_positive CHECK (amount > 0),
    coins            bigint NOT NULL CONSTRAINT purchase_reversal_coins_not_negative CHECK (coins >= 0),
    bonus_coins      bigint NOT NULL CONSTRAINT purchase_reversal_bonus_coins_not_negative CHECK (bonus_coins >= 0),
    charged_coins    bigint NOT NULL CONSTRAINT purchase_reversal_charged_coins_not_negative CHECK (charged_coins >= 0)
);

CREATE FUNCTION posted_by_entry(prefix text) RETURNS TABLE (journal_entry_id bigint, debited bigint, credited bigint)
LANGUAGE sql AS $$
    SELECT posting.journal_entry_id, coalesce(sum(amount) FILTER (WHERE side = 'D'), 0)::bigint,
        coalesce(sum(amount) FILTER (WHERE side = 'C'), 0)::bigint
    FROM posting JOIN account ON account.id = posting.account_id AND account.code LIKE prefix || '%'
    GROUP BY posting.journal_entry_id
$$;

INSERT INTO hold_event (journal_entry_id, hold_id, captured, released, status)
SELECT entry.id, hold.id, CASE entry.kind WHEN 'capture' THEN held.debited ELSE 0 END,
    CASE entry.kind WHEN 'void' THEN held.debited ELSE 0 END,
    CASE row_number() OVER (PARTITION BY hold.id ORDER BY entry.recorded_at DESC, entry.id DESC)
        WHEN 1 THEN hold.status ELSE 'open' END
FROM journal_entry AS entry
JOIN hold ON entry.reference = 'hold:' || hold.id
JOIN posted_by_entry('held:') AS held ON held.journal_entry_id = entry.id
WHERE entry.kind IN ('capture', 'void');

INSERT INTO refund_decision (journal_entry_id, refund_id, status, refusal, refusal_code, cancellation_id)
SELECT reversal_entry_id, id, 'completed', NULL, NULL, cancellation_id FROM refund WHERE status = 'completed'
UNION ALL
-- Of one that was completed later, the gateway's words were not kept.
SELECT entry.id, refund.id, 'refused', coalesce(refund.refusal, 'refused_by_gateway'), refund.refusal_code, NULL
FROM refund JOIN journal_entry AS entry ON entry.reference = 'refund:' || refund.id AND entry.kind = 'refund_release';

INSERT INTO purchase_reversal (journal_entry_id, purchase_id, amount, coins, bonus_coins, charged_coins)
SELECT entry.id, purchase.id, receivable.credited, coalesce(issued.credited, 0), coalesce(promotions.credited, 0),
    coalesce(refund.bonus_charged, 0)
FROM journal_entry AS entry
JOIN purchase ON purchase.journal_entry_id = entry.reverses
JOIN posted_by_entry('gateway:receivable/') AS receivable ON receivable.journal_entry_id = entry.id
LEFT JOIN posted_by_entry('coins:issued/') AS issued ON issued.journal_entry_id = entry.id
LEFT JOIN posted_by_entry('coins:promotions/') AS promotions ON promotions.journal_entry_id = entry.id
LEFT JOIN refund ON refund.reversal_entry_id = entry.id
WHERE entry.kind IN ('refund', 'claw_back');

-- Which claw-back charged coins was not kept: the last one is said to have.
UPDATE purchase_reversal SET charged_coins = charged_coins + rest.coins
FROM (
    SELECT max(reversal.journal_entry_id) FILTER (WHERE entry.kind = 'claw_back') AS journal_entry_id,
        purchase.charged_coins - sum(reversal.charged_coins)::bigint AS coins
    FROM purchase
    JOIN purchase_reversal AS reversal ON reversal.purchase_id = purchase.id
    JOIN journal_entry AS entry ON entry.id = reversal.journal_entry_id
    GROUP BY purchase.id
) AS rest
WHERE purchase_reversal.journal_entry_id = rest.journal_entry_id AND rest.coins > 0;

DROP FUNCTION posted_by_entry(text);

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
    purchases      numeric NOT NULL DEFAULT 0  -- purchases and the lots that they made
) WITH (fillfactor = 10); -- its page holds a few rows, updated in place

CREATE FUNCTION tally_salt() RETURNS bigint LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    found_salt bigint;
BEGIN
    SELECT salt INTO found_salt FROM transaction_tally WHERE transaction_id = pg_current_xact_id();
    IF NOT FOUND THEN
        INSERT INTO transaction_tally (transaction_id, salt)
        VALUES (pg_current_xact_id(), hashtextextended(gen_random_uuid()::text, 0))
        RETURNING salt INTO found_salt;
    END IF;
    RETURN found_salt;
END
$$;

-- When the transaction's entries were recorded; NULL: it has none.
CREATE FUNCTION tally_recorded_at() RETURNS timestamptz LANGUAGE sql
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT recorded_at FROM transaction_tally WHERE transaction_id = pg_current_xact_id()
$$;

CREATE FUNCTION add_to_tally(
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

-- At the end of the transaction. Whoever asks for it earlier, with SET CONSTRAINTS, can't add to the tally after that.
CREATE FUNCTION judge_tally() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
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

CREATE CONSTRAINT TRIGGER transaction_tally_is_judged AFTER INSERT OR UPDATE ON transaction_tally
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION judge_tally();

-- Accounts. System accounts are made with the ledger, by the tables' owner; a user's or provider's is named so that it is
-- theirs. A constraint would say the same at every posting.
CREATE FUNCTION judge_accounts() RETURNS trigger LANGUAGE plpgsql
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
            stripe >= 0 AND stripe < (SELECT stripes FROM ledger) AND currency = 'COIN' AND CASE
                WHEN code = 'debt:' || owner THEN normal_side = 'D'
                ELSE normal_side = 'C' AND (
                    code IN ('wallet:' || owner || ':paid', 'wallet:' || owner || ':bonus',
                        'held:' || owner || ':paid', 'held:' || owner || ':bonus')
                    OR code = 'earnings:' || owner || '/' || stripe) END)
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
CREATE TRIGGER account_is_judged AFTER INSERT ON account
    REFERENCING NEW TABLE AS new_account FOR EACH STATEMENT EXECUTE FUNCTION judge_accounts();

CREATE OR REPLACE FUNCTION judge_entries() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    salt bigint := tally_salt();
    open_from timestamptz := closed_until();
    wrong record;
    entries record;
BEGIN
    SELECT id, effective_at INTO wrong FROM new_entry WHERE effective_at < open_from LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'journal entry % is effective before %, and that is closed', wrong.id, open_from
            USING ERRCODE = 'check_violation', TABLE = 'journal_entry', CONSTRAINT = 'journal_entry_in_open_period';
    END IF;
    -- Later transactions than one that reads an old state may have closed what it takes for open.
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'entries are written in transactions that are READ COMMITTED'
            USING ERRCODE = 'check_violation', TABLE = 'journal_entry', CONSTRAINT = 'journal_entry_in_open_period';
    END IF;
    SELECT entry.id INTO wrong
        FROM new_entry AS entry
        LEFT JOIN journal_entry AS reversed ON reversed.id = entry.reverses
        WHERE entry.reverses IS NOT NULL AND (reversed.stripe IS DISTINCT FROM entry.stripe
            OR reversed.id = entry.id OR reversed.recorded_at > entry.recorded_at
            OR entry.kind NOT IN ('void', 'refund_release', 'refund', 'claw_back'))
        LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'journal entry % can''t reverse what it names', wrong.id
            USING ERRCODE = 'foreign_key_violation', TABLE = 'journal_entry',
                CONSTRAINT = 'journal_entry_reverses_an_entry';
    END IF;
    SELECT min(recorded_at) AS first, max(recorded_at) AS last,
        bool_or(NOT isfinite(recorded_at) OR recorded_at > clock_timestamp() + interval '31 days') AS is_beyond,
        -- What has a fact of its own must meet it: its kind and reference are weighed too.
        sum(hashtextextended(id || '/' || stripe, salt)::numeric * (1 + CASE
            WHEN kind IN ('purchase', 'claw_back', 'hold', 'capture', 'void', 'refund_hold', 'refund_release', 'refund',
                'settlement')
            THEN hashtextextended(kind || '/' || reference, salt)::numeric ELSE 0 END)) AS weight
        INTO entries FROM new_entry;
    UPDATE transaction_tally SET recorded_at = entries.last
    WHERE transaction_id = pg_current_xact_id() AND coalesce(recorded_at, entries.last) = entries.last;
    IF NOT FOUND OR entries.first <> entries.last OR entries.is_beyond THEN
        RAISE EXCEPTION 'the entries of a transaction are recorded at one time, and not in the future'
            USING ERRCODE = 'check_violation', TABLE = 'journal_entry', CONSTRAINT = 'journal_entry_recorded_at_one';
    END IF;
    PERFORM add_to_tally(more_entries => entries.weight);
    RETURN NULL;
END
$$;

-- Each entry's postings must come in one statement, in the transaction of the entry, sum to zero in each currency and lie
-- in its stripe. Each account's must follow its last one, number by number and balance by balance; they are then its
-- totals.
CREATE OR REPLACE FUNCTION judge_postings() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    salt bigint := tally_salt();
    recorded_at timestamptz := tally_recorded_at();
    entries record;
    accounts record;
BEGIN
    SELECT min(id) FILTER (WHERE is_unbalanced) AS unbalanced, min(id) FILTER (WHERE low_stripe <> high_stripe) AS misfit,
        sum(hashtextextended(id || '/' || low_stripe, salt)) AS weight
        INTO entries
        FROM (
            SELECT journal_entry_id AS id, min(low_stripe) AS low_stripe, max(high_stripe) AS high_stripe,
                bool_or(debited <> 0) AS is_unbalanced
            FROM (
                SELECT journal_entry_id, currency, min(stripe) AS low_stripe, max(stripe) AS high_stripe,
                    sum(CASE side WHEN 'D' THEN amount ELSE -amount END) AS debited
                FROM new_posting
                GROUP BY journal_entry_id, currency
            ) AS in_currency
            GROUP BY journal_entry_id
        ) AS entry;
    IF EXISTS (SELECT FROM new_posting GROUP BY journal_entry_id, account_id HAVING count(*) > 1) THEN
        RAISE EXCEPTION 'an entry posts to one account twice'
            USING ERRCODE = 'check_violation', TABLE = 'posting', CONSTRAINT = 'posting_once_an_account';
    END IF;
    IF entries.unbalanced IS NOT NULL THEN
        RAISE EXCEPTION 'journal entry % does not balance', entries.unbalanced
            USING ERRCODE = 'check_violation', TABLE = 'posting', CONSTRAINT = 'journal_entry_balances';
    ELSIF entries.misfit IS NOT NULL THEN
        RAISE EXCEPTION 'the postings of journal entry % do not fit it', entries.misfit
            USING ERRCODE = 'foreign_key_violation', TABLE = 'posting', CONSTRAINT = 'posting_fits_account_and_entry';
    END IF;

    WITH line AS (
        SELECT *, CASE side WHEN 'D' THEN amount ELSE -amount END AS debited,
            balance - lag(balance) OVER (PARTITION BY account_id ORDER BY seq) AS step -- NULL: the account's first
        FROM new_posting
    ), sums AS (
        SELECT account_id, count(*) AS count, min(seq) AS first, max(seq) AS last,
            sum(amount) FILTER (WHERE side = 'D') AS debits, sum(amount) FILTER (WHERE side = 'C') AS credits,
            min(stripe) AS low_stripe, max(stripe) AS high_stripe,
            min(currency) AS low_currency, max(currency) AS high_currency,
            max(balance) FILTER (WHERE step IS NULL) AS first_balance,
            max(debited) FILTER (WHERE step IS NULL) AS first_debited,
            count(*) FILTER (WHERE step = debited) AS risen, count(*) FILTER (WHERE step = -debited) AS fallen,
            -sum(debited * hashtextextended(journal_entry_id || '/' || stripe, salt)::numeric) AS credited
        FROM line
        GROUP BY account_id
    ), changed AS (
        UPDATE account
        SET debits = account.debits + coalesce(sums.debits, 0)::bigint,
            credits = account.credits + coalesce(sums.credits, 0)::bigint,
            seq = sums.last, posted_at = recorded_at
        FROM sums
        WHERE account.id = sums.account_id
            AND account.stripe = sums.low_stripe AND account.stripe = sums.high_stripe
            AND account.currency = sums.low_currency AND account.currency = sums.high_currency
            AND (account.posted_at IS NULL OR account.posted_at <= recorded_at)
            AND account.seq = sums.first - 1 AND sums.count = sums.last - sums.first + 1
            AND sums.first_balance - account.balance
                = CASE account.normal_side WHEN 'D' THEN sums.first_debited ELSE -sums.first_debited END
            AND sums.count - 1 = CASE account.normal_side WHEN 'D' THEN sums.risen ELSE sums.fallen END
        RETURNING CASE WHEN owner IS NULL THEN split_part(code, '/', 1) ELSE code END AS name,
            split_part(code, ':', 1) AS family, owner, owner IS NULL AS is_systems, sums.credited
    )
    SELECT (SELECT count(*) FROM sums) AS posted_to, count(*) AS changed,
        bool_or(family = 'debt' AND NOT is_systems) AS has_debt,
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

CREATE OR REPLACE FUNCTION judge_purchases() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    salt bigint := tally_salt();
    bought record;
BEGIN
    SELECT min(id) FILTER (
            WHERE status <> 'credited' OR refunded_amount <> 0 OR refunded_coins <> 0 OR refunded_bonus_coins <> 0
                OR charged_coins <> 0 OR settled_amount <> 0) AS begun,
        sum(hashtextextended(journal_entry_id || '/' || stripe, salt)::numeric
            * hashtextextended('purchase/purchase:' || id, salt)) AS entries,
        sum(hashtextextended(journal_entry_id || '/' || stripe, salt)::numeric * (
            amount * hashtextextended('gateway:receivable', salt)::numeric
            + coins * hashtextextended('coins:issued', salt)::numeric
            + bonus_coins * hashtextextended('coins:promotions', salt)::numeric)) AS facts,
        sum(hashtextextended(concat_ws('/', id, journal_entry_id, user_id), salt)::numeric * (
            amount * hashtextextended('amount', salt)::numeric + coins * hashtextextended('paid', salt)::numeric
            + bonus_coins * hashtextextended('bonus', salt)::numeric
            + CASE bonus_coins WHEN 0 THEN 1 ELSE 2 END * hashtextextended('lots', salt)::numeric)) AS lots
        INTO bought FROM new_purchase;
    IF bought.begun IS NOT NULL THEN
        RAISE EXCEPTION 'purchase % begins as one of which something went back', bought.begun
            USING ERRCODE = 'check_violation', TABLE = 'purchase', CONSTRAINT = 'purchase_begins_whole';
    END IF;
    PERFORM add_to_tally(
        more_entries => -bought.entries, more_facts => bought.facts, more_purchases => bought.lots);
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION judge_lots() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    salt bigint := tally_salt();
    made record;
BEGIN
    SELECT min(id) FILTER (
            WHERE remaining <> coins OR deferred <> amount OR held <> 0 OR expired <> 0 OR breakage <> 0 OR seq <> 0
                OR returned_at IS NOT NULL) AS begun,
        sum(hashtextextended(journal_entry_id || '/' || stripe, salt)::numeric * (
            coins * hashtextextended('wallet:' || user_id || ':' || kind, salt)::numeric
            + amount * hashtextextended('coins:deferred-revenue', salt)::numeric)) AS lots,
        sum(hashtextextended(journal_entry_id || '/' || stripe, salt)::numeric * coins
            * hashtextextended('coins:promotions', salt)) FILTER (WHERE purchase_id IS NULL) AS facts,
        sum(hashtextextended(purchase_id || '/' || journal_entry_id || '/' || user_id, salt)::numeric * (
            amount * hashtextextended('amount', salt)::numeric + coins * hashtextextended(kind, salt)::numeric
            + hashtextextended('lots', salt))) AS purchases
        INTO made FROM new_lot;
    IF made.begun IS NOT NULL THEN
        RAISE EXCEPTION 'lot % begins as one of which something is gone', made.begun
            USING ERRCODE = 'check_violation', TABLE = 'lot', CONSTRAINT = 'lot_begins_whole';
    END IF;
    PERFORM add_to_tally(more_lots => -made.lots, more_facts => made.facts, more_purchases => -made.purchases);
    RETURN NULL;
END
$$;

-- Each lot's movements must follow its last one, number by number, by entries of this transaction, and leave no more
-- coins or won than there were; the last is then what is left of the lot.
CREATE OR REPLACE FUNCTION judge_lot_movements() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    salt bigint := tally_salt();
    entries_recorded_at timestamptz := tally_recorded_at();
    moved record;
BEGIN
    SELECT min(lot_id) FILTER (
            WHERE lot_stripe IS NULL OR lot_stripe <> stripe OR recorded_at IS DISTINCT FROM entries_recorded_at
                OR seq <> seq_before + 1 OR held <> held_before AND entry_kind IS NULL
                OR (remaining, held, deferred, expired, breakage)
                    = (remaining_before, held_before, deferred_before, expired_before, breakage_before)
                OR remaining::numeric + held > remaining_before::numeric + held_before OR deferred > deferred_before
                OR returned_at IS DISTINCT FROM
                    CASE WHEN remaining > remaining_before THEN recorded_at ELSE returned_before END
                OR remaining::numeric + held + expired > remaining_before::numeric + held_before + expired_before
                OR deferred::numeric + breakage > deferred_before::numeric + breakage_before
                OR remaining IS NULL OR held IS NULL OR deferred IS NULL OR expired IS NULL OR breakage IS NULL)
            AS misfit,
        sum(hashtextextended(journal_entry_id || '/' || stripe, salt)::numeric * (
            (remaining - remaining_before) * hashtextextended('wallet:' || user_id || ':' || kind, salt)::numeric
            + (held - held_before) * hashtextextended('held:' || user_id || ':' || kind, salt)::numeric
            + (deferred - deferred_before) * hashtextextended('coins:deferred-revenue', salt)::numeric
            + (expired - expired_before) * hashtextextended('coins:expired', salt)::numeric
            + (breakage - breakage_before) * hashtextextended('revenue:breakage', salt)::numeric)) AS lots,
        sum((held - held_before) * hashtextextended(
            CASE WHEN entry_kind IN ('hold', 'capture', 'void') THEN 'lot:' || lot_id
                ELSE 'refund/' || purchase_id || '/' || kind END, salt)::numeric) AS holds
        INTO moved
        FROM (
            SELECT new_movement.*, lot.stripe AS lot_stripe, lot.user_id, lot.kind, lot.purchase_id,
                -- Seldom asked: most movements leave what is held as it is.
                CASE WHEN new_movement.held <> lot.held OR new_movement.held <> 0 THEN (
                    SELECT kind FROM journal_entry
                    WHERE id = new_movement.journal_entry_id AND transaction_id = pg_current_xact_id()
                ) END AS entry_kind,
                CASE WHEN lag(new_movement.seq) OVER earlier IS NULL THEN lot.returned_at
                    ELSE lag(new_movement.returned_at) OVER earlier END AS returned_before,
                coalesce(lag(new_movement.seq) OVER earlier, lot.seq) AS seq_before,
                coalesce(lag(new_movement.remaining) OVER earlier, lot.remaining) AS remaining_before,
                coalesce(lag(new_movement.held) OVER earlier, lot.held) AS held_before,
                coalesce(lag(new_movement.deferred) OVER earlier, lot.deferred) AS deferred_before,
                coalesce(lag(new_movement.expired) OVER earlier, lot.expired) AS expired_before,
                coalesce(lag(new_movement.breakage) OVER earlier, lot.breakage) AS breakage_before
            FROM new_lot_movement AS new_movement
            LEFT JOIN lot ON lot.id = new_movement.lot_id
            WINDOW earlier AS (PARTITION BY new_movement.lot_id ORDER BY new_movement.seq)
        ) AS line;
    IF moved.misfit IS NOT NULL THEN
        RAISE EXCEPTION 'the movements of lot % do not fit it', moved.misfit
            USING ERRCODE = 'foreign_key_violation', TABLE = 'lot_movement', CONSTRAINT = 'lot_movement_fits_lot';
    END IF;
    UPDATE lot
    SET remaining = last.remaining, held = last.held, deferred = last.deferred, expired = last.expired,
        breakage = last.breakage, returned_at = last.returned_at, seq = last.seq
    FROM (SELECT DISTINCT ON (lot_id) * FROM new_lot_movement ORDER BY lot_id, seq DESC) AS last
    WHERE lot.id = last.lot_id;
    PERFORM add_to_tally(more_lots => -moved.lots, more_holds => moved.holds);
    RETURN NULL;
END
$$;

-- Holds and their lots.
CREATE FUNCTION judge_holds() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    salt bigint := tally_salt();
    placed record;
BEGIN
    SELECT min(hold.id) FILTER (
            WHERE entry.id IS NULL OR entry.stripe <> hold.stripe OR entry.kind <> 'hold'
                OR entry.reference <> 'hold:' || hold.id OR entry.transaction_id <> pg_current_xact_id()
                OR hold.status <> 'open' OR hold.captured <> 0 OR hold.released <> 0) AS misfit,
        sum(hold.coins * hashtextextended(hold.journal_entry_id || '/' || hold.stripe, salt)::numeric
            * hashtextextended('held:' || hold.user_id, salt)) AS facts,
        sum(hashtextextended(hold.journal_entry_id || '/' || hold.stripe, salt)::numeric
            * hashtextextended('hold/hold:' || hold.id, salt)) AS entries,
        sum(hold.coins * hashtextextended('hold:' || hold.id, salt)::numeric) AS holds
        INTO placed
        FROM new_hold AS hold
        LEFT JOIN journal_entry AS entry ON entry.id = hold.journal_entry_id;
    IF placed.misfit IS NOT NULL THEN
        RAISE EXCEPTION 'hold % does not fit its journal entry', placed.misfit
            USING ERRCODE = 'foreign_key_violation', TABLE = 'hold', CONSTRAINT = 'hold_has_entry';
    END IF;
    PERFORM add_to_tally(
        more_entries => -placed.entries, more_facts => -placed.facts, more_holds => placed.holds);
    RETURN NULL;
END
$$;
CREATE TRIGGER hold_is_judged AFTER INSERT ON hold
    REFERENCING NEW TABLE AS new_hold FOR EACH STATEMENT EXECUTE FUNCTION judge_holds();

CREATE FUNCTION judge_hold_lots() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    salt bigint := tally_salt();
BEGIN
    -- Also when its hold is of another transaction, or has moved.
    IF EXISTS (
        SELECT FROM new_hold_lot
        LEFT JOIN hold ON hold.id = new_hold_lot.hold_id AND hold.captured = 0 AND hold.released = 0
        LEFT JOIN journal_entry AS entry
            ON entry.id = hold.journal_entry_id AND entry.transaction_id = pg_current_xact_id()
        WHERE new_hold_lot.held <> new_hold_lot.coins OR entry.id IS NULL
    ) THEN
        RAISE EXCEPTION 'a hold''s lot begins as one of which something is gone'
            USING ERRCODE = 'check_violation', TABLE = 'hold_lot', CONSTRAINT = 'hold_lot_begins_whole';
    END IF;
    PERFORM add_to_tally(more_holds => (
        SELECT -sum(coins * (hashtextextended('hold:' || hold_id, salt)::numeric + hashtextextended('lot:' || lot_id, salt)::numeric))
        FROM new_hold_lot));
    RETURN NULL;
END
$$;
CREATE TRIGGER hold_lot_is_judged AFTER INSERT ON hold_lot
    REFERENCING NEW TABLE AS new_hold_lot FOR EACH STATEMENT EXECUTE FUNCTION judge_hold_lots();

-- Only an open hold moves, and its lots give up their coins in order. That no more go than there are is the table's rule.
CREATE FUNCTION judge_hold_events() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    salt bigint := tally_salt();
    moved record;
    changed bigint;
    lots numeric;
BEGIN
    SELECT min(event.hold_id) FILTER (
            WHERE entry.id IS NULL OR hold.id IS NULL OR entry.stripe <> hold.stripe
                OR entry.transaction_id <> pg_current_xact_id() OR event.captured > 0 AND event.released > 0) AS misfit,
        count(DISTINCT event.hold_id) AS holds,
        sum((event.captured + event.released) * hashtextextended(entry.id || '/' || entry.stripe, salt)::numeric
            * hashtextextended('held:' || hold.user_id, salt)) AS facts,
        sum(hashtextextended(entry.id || '/' || entry.stripe, salt)::numeric * hashtextextended(
            CASE WHEN event.captured > 0 THEN 'capture' ELSE 'void' END || '/hold:' || hold.id, salt)) AS entries
        INTO moved
        FROM new_hold_event AS event
        LEFT JOIN hold ON hold.id = event.hold_id
        LEFT JOIN journal_entry AS entry ON entry.id = event.journal_entry_id;
    IF moved.misfit IS NULL THEN
        UPDATE hold
        SET captured = hold.captured + event.captured, released = hold.released + event.released,
            status = coalesce(event.status, 'open'), closed_at = CASE WHEN event.status IS NOT NULL THEN event.at END
        FROM (
            SELECT event.hold_id, sum(event.captured)::bigint AS captured, sum(event.released)::bigint AS released,
                max(event.status) FILTER (WHERE event.status <> 'open') AS status, max(entry.recorded_at) AS at
            FROM new_hold_event AS event
            JOIN journal_entry AS entry ON entry.id = event.journal_entry_id
            GROUP BY event.hold_id
        ) AS event
        WHERE hold.id = event.hold_id AND hold.status = 'open';
        GET DIAGNOSTICS changed = ROW_COUNT;
    END IF;
    IF moved.misfit IS NOT NULL OR changed <> moved.holds THEN
        RAISE EXCEPTION 'what becomes of a hold does not fit it or its journal entry'
            USING ERRCODE = 'foreign_key_violation', TABLE = 'hold_event', CONSTRAINT = 'hold_event_fits_hold';
    END IF;
    WITH changed AS (
        UPDATE hold_lot SET held = after.held
        FROM (
            SELECT hold_lot.hold_id, hold_lot.place, hold_lot.held AS held_before,
                least(hold_lot.coins, greatest(0,
                    sum(hold_lot.coins) OVER (PARTITION BY hold_lot.hold_id ORDER BY hold_lot.place)
                        - hold.captured - hold.released))::bigint AS held
            FROM (SELECT DISTINCT hold_id FROM new_hold_event) AS event
            JOIN hold ON hold.id = event.hold_id
            JOIN hold_lot ON hold_lot.hold_id = event.hold_id
        ) AS after
        WHERE hold_lot.hold_id = after.hold_id AND hold_lot.place = after.place AND hold_lot.held <> after.held
        RETURNING hold_lot.lot_id, after.held_before - after.held AS gone
    )
    SELECT sum(gone * hashtextextended('lot:' || lot_id, salt)::numeric) INTO lots FROM changed;
    PERFORM add_to_tally(more_entries => -moved.entries, more_facts => moved.facts, more_holds => lots);
    RETURN NULL;
END
$$;
CREATE TRIGGER hold_event_is_judged AFTER INSERT ON hold_event
    REFERENCING NEW TABLE AS new_hold_event FOR EACH STATEMENT EXECUTE FUNCTION judge_hold_events();
CREATE TRIGGER hold_event_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON hold_event
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What goes back of a purchase is what its reversing entry posts; where the purchase stands follows.
CREATE FUNCTION judge_reversals() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    salt bigint := tally_salt();
    misfit bigint;
    facts numeric;
    entries numeric;
BEGIN
    SELECT min(reversal.purchase_id) FILTER (
            WHERE entry.id IS NULL OR entry.transaction_id <> pg_current_xact_id()
                OR entry.kind NOT IN ('refund', 'claw_back')
                OR entry.reverses IS DISTINCT FROM purchase.journal_entry_id),
        sum(hashtextextended(reversal.journal_entry_id || '/' || entry.stripe, salt)::numeric * (
            reversal.amount * hashtextextended('gateway:receivable', salt)::numeric
            + reversal.coins * hashtextextended('coins:issued', salt)::numeric
            + reversal.bonus_coins * hashtextextended('coins:promotions', salt)::numeric)),
        -- A refund's entry is that of what was decided of it.
        sum(hashtextextended(entry.id || '/' || entry.stripe, salt)::numeric
            * hashtextextended('claw_back/purchase:' || purchase.id, salt)) FILTER (WHERE entry.kind = 'claw_back')
        INTO misfit, facts, entries
        FROM new_reversal AS reversal
        LEFT JOIN journal_entry AS entry ON entry.id = reversal.journal_entry_id
        LEFT JOIN purchase ON purchase.id = reversal.purchase_id;
    IF misfit IS NOT NULL THEN
        RAISE EXCEPTION 'what went back of purchase % does not fit it or its journal entry', misfit
            USING ERRCODE = 'foreign_key_violation', TABLE = 'purchase_reversal',
                CONSTRAINT = 'purchase_reversal_fits_purchase';
    END IF;
    UPDATE purchase
    SET refunded_amount = refunded_amount + reversal.amount, refunded_coins = refunded_coins + reversal.coins,
        refunded_bonus_coins = refunded_bonus_coins + reversal.bonus_coins,
        charged_coins = purchase.charged_coins + reversal.charged_coins,
        status = CASE
            WHEN refunded_amount + reversal.amount = purchase.amount
                OR refunded_coins + reversal.coins = purchase.coins THEN 'refunded'
            ELSE 'partially_refunded' END
    FROM (
        SELECT purchase_id, sum(amount)::bigint AS amount, sum(coins)::bigint AS coins,
            sum(bonus_coins)::bigint AS bonus_coins, sum(charged_coins)::bigint AS charged_coins
        FROM new_reversal
        GROUP BY purchase_id
    ) AS reversal
    WHERE purchase.id = reversal.purchase_id;
    PERFORM add_to_tally(more_entries => -entries, more_facts => -facts);
    RETURN NULL;
END
$$;
CREATE TRIGGER purchase_reversal_is_judged AFTER INSERT ON purchase_reversal
    REFERENCING NEW TABLE AS new_reversal FOR EACH STATEMENT EXECUTE FUNCTION judge_reversals();
CREATE TRIGGER purchase_reversal_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON purchase_reversal
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE FUNCTION judge_refunds() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    salt bigint := tally_salt();
    begun record;
BEGIN
    SELECT min(refund.id) FILTER (
            WHERE entry.id IS NULL OR entry.stripe <> refund.stripe OR entry.kind <> 'refund_hold'
                OR entry.reference <> 'refund:' || refund.id OR entry.transaction_id <> pg_current_xact_id()
                OR purchase.id IS NULL OR purchase.user_id <> refund.user_id OR purchase.stripe <> refund.stripe
                OR refund.status <> 'pending' OR refund.reversal_entry_id IS NOT NULL) AS misfit,
        sum((refund.coins + refund.bonus_coins) * hashtextextended(refund.journal_entry_id || '/' || refund.stripe, salt)::numeric
            * hashtextextended('held:' || refund.user_id, salt)) AS facts,
        sum(hashtextextended(refund.journal_entry_id || '/' || refund.stripe, salt)::numeric
            * hashtextextended('refund_hold/refund:' || refund.id, salt)) AS entries,
        sum(refund.coins * hashtextextended('refund/' || purchase.id || '/paid', salt)::numeric
            + refund.bonus_coins * hashtextextended('refund/' || purchase.id || '/bonus', salt)::numeric) AS holds
        INTO begun
        FROM new_refund AS refund
        LEFT JOIN journal_entry AS entry ON entry.id = refund.journal_entry_id
        LEFT JOIN purchase ON purchase.id = refund.purchase_id;
    IF begun.misfit IS NOT NULL THEN
        RAISE EXCEPTION 'refund % does not fit its journal entry or purchase', begun.misfit
            USING ERRCODE = 'foreign_key_violation', TABLE = 'refund', CONSTRAINT = 'refund_fits_entry_and_purchase';
    END IF;
    PERFORM add_to_tally(
        more_entries => -begun.entries, more_facts => -begun.facts, more_holds => -begun.holds);
    RETURN NULL;
END
$$;
CREATE TRIGGER refund_is_judged AFTER INSERT ON refund
    REFERENCING NEW TABLE AS new_refund FOR EACH STATEMENT EXECUTE FUNCTION judge_refunds();

-- A pending refund is completed or refused; one that was refused can be completed; nothing else becomes of one.
CREATE FUNCTION judge_refund_decisions() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    salt bigint := tally_salt();
    misfit bigint;
    facts numeric;
    entries numeric;
    holds numeric;
BEGIN
    -- Whoever decides the same refund meanwhile is waited for, and then seen.
    PERFORM FROM refund WHERE id IN (SELECT refund_id FROM new_decision) ORDER BY id FOR UPDATE;
    SELECT min(decision.refund_id) FILTER (
            WHERE refund.id IS NULL OR entry.id IS NULL OR entry.transaction_id <> pg_current_xact_id()
                OR entry.reference <> 'refund:' || refund.id
                OR CASE decision.status
                    WHEN 'refused' THEN refund.status <> 'pending' OR entry.kind <> 'refund_release'
                    ELSE refund.status = 'completed' OR entry.kind <> 'refund'
                        OR reversal.purchase_id IS DISTINCT FROM refund.purchase_id
                        OR reversal.amount <> refund.amount OR reversal.charged_coins <> refund.bonus_charged
                        OR reversal.coins <> refund.coins - refund.bonus_charged
                        OR reversal.bonus_coins <> refund.bonus_coins + refund.bonus_charged
                    END),
        sum(hashtextextended(decision.journal_entry_id || '/' || entry.stripe, salt)::numeric * (
            CASE refund.status WHEN 'pending' THEN refund.coins + refund.bonus_coins ELSE 0 END
                * hashtextextended('held:' || refund.user_id, salt)::numeric
            - CASE decision.status WHEN 'completed' THEN refund.fee ELSE 0 END
                * hashtextextended('revenue:refund-fees', salt)::numeric)),
        sum(hashtextextended(entry.id || '/' || entry.stripe, salt)::numeric * hashtextextended(
            CASE decision.status WHEN 'refused' THEN 'refund_release' ELSE 'refund' END || '/refund:' || refund.id, salt)),
        sum(refund.coins * hashtextextended('refund/' || refund.purchase_id || '/paid', salt)::numeric
            + refund.bonus_coins * hashtextextended('refund/' || refund.purchase_id || '/bonus', salt)::numeric)
            FILTER (WHERE refund.status = 'pending')
        INTO misfit, facts, entries, holds
        FROM new_decision AS decision
        LEFT JOIN refund ON refund.id = decision.refund_id
        LEFT JOIN journal_entry AS entry ON entry.id = decision.journal_entry_id
        LEFT JOIN purchase_reversal AS reversal ON reversal.journal_entry_id = decision.journal_entry_id;
    IF misfit IS NOT NULL OR EXISTS (SELECT FROM new_decision GROUP BY refund_id HAVING count(*) > 1) THEN
        RAISE EXCEPTION 'what is decided of a refund does not fit it or its journal entry'
            USING ERRCODE = 'foreign_key_violation', TABLE = 'refund_decision',
                CONSTRAINT = 'refund_decision_fits_refund';
    END IF;
    UPDATE refund
    SET status = decision.status, reason = decision.status, refund_account = NULL, decided_at = entry.recorded_at,
        refusal = decision.refusal, refusal_code = decision.refusal_code, cancellation_id = decision.cancellation_id,
        reversal_entry_id = CASE decision.status WHEN 'completed' THEN entry.id END
    FROM new_decision AS decision
    JOIN journal_entry AS entry ON entry.id = decision.journal_entry_id
    WHERE refund.id = decision.refund_id;
    PERFORM add_to_tally(more_entries => -entries, more_facts => facts, more_holds => holds);
    RETURN NULL;
END
$$;
CREATE TRIGGER refund_decision_is_judged AFTER INSERT ON refund_decision
    REFERENCING NEW TABLE AS new_decision FOR EACH STATEMENT EXECUTE FUNCTION judge_refund_decisions();
CREATE TRIGGER refund_decision_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON refund_decision
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A row of a statement that becomes settled is booked by an entry of this transaction.
CREATE FUNCTION judge_settled_rows() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    salt bigint;
    settled record;
    changed bigint;
BEGIN
    IF NOT EXISTS (SELECT FROM new_row WHERE status = 'settled') THEN
        RETURN NULL;
    END IF;
    salt := tally_salt();
    -- One that was settled before can't be updated at all.
    SELECT min(row.id) FILTER (
            WHERE entry.id IS NULL OR entry.transaction_id <> pg_current_xact_id() OR entry.kind <> 'settlement'
                OR entry.reference <> 'purchase:' || row.purchase_id) AS misfit,
        count(DISTINCT row.purchase_id) AS purchases,
        sum(hashtextextended(row.journal_entry_id || '/' || entry.stripe, salt)::numeric * (
            -row.gross * hashtextextended('gateway:receivable', salt)::numeric
            + row.net * hashtextextended('bank', salt)::numeric)) AS facts,
        sum(hashtextextended(entry.id || '/' || entry.stripe, salt)::numeric
            * hashtextextended('settlement/purchase:' || row.purchase_id, salt)) AS entries
        INTO settled
        FROM new_row AS row
        LEFT JOIN journal_entry AS entry ON entry.id = row.journal_entry_id
        WHERE row.status = 'settled';
    UPDATE purchase SET settled_amount = settled_amount + row.gross
    FROM (
        SELECT purchase_id, sum(gross)::bigint AS gross FROM new_row WHERE status = 'settled' GROUP BY purchase_id
    ) AS row
    WHERE purchase.id = row.purchase_id;
    GET DIAGNOSTICS changed = ROW_COUNT;
    IF settled.misfit IS NOT NULL OR changed <> settled.purchases THEN
        RAISE EXCEPTION 'a settled row does not fit its journal entry or purchase'
            USING ERRCODE = 'foreign_key_violation', TABLE = 'settlement_row',
                CONSTRAINT = 'settlement_row_fits_entry';
    END IF;
    PERFORM add_to_tally(more_entries => -settled.entries, more_facts => settled.facts);
    RETURN NULL;
END
$$;
CREATE TRIGGER settlement_row_is_judged AFTER UPDATE ON settlement_row
    REFERENCING NEW TABLE AS new_row FOR EACH STATEMENT EXECUTE FUNCTION judge_settled_rows();
CREATE FUNCTION refuse_settled_rows() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM new_row WHERE status = 'settled') THEN
        RAISE EXCEPTION 'a row of a statement begins as one that is settled'
            USING ERRCODE = 'check_violation', TABLE = 'settlement_row', CONSTRAINT = 'settlement_row_begins_waiting';
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER settlement_row_begins_waiting AFTER INSERT ON settlement_row
    REFERENCING NEW TABLE AS new_row FOR EACH STATEMENT EXECUTE FUNCTION refuse_settled_rows();

-- An outcome that names an entry is recorded with it.
CREATE FUNCTION judge_outcomes() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
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
CREATE TRIGGER idempotency_is_judged AFTER INSERT ON idempotency
    REFERENCING NEW TABLE AS new_outcome FOR EACH STATEMENT EXECUTE FUNCTION judge_outcomes();

-- The service's rights: to read, to insert facts, to lock accounts, and to keep its own lists of work.

REVOKE INSERT, UPDATE ON account, lot, hold, hold_lot, refund, purchase FROM ledgerd_service;
REVOKE UPDATE (debits, credits, seq, posted_at) ON account FROM ledgerd_service;
REVOKE UPDATE (remaining, deferred, held, seq, expired, breakage, returned_at) ON lot FROM ledgerd_service;
REVOKE UPDATE (status, captured, released, closed_at) ON hold FROM ledgerd_service;
REVOKE UPDATE (held) ON hold_lot FROM ledgerd_service;
REVOKE UPDATE (status, refund_account, refusal, refusal_code, cancellation_id, reversal_entry_id, reason, attempts,
    next_attempt_at, decided_at) ON refund FROM ledgerd_service;
REVOKE UPDATE (status, refunded_amount, refunded_coins, refunded_bonus_coins, settled_amount, charged_coins)
    ON purchase FROM ledgerd_service;

GRANT INSERT (id, stripe, code, owner, currency, normal_side), UPDATE (row_lock) ON account TO ledgerd_service;
GRANT INSERT ON lot, hold, hold_lot, refund, purchase TO ledgerd_service;
-- When a pending refund is asked for again, and why.
GRANT UPDATE (reason, attempts, next_attempt_at) ON refund TO ledgerd_service;
GRANT SELECT, INSERT ON hold_event, refund_decision, purchase_reversal TO ledgerd_service;

-- Nobody else may call them, nor set them on a table of his own, where he would say what a judge writes.
REVOKE ALL ON FUNCTION tally_salt, tally_recorded_at, add_to_tally FROM PUBLIC;
DO $$
DECLARE
    judge regprocedure;
BEGIN
    FOR judge IN
        SELECT oid FROM pg_catalog.pg_proc
        WHERE pronamespace = 'public'::regnamespace AND prorettype = 'pg_catalog.trigger'::regtype
            AND pg_catalog.pg_has_role(proowner, 'USAGE')
    LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', judge);
    END LOOP;
END
$$;
