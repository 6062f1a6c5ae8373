-- Refunds by bank transfer: approved, then paid by finance or reversed. Debts that users pay in won, or that are
-- written off.

ALTER TABLE journal_entry
    DROP CONSTRAINT journal_entry_kind_known,
    ADD CONSTRAINT journal_entry_kind_known CHECK (kind IN (
        'purchase', 'grant', 'claw_back', 'debt_payment', 'spend', 'hold', 'capture', 'void', 'expiry', 'refund_hold',
        'refund_release', 'refund', 'settlement', 'spend_reversal', 'capture_reversal', 'refund_payment',
        'refund_reversal', 'debt_bank_payment', 'debt_write_off')) NOT VALID;

-- A ledger that is yet to be created gets them with all others.
WITH block AS MATERIALIZED (SELECT nextval('record_id') AS start, stripes FROM ledger)
INSERT INTO account (id, stripe, code, currency, normal_side)
SELECT block.start + stripe, stripe, 'refunds:payable/' || stripe, 'KRW', 'C'
FROM block, generate_series(0, block.stripes - 1) AS stripe
ON CONFLICT (code) DO NOTHING;
WITH block AS MATERIALIZED (SELECT nextval('record_id') AS start, stripes FROM ledger)
INSERT INTO account (id, stripe, code, currency, normal_side)
SELECT block.start + stripe, stripe, 'coins:written-off/' || stripe, 'COIN', 'D'
FROM block, generate_series(0, block.stripes - 1) AS stripe
ON CONFLICT (code) DO NOTHING;

-- The part of the refunded amount that goes back by bank transfer: the gateway does not cancel it.
ALTER TABLE purchase
    ADD COLUMN transferred_amount bigint NOT NULL DEFAULT 0,
    ADD CONSTRAINT purchase_transferred_within_refunded
        CHECK (transferred_amount >= 0 AND transferred_amount <= refunded_amount) NOT VALID;

-- A refund that is reversed takes back its own reversal of the purchase, so all of its numbers are negative.
ALTER TABLE purchase_reversal
    ADD COLUMN is_transfer boolean NOT NULL DEFAULT false, -- whether the money goes back by bank transfer
    DROP CONSTRAINT purchase_reversal_amount_positive,
    DROP CONSTRAINT purchase_reversal_coins_not_negative,
    DROP CONSTRAINT purchase_reversal_bonus_coins_not_negative,
    DROP CONSTRAINT purchase_reversal_charged_coins_not_negative,
    ADD CONSTRAINT purchase_reversal_goes_one_way CHECK (
        amount > 0 AND coins >= 0 AND bonus_coins >= 0 AND charged_coins >= 0
        OR amount < 0 AND coins <= 0 AND bonus_coins <= 0 AND charged_coins <= 0) NOT VALID;

-- A refund by bank transfer is approved (its coins are taken, the money is owed), then completed (paid) or reversed.
ALTER TABLE refund
    ADD COLUMN method text NOT NULL DEFAULT 'gateway',
    ADD COLUMN taken jsonb, -- by bank transfer: the coins taken of each lot and the won deferred for them
    ADD COLUMN paid_at timestamptz, -- when the bank paid it
    ADD COLUMN bank_reference text, -- what the bank's statement says of it
    DROP CONSTRAINT refund_status_known,
    DROP CONSTRAINT refund_completed_has_reversal,
    DROP CONSTRAINT refund_decided_has_time,
    ADD CONSTRAINT refund_status_fits_method CHECK (CASE method
        WHEN 'gateway' THEN status IN ('pending', 'completed', 'refused')
        WHEN 'bank_transfer' THEN status IN ('approved', 'completed', 'reversed')
        ELSE false END) NOT VALID,
    ADD CONSTRAINT refund_taken_has_reversal
        CHECK ((status IN ('approved', 'completed', 'reversed')) = (reversal_entry_id IS NOT NULL)) NOT VALID,
    ADD CONSTRAINT refund_decided_has_time CHECK ((status IN ('pending', 'approved')) = (decided_at IS NULL)) NOT VALID,
    ADD CONSTRAINT refund_by_transfer_has_taken CHECK ((method = 'bank_transfer') = (taken IS NOT NULL)) NOT VALID,
    ADD CONSTRAINT refund_paid_has_bank_reference CHECK (
        (method = 'bank_transfer' AND status = 'completed') = (paid_at IS NOT NULL)
        AND (paid_at IS NULL) = (bank_reference IS NULL)) NOT VALID;

ALTER TABLE refund_decision
    ADD COLUMN paid_at timestamptz,
    ADD COLUMN bank_reference text,
    DROP CONSTRAINT refund_decision_status_known,
    ADD CONSTRAINT refund_decision_status_known CHECK (status IN ('completed', 'refused', 'reversed')) NOT VALID,
    ADD CONSTRAINT refund_decision_paid_has_bank_reference
        CHECK ((paid_at IS NULL) = (bank_reference IS NULL)) NOT VALID;

-- What of a payment's refunded amount the gateway is not to cancel.
ALTER TABLE reconciliation_item
    ADD COLUMN transferred_amount bigint,
    DROP CONSTRAINT reconciliation_item_kind_known,
    ADD CONSTRAINT reconciliation_item_kind_known CHECK (kind IN (
        'matched', 'paid_not_credited', 'credited_not_paid', 'amount_differs', 'cancelled_not_clawed_back',
        'refunded_not_cancelled', 'refunded_twice', 'waiting', 'unreadable')) NOT VALID;
GRANT INSERT (transferred_amount), UPDATE (transferred_amount) ON reconciliation_item TO ledgerd_service;

-- Owed coins that a user paid in won.
CREATE TABLE debt_bank_payment (
    journal_entry_id bigint PRIMARY KEY,
    user_id          text NOT NULL,
    coins            bigint NOT NULL CONSTRAINT debt_bank_payment_coins_positive CHECK (coins > 0),
    amount           bigint NOT NULL CONSTRAINT debt_bank_payment_amount_positive CHECK (amount > 0), -- won
    paid_at          timestamptz NOT NULL, -- when it reached the bank
    bank_reference   text NOT NULL -- what the bank's statement says of it
);
GRANT SELECT, INSERT ON debt_bank_payment TO ledgerd_service;

-- The entry of a payment posts its won and coins, and reduces the debt of its user.
CREATE FUNCTION judge_debt_bank_payments() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    salt bigint := tally_salt();
    paid record;
BEGIN
    SELECT min(payment.journal_entry_id) FILTER (
            WHERE entry.id IS NULL OR entry.transaction_id <> pg_current_xact_id()
                OR entry.kind <> 'debt_bank_payment' OR entry.reference <> 'user:' || payment.user_id
                OR NOT EXISTS (
                    SELECT FROM posting
                    JOIN account ON account.id = posting.account_id AND account.code = 'debt:' || payment.user_id
                    WHERE posting.journal_entry_id = entry.id AND posting.side = 'C'
                        AND posting.amount = payment.coins)) AS misfit,
        sum(hashtextextended(entry.id || '/' || entry.stripe, salt)::numeric * (
            payment.amount * hashtextextended('bank', salt)::numeric
            + payment.coins * hashtextextended('coins:issued', salt)::numeric)) AS facts,
        sum(hashtextextended(entry.id || '/' || entry.stripe, salt)::numeric
            * hashtextextended('debt_bank_payment/user:' || payment.user_id, salt)) AS entries
        INTO paid
        FROM new_payment AS payment
        LEFT JOIN journal_entry AS entry ON entry.id = payment.journal_entry_id;
    IF paid.misfit IS NOT NULL THEN
        RAISE EXCEPTION 'a payment of a debt does not fit its journal entry %', paid.misfit
            USING ERRCODE = 'foreign_key_violation', TABLE = 'debt_bank_payment',
                CONSTRAINT = 'debt_bank_payment_fits_entry';
    END IF;
    PERFORM add_to_tally(more_entries => -paid.entries, more_facts => paid.facts);
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION judge_debt_bank_payments FROM PUBLIC;
CREATE TRIGGER debt_bank_payment_is_judged AFTER INSERT ON debt_bank_payment
    REFERENCING NEW TABLE AS new_payment FOR EACH STATEMENT EXECUTE FUNCTION judge_debt_bank_payments();
CREATE TRIGGER debt_bank_payment_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON debt_bank_payment
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The reversal of a refund reverses an entry, and refunds and debts that are paid have facts of their own.
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
                'settlement', 'spend_reversal', 'capture_reversal', 'refund_payment', 'refund_reversal',
                'debt_bank_payment')
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
                OR entry.kind NOT IN (
                    'void', 'refund_release', 'refund', 'claw_back', 'spend_reversal', 'capture_reversal',
                    'refund_reversal'))
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

-- What is owed for refunds by bank transfer is weighed too, and debts end in two more ways.
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
                    'gateway:receivable', 'coins:issued', 'coins:promotions', 'revenue:refund-fees', 'bank',
                    'refunds:payable')), 0)
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
        WHERE NOT CASE posting.side WHEN 'D' THEN entry.kind = 'claw_back'
            ELSE entry.kind IN ('debt_payment', 'debt_bank_payment', 'debt_write_off') END
    ) THEN
        RAISE EXCEPTION 'claw-backs alone make debts, and payments and write-offs of debts alone end them'
            USING ERRCODE = 'check_violation', TABLE = 'posting', CONSTRAINT = 'debt_by_claw_back';
    END IF;
    PERFORM add_to_tally(
        more_entries => -entries.weight, more_lots => accounts.lots, more_facts => accounts.facts);
    RETURN NULL;
END
$$;

-- Coins of a refund that is reversed come back as coins of a spend do.
CREATE OR REPLACE FUNCTION judge_coin_returns() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    salt bigint := tally_salt();
    misfit bigint;
    facts numeric;
    entries numeric;
BEGIN
    -- Whoever returns coins to the same lots meanwhile is waited for, and then seen.
    PERFORM FROM lot WHERE id IN (SELECT lot_id FROM new_return) ORDER BY id FOR UPDATE;
    SELECT min(back.journal_entry_id) FILTER (
            WHERE lot.id IS NULL OR entry.id IS NULL OR redemption.id IS NULL OR entry.stripe <> lot.stripe
                OR entry.transaction_id <> pg_current_xact_id() OR entry.reverses IS DISTINCT FROM redemption.id
                OR redemption.kind NOT IN ('spend', 'capture', 'refund') OR entry.kind <> redemption.kind || '_reversal'
                OR entry.reference <> CASE redemption.kind
                    WHEN 'spend' THEN 'spend:' || redemption.id ELSE redemption.reference END
                OR back.expires_at IS NOT NULL AND NOT coalesce(
                    lot.expires_at = back.expired_at AND back.expired_at <= entry.recorded_at
                    AND back.expires_at <= entry.recorded_at + interval '366 days', false)),
        sum(hashtextextended(entry.id || '/' || entry.stripe, salt)::numeric * (
            back.coins * hashtextextended('back/' || back.lot_id, salt)::numeric
            + back.amount * hashtextextended('won back/' || back.lot_id, salt)::numeric))
        INTO misfit, facts
        FROM new_return AS back
        LEFT JOIN lot ON lot.id = back.lot_id
        LEFT JOIN journal_entry AS entry ON entry.id = back.journal_entry_id
        LEFT JOIN journal_entry AS redemption ON redemption.id = back.redemption_id;
    IF misfit IS NULL THEN
        SELECT asked.redemption_id INTO misfit
            FROM (SELECT DISTINCT redemption_id, lot_id FROM new_return) AS asked
            CROSS JOIN LATERAL coins_taken(asked.lot_id, asked.redemption_id) AS taken
            CROSS JOIN LATERAL (
                SELECT sum(coins) AS coins, sum(amount) AS amount FROM coin_return
                WHERE redemption_id = asked.redemption_id AND lot_id = asked.lot_id
            ) AS returned
            WHERE NOT coalesce(
                returned.coins < taken.coins AND returned.amount <= taken.amount
                    OR returned.coins = taken.coins AND returned.amount = taken.amount, false)
            LIMIT 1;
    END IF;
    IF misfit IS NOT NULL THEN
        RAISE EXCEPTION 'the coins that come back by or of entry % do not fit it', misfit
            USING ERRCODE = 'foreign_key_violation', TABLE = 'coin_return', CONSTRAINT = 'coin_return_fits_redemption';
    END IF;
    UPDATE lot SET expires_at = back.expires_at FROM new_return AS back
    WHERE lot.id = back.lot_id AND back.expires_at IS NOT NULL;
    SELECT sum(hashtextextended(entry.id || '/' || entry.stripe, salt)::numeric
            * hashtextextended(entry.kind || '/' || entry.reference, salt))
        INTO entries
        FROM (SELECT DISTINCT journal_entry_id FROM new_return) AS back
        JOIN journal_entry AS entry ON entry.id = back.journal_entry_id
        -- The reversal of a refund has a decision of its own, which the entry meets.
        WHERE entry.kind <> 'refund_reversal';
    PERFORM add_to_tally(more_entries => -entries, more_facts => -facts);
    RETURN NULL;
END
$$;

-- A refund by bank transfer takes its coins at once.
CREATE OR REPLACE FUNCTION judge_refunds() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    salt bigint := tally_salt();
    begun record;
BEGIN
    SELECT min(refund.id) FILTER (
            WHERE entry.id IS NULL OR entry.stripe <> refund.stripe
                OR entry.reference <> 'refund:' || refund.id OR entry.transaction_id <> pg_current_xact_id()
                OR purchase.id IS NULL OR purchase.user_id <> refund.user_id OR purchase.stripe <> refund.stripe
                OR CASE refund.method
                    WHEN 'bank_transfer' THEN refund.status <> 'approved' OR entry.kind <> 'refund'
                        OR refund.reversal_entry_id IS DISTINCT FROM entry.id
                        OR NOT coalesce(
                            reversal.is_transfer AND reversal.purchase_id = refund.purchase_id
                            AND reversal.amount = refund.amount AND reversal.charged_coins = refund.bonus_charged
                            AND reversal.coins = refund.coins - refund.bonus_charged
                            AND reversal.bonus_coins = refund.bonus_coins + refund.bonus_charged, false)
                    ELSE refund.status <> 'pending' OR entry.kind <> 'refund_hold'
                        OR refund.reversal_entry_id IS NOT NULL
                    END) AS misfit,
        sum(hashtextextended(refund.journal_entry_id || '/' || refund.stripe, salt)::numeric * CASE refund.method
            WHEN 'bank_transfer' THEN refund.fee * hashtextextended('revenue:refund-fees', salt)::numeric
            ELSE (refund.coins + refund.bonus_coins) * hashtextextended('held:' || refund.user_id, salt)::numeric
            END) AS facts,
        sum(hashtextextended(refund.journal_entry_id || '/' || refund.stripe, salt)::numeric * hashtextextended(
            CASE refund.method WHEN 'bank_transfer' THEN 'refund' ELSE 'refund_hold' END || '/refund:' || refund.id,
            salt)) AS entries,
        sum(refund.coins * hashtextextended('refund/' || purchase.id || '/paid', salt)::numeric
            + refund.bonus_coins * hashtextextended('refund/' || purchase.id || '/bonus', salt)::numeric)
            FILTER (WHERE refund.method = 'gateway') AS holds
        INTO begun
        FROM new_refund AS refund
        LEFT JOIN journal_entry AS entry ON entry.id = refund.journal_entry_id
        LEFT JOIN purchase ON purchase.id = refund.purchase_id
        LEFT JOIN purchase_reversal AS reversal ON reversal.journal_entry_id = refund.reversal_entry_id;
    IF begun.misfit IS NOT NULL THEN
        RAISE EXCEPTION 'refund % does not fit its journal entry or purchase', begun.misfit
            USING ERRCODE = 'foreign_key_violation', TABLE = 'refund', CONSTRAINT = 'refund_fits_entry_and_purchase';
    END IF;
    PERFORM add_to_tally(
        more_entries => -begun.entries, more_facts => -begun.facts, more_holds => -begun.holds);
    RETURN NULL;
END
$$;

-- It is then paid, or reversed.
CREATE OR REPLACE FUNCTION judge_refund_decisions() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
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
                OR (decision.paid_at IS NULL) <> (decision.status <> 'completed' OR refund.method = 'gateway')
                OR CASE refund.method || ' ' || decision.status
                    WHEN 'gateway refused' THEN refund.status <> 'pending' OR entry.kind <> 'refund_release'
                    WHEN 'gateway completed' THEN refund.status = 'completed' OR entry.kind <> 'refund'
                        OR NOT coalesce(
                            NOT reversal.is_transfer AND reversal.purchase_id = refund.purchase_id
                            AND reversal.amount = refund.amount AND reversal.charged_coins = refund.bonus_charged
                            AND reversal.coins = refund.coins - refund.bonus_charged
                            AND reversal.bonus_coins = refund.bonus_coins + refund.bonus_charged, false)
                    WHEN 'bank_transfer completed' THEN refund.status <> 'approved' OR entry.kind <> 'refund_payment'
                    WHEN 'bank_transfer reversed' THEN refund.status <> 'approved' OR entry.kind <> 'refund_reversal'
                        OR NOT coalesce(
                            entry.reverses = refund.reversal_entry_id AND reversal.purchase_id = refund.purchase_id
                            AND reversal.amount = -refund.amount AND reversal.charged_coins = -refund.bonus_charged
                            AND reversal.coins = refund.bonus_charged - refund.coins
                            AND reversal.bonus_coins = -refund.bonus_coins - refund.bonus_charged, false)
                    ELSE true END),
        sum(hashtextextended(decision.journal_entry_id || '/' || entry.stripe, salt)::numeric * (
            CASE refund.status WHEN 'pending' THEN refund.coins + refund.bonus_coins ELSE 0 END
                * hashtextextended('held:' || refund.user_id, salt)::numeric
            + refund.fee * hashtextextended('revenue:refund-fees', salt)::numeric * CASE
                WHEN decision.status = 'reversed' THEN 1
                WHEN decision.status = 'completed' AND refund.method = 'gateway' THEN -1 ELSE 0 END
            + CASE WHEN entry.kind = 'refund_payment' THEN refund.amount ELSE 0 END * (
                hashtextextended('refunds:payable', salt)::numeric - hashtextextended('bank', salt)))),
        sum(hashtextextended(entry.id || '/' || entry.stripe, salt)::numeric
            * hashtextextended(entry.kind || '/refund:' || refund.id, salt)),
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
        reversal_entry_id = CASE
            WHEN refund.method = 'bank_transfer' THEN refund.reversal_entry_id
            WHEN decision.status = 'completed' THEN entry.id END,
        paid_at = decision.paid_at, bank_reference = decision.bank_reference
    FROM new_decision AS decision
    JOIN journal_entry AS entry ON entry.id = decision.journal_entry_id
    WHERE refund.id = decision.refund_id;
    PERFORM add_to_tally(more_entries => -entries, more_facts => facts, more_holds => holds);
    RETURN NULL;
END
$$;

-- Of a refund that is reversed, the purchase is as before.
CREATE OR REPLACE FUNCTION judge_reversals() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    salt bigint := tally_salt();
    misfit bigint;
    facts numeric;
    entries numeric;
BEGIN
    SELECT min(reversal.purchase_id) FILTER (
            WHERE entry.id IS NULL OR entry.transaction_id <> pg_current_xact_id()
                OR CASE entry.kind
                    WHEN 'claw_back' THEN reversal.amount < 0 OR reversal.is_transfer
                    WHEN 'refund' THEN reversal.amount < 0
                    WHEN 'refund_reversal' THEN reversal.amount > 0 OR NOT reversal.is_transfer
                    ELSE true END
                OR purchase.journal_entry_id IS DISTINCT FROM CASE entry.kind
                    WHEN 'refund_reversal' THEN (SELECT reverses FROM journal_entry WHERE id = entry.reverses)
                    ELSE entry.reverses END),
        sum(hashtextextended(reversal.journal_entry_id || '/' || entry.stripe, salt)::numeric * (
            reversal.amount * hashtextextended(
                CASE WHEN reversal.is_transfer THEN 'refunds:payable' ELSE 'gateway:receivable' END, salt)::numeric
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
        transferred_amount = transferred_amount + reversal.transferred,
        status = CASE
            WHEN refunded_amount + reversal.amount = 0 THEN 'credited'
            WHEN refunded_amount + reversal.amount = purchase.amount
                OR refunded_coins + reversal.coins = purchase.coins THEN 'refunded'
            ELSE 'partially_refunded' END
    FROM (
        SELECT purchase_id, sum(amount)::bigint AS amount, sum(coins)::bigint AS coins,
            sum(bonus_coins)::bigint AS bonus_coins, sum(charged_coins)::bigint AS charged_coins,
            coalesce(sum(amount) FILTER (WHERE is_transfer), 0)::bigint AS transferred
        FROM new_reversal
        GROUP BY purchase_id
    ) AS reversal
    WHERE purchase.id = reversal.purchase_id;
    PERFORM add_to_tally(more_entries => -entries, more_facts => -facts);
    RETURN NULL;
END
$$;
