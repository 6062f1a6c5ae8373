-- The judges of purchases and of what goes back of them; receipts and webhooks of gateways.

-- The account of what a gateway owes: each store has its own, and all others share one (docs/decisions/0213).
CREATE OR REPLACE FUNCTION receivable_of(gateway text) RETURNS text LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    RETURN CASE WHEN gateway IN ('app-store', 'google-play') THEN gateway || ':receivable' ELSE 'gateway:receivable' END;
END
$$;

-- As with postings, references are judged once per statement: nothing is ever deleted from what they name.
CREATE OR REPLACE FUNCTION judge_purchases() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    salt bigint := tally_salt();
    bought record;
    wrong bigint;
BEGIN
    SELECT min(id) FILTER (
            WHERE status <> 'credited' OR refunded_amount <> 0 OR refunded_coins <> 0 OR refunded_bonus_coins <> 0
                OR charged_coins <> 0 OR settled_amount <> 0 OR foreign_refunded <> 0
                OR foreign_settled IS NOT NULL) AS begun,
        bool_or(foreign_currency IS NOT NULL) AS has_foreign,
        sum(hashtextextended(journal_entry_id || '/' || stripe, salt)::numeric
            * hashtextextended('purchase/purchase:' || id, salt)) AS entries,
        sum(hashtextextended(journal_entry_id || '/' || stripe, salt)::numeric * (
            CASE WHEN foreign_currency IS NULL THEN amount * hashtextextended(receivable_of(gateway), salt)::numeric
                ELSE foreign_facts(gateway, foreign_currency, foreign_amount, amount, salt) END
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
    IF bought.has_foreign THEN
        -- A rate of the currency is published under this lock, which ends with its commit (Rate.lock). So each rate that was
        -- published before the payment is seen here, and each later one is published after the credit.
        PERFORM pg_advisory_xact_lock_shared(hashtextextended(paid.code, 7810759524207391845))
            FROM (SELECT DISTINCT foreign_currency AS code FROM new_purchase WHERE foreign_currency IS NOT NULL) AS paid;
        SELECT paid.id INTO wrong
            FROM (SELECT id FROM new_purchase WHERE foreign_currency IS NOT NULL) AS paid
            CROSS JOIN LATERAL (SELECT purchase AS row FROM purchase WHERE purchase.id = paid.id OFFSET 0) AS written
            WHERE NOT is_worth_of_payment(written.row) LIMIT 1;
        IF FOUND THEN
            RAISE EXCEPTION 'the won of purchase % are not the worth of what was paid', wrong
                USING ERRCODE = 'check_violation', TABLE = 'purchase', CONSTRAINT = 'purchase_at_rate_of_payment';
        END IF;
    END IF;
    PERFORM add_to_tally(
        more_entries => -bought.entries, more_facts => bought.facts, more_purchases => bought.lots);
    RETURN NULL;
END
$$;

-- A further name is one at another gateway, of the same order, and no purchase's own.
CREATE OR REPLACE FUNCTION judge_payment_name() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (
            SELECT FROM purchase
            WHERE id = NEW.purchase_id AND merchant_uid = NEW.merchant_uid AND gateway <> NEW.gateway)
        OR EXISTS (SELECT FROM purchase WHERE imp_uid = NEW.imp_uid AND gateway = NEW.gateway)
    THEN
        RAISE EXCEPTION 'the name % at % does not fit purchase %', NEW.imp_uid, NEW.gateway, NEW.purchase_id
            USING ERRCODE = 'foreign_key_violation', TABLE = 'payment_name', CONSTRAINT = 'payment_name_fits_purchase';
    END IF;
    RETURN NULL;
END
$$;

-- What goes back of a purchase is what its reversing entry posts; where the purchase stands follows. Of a refund or
-- claw-back that is reversed, the purchase is as before.
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
                    -- What the App Store gave back and is worth no won is booked with the next part.
                    WHEN 'claw_back' THEN reversal.amount < 0 OR reversal.is_transfer
                        OR reversal.amount = 0 AND purchase.gateway = 'app-store'
                    WHEN 'refund' THEN reversal.amount < 0
                    WHEN 'refund_reversal' THEN reversal.amount > 0 OR NOT reversal.is_transfer
                    -- What a claw-back took comes back whole.
                    WHEN 'claw_back_reversal' THEN NOT coalesce((
                        SELECT (taken.purchase_id, -taken.amount, -taken.coins, -taken.bonus_coins, -taken.charged_coins)
                            = (reversal.purchase_id, reversal.amount, reversal.coins, reversal.bonus_coins,
                                reversal.charged_coins) AND taken.amount > 0 AND NOT reversal.is_transfer
                            AND -taken.foreign_amount IS NOT DISTINCT FROM reversal.foreign_amount
                        FROM purchase_reversal AS taken WHERE taken.journal_entry_id = entry.reverses), false)
                    ELSE true END
                OR purchase.journal_entry_id IS DISTINCT FROM CASE WHEN entry.kind IN ('refund_reversal', 'claw_back_reversal')
                    THEN (SELECT reverses FROM journal_entry WHERE id = entry.reverses) ELSE entry.reverses END
                -- What was paid in a foreign currency goes back in it.
                OR (purchase.foreign_currency IS NULL) <> (reversal.foreign_amount IS NULL)
                OR purchase.foreign_currency IS NOT NULL AND entry.kind NOT IN ('claw_back', 'claw_back_reversal', 'refund')),
        sum(hashtextextended(reversal.journal_entry_id || '/' || entry.stripe, salt)::numeric * (
            CASE WHEN purchase.foreign_currency IS NULL THEN reversal.amount * hashtextextended(
                CASE WHEN reversal.is_transfer THEN 'refunds:payable' ELSE receivable_of(purchase.gateway) END, salt)::numeric
                ELSE foreign_facts(
                    purchase.gateway, purchase.foreign_currency, reversal.foreign_amount, reversal.amount, salt) END
            + reversal.coins * hashtextextended('coins:issued', salt)::numeric
            + reversal.bonus_coins * hashtextextended('coins:promotions', salt)::numeric)),
        -- The entry of a refund, or of a dispute that is won after all, is that of what was decided of it.
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
        foreign_refunded = foreign_refunded + reversal.foreign_amount, -- NULL: it was paid in won
        status = CASE
            WHEN refunded_amount + reversal.amount = 0 THEN 'credited'
            WHEN refunded_amount + reversal.amount = purchase.amount
                OR refunded_coins + reversal.coins = purchase.coins THEN 'refunded'
            ELSE 'partially_refunded' END
    FROM (
        SELECT purchase_id, sum(amount)::bigint AS amount, sum(coins)::bigint AS coins,
            sum(bonus_coins)::bigint AS bonus_coins, sum(charged_coins)::bigint AS charged_coins,
            coalesce(sum(amount) FILTER (WHERE is_transfer), 0)::bigint AS transferred,
            sum(foreign_amount)::bigint AS foreign_amount
        FROM new_reversal
        GROUP BY purchase_id
    ) AS reversal
    WHERE purchase.id = reversal.purchase_id;
    PERFORM add_to_tally(more_entries => -entries, more_facts => -facts);
    RETURN NULL;
END
$$;

-- Whether the reversal of a claw-back gives its user as many coins back, or ends as much of what is owed, as were taken.
CREATE OR REPLACE FUNCTION gives_back_all(moved journal_entry, of_user text) RETURNS boolean LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    RETURN EXISTS (
        SELECT FROM purchase_reversal AS reversal
        WHERE reversal.journal_entry_id = moved.id AND -reversal.coins - reversal.bonus_coins = (
            SELECT coalesce(sum(posted.amount), 0) FROM account CROSS JOIN LATERAL (
                -- What this transaction posted is at the end of the account.
                SELECT amount FROM posting
                WHERE posting.account_id = account.id AND journal_entry_id = moved.id
                    AND side = 'C' AND seq > posting_seq_as_of(account.id, moved.recorded_at - interval '1 microsecond')
                OFFSET 0
            ) AS posted
            WHERE account.code IN ('wallet:' || of_user || ':paid', 'wallet:' || of_user || ':bonus', 'debt:' || of_user)));
END
$$;

-- A store took a refund back: the reversal of its claw-back gives back all of it, in the same transaction. What a person booked
-- as lost, only a decision on the dispute takes back.
CREATE OR REPLACE FUNCTION judge_claw_back_reversal() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    bought purchase;
    moved journal_entry;
    salt bigint := tally_salt();
BEGIN
    SELECT * INTO bought FROM purchase WHERE id = NEW.purchase_id;
    SELECT * INTO moved FROM journal_entry WHERE id = NEW.journal_entry_id;
    IF NOT coalesce(
        bought.gateway IN ('app-store', 'google-play') AND moved.transaction_id = pg_current_xact_id()
            AND moved.kind = 'claw_back_reversal' AND moved.reverses = NEW.claw_back_id
            AND (SELECT kind FROM journal_entry WHERE id = NEW.claw_back_id) = 'claw_back'
            AND EXISTS (
                SELECT FROM purchase_reversal
                WHERE journal_entry_id = NEW.journal_entry_id AND purchase_id = NEW.purchase_id)
            AND gives_back_all(moved, bought.user_id)
            AND NOT EXISTS (SELECT FROM dispute_decision WHERE journal_entry_id = NEW.claw_back_id OFFSET 0), false)
    THEN
        RAISE EXCEPTION 'what comes back by entry % does not fit purchase % or its claw-back', NEW.journal_entry_id,
            NEW.purchase_id
            USING ERRCODE = 'foreign_key_violation', TABLE = 'claw_back_reversal',
                CONSTRAINT = 'claw_back_reversal_fits_purchase';
    END IF;
    PERFORM add_to_tally(more_entries => -hashtextextended(moved.id || '/' || moved.stripe, salt)::numeric
        * hashtextextended('claw_back_reversal/purchase:' || NEW.purchase_id, salt));
    RETURN NULL;
END
$$;

-- What a store sold is delivered: it can be told so once the purchase is committed.
CREATE OR REPLACE FUNCTION begin_store_delivery() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    INSERT INTO store_delivery (purchase_id) VALUES (NEW.id);
    RETURN NULL;
END
$$;

-- A receipt whose payment is credited has the event of its purchase.
CREATE OR REPLACE FUNCTION record_receipt() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM record_occurrence(
        CASE NEW.status WHEN 'waiting' THEN 'receipt.waiting' ELSE 'receipt.refused' END, 'receipt:' || NEW.id,
        NEW.user_id,
        jsonb_build_object(
            'gateway', NEW.gateway, 'imp_uid', NEW.imp_uid, 'merchant_uid', NEW.merchant_uid,
            'payment_id', NEW.payment_id, 'reason', NEW.reason));
    RETURN NULL;
END
$$;

-- The service's role deletes nothing else.
CREATE OR REPLACE FUNCTION purge_receipt_refusals(most bigint) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH gone AS (
        DELETE FROM public.receipt_refusal
        WHERE user_id IN (
            SELECT user_id FROM public.receipt_refusal WHERE window_ends_at < now()
            ORDER BY window_ends_at LIMIT least(most, 10000) FOR UPDATE SKIP LOCKED)
        RETURNING 1
    )
    SELECT count(*) FROM gone
$$;

-- Deletes decided events alone, none younger than a day.
CREATE OR REPLACE FUNCTION purge_webhook_events(older_than interval, most bigint) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH gone AS (
        DELETE FROM public.webhook_event
        WHERE id IN (
            SELECT id FROM public.webhook_event
            WHERE status <> 'waiting' AND decided_at < now() - greatest(older_than, interval '1 day')
            ORDER BY decided_at LIMIT least(most, 10000) FOR UPDATE SKIP LOCKED)
        RETURNING 1
    )
    SELECT count(*) FROM gone
$$;

REVOKE ALL ON FUNCTION receivable_of, judge_purchases, judge_payment_name, judge_reversals, gives_back_all,
    judge_claw_back_reversal, begin_store_delivery, record_receipt, purge_receipt_refusals, purge_webhook_events FROM PUBLIC;
GRANT EXECUTE ON FUNCTION purge_receipt_refusals, purge_webhook_events TO ledgerd_service;
