-- A dispute that was booked as lost is won after all: what its claw-back took comes back.

ALTER TABLE journal_entry
    DROP CONSTRAINT journal_entry_kind_known,
    ADD CONSTRAINT journal_entry_kind_known CHECK (kind IN (
        'purchase', 'grant', 'claw_back', 'debt_payment', 'spend', 'hold', 'capture', 'void', 'expiry', 'refund_hold',
        'refund_release', 'refund', 'settlement', 'spend_reversal', 'capture_reversal', 'refund_payment',
        'refund_reversal', 'debt_bank_payment', 'debt_write_off', 'payout', 'provider_repayment', 'dispute_hold',
        'dispute_release', 'adjustment', 'expiry_reversal', 'debt_write_off_reversal', 'claw_back_reversal')) NOT VALID;

-- A dispute can be decided more than twice now: lost, won, and lost again. Its last decision counts. No two decisions are of
-- one entry, so nothing comes back twice.
ALTER TABLE dispute_decision
    ADD COLUMN seq bigint GENERATED ALWAYS AS IDENTITY, -- the order of decisions
    DROP CONSTRAINT dispute_decision_pkey,
    ADD CONSTRAINT dispute_decision_pkey PRIMARY KEY (dispute_id, seq),
    ADD CONSTRAINT dispute_decision_of_one_entry UNIQUE (journal_entry_id),
    DROP CONSTRAINT dispute_decision_takes_when_lost,
    ADD CONSTRAINT dispute_decision_moves_by_caller CHECK (
        (journal_entry_id IS NULL) = (amount = 0) AND (amount = 0 OR decided_by IS NOT NULL));

-- One that a person booked as lost can be won.
CREATE OR REPLACE FUNCTION judge_dispute_decision() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    decided dispute;
    bought purchase;
    last dispute_decision;
    moved journal_entry;
    ended text[] := '{}';
    salt bigint;
BEGIN
    -- Whoever decides the same dispute meanwhile is waited for, and then seen.
    SELECT * INTO decided FROM dispute WHERE id = NEW.dispute_id FOR UPDATE;
    SELECT * INTO bought FROM purchase WHERE id = decided.purchase_id;
    SELECT * INTO last FROM dispute_decision
    WHERE dispute_id = NEW.dispute_id AND seq < NEW.seq ORDER BY seq DESC LIMIT 1;
    SELECT * INTO moved FROM journal_entry WHERE id = NEW.journal_entry_id;
    IF decided.id IS NULL OR decided.status = NEW.outcome
        -- What a person booked as lost, a person can take back, and all of it. What followed from the gateway's cancellation
        -- is final.
        OR decided.status = 'lost' AND NOT coalesce(
            NEW.decided_by IS NOT NULL AND last.decided_by IS NOT NULL AND NEW.amount = last.amount
                AND (NEW.amount = 0 OR moved.kind = 'claw_back_reversal' AND moved.reverses = last.journal_entry_id), false)
        OR decided.status = 'open' AND NEW.outcome = 'won' AND NEW.amount <> 0
        OR NEW.amount <> 0 AND NOT coalesce(
            moved.transaction_id = pg_current_xact_id()
                AND moved.kind = CASE NEW.outcome WHEN 'lost' THEN 'claw_back' ELSE 'claw_back_reversal' END
                AND EXISTS (
                    SELECT FROM purchase_reversal AS reversal
                    WHERE reversal.journal_entry_id = NEW.journal_entry_id AND reversal.purchase_id = decided.purchase_id
                        AND reversal.amount = CASE NEW.outcome WHEN 'lost' THEN NEW.amount ELSE -NEW.amount END
                        -- As many coins come back, or are owed no more, as were taken.
                        AND (NEW.outcome = 'lost' OR -reversal.coins - reversal.bonus_coins = (
                            SELECT sum(posted.amount) FROM account CROSS JOIN LATERAL (
                                SELECT amount FROM posting
                                WHERE posting.account_id = account.id AND journal_entry_id = NEW.journal_entry_id
                                    AND side = 'C'
                                OFFSET 0
                            ) AS posted
                            WHERE account.code IN ('wallet:' || decided.user_id || ':paid',
                                'wallet:' || decided.user_id || ':bonus', 'debt:' || decided.user_id)))), false)
    THEN
        RAISE EXCEPTION 'what is decided of dispute % does not fit it or its journal entry', NEW.dispute_id
            USING ERRCODE = 'foreign_key_violation', TABLE = 'dispute_decision',
                CONSTRAINT = 'dispute_decision_fits_dispute';
    END IF;
    UPDATE dispute SET status = NEW.outcome, decided_at = NEW.decided_at WHERE id = NEW.dispute_id;
    PERFORM record_occurrence(
        'purchase.dispute_resolved', 'dispute:' || decided.id, decided.user_id,
        jsonb_build_object(
            'id', decided.id, 'purchase_id', bought.id, 'gateway', bought.gateway, 'imp_uid', bought.imp_uid,
            'merchant_uid', bought.merchant_uid, 'payment_id', bought.payment_id, 'amount', bought.amount,
            'currency', bought.currency, 'reason', decided.reason, 'opened_at', microseconds(decided.opened_at),
            'outcome', NEW.outcome, 'decided_at', microseconds(NEW.decided_at), 'decided_by', NEW.decided_by));
    IF NOT EXISTS (SELECT FROM dispute WHERE purchase_id = decided.purchase_id AND status = 'open') THEN
        ended := ARRAY['payment_disputed'];
    END IF;
    IF decided.status = 'lost' AND NOT EXISTS (
        SELECT FROM dispute JOIN dispute_win ON dispute_win.dispute_id = dispute.id
        WHERE dispute.purchase_id = decided.purchase_id AND dispute.status = 'lost')
    THEN
        ended := ended || ARRAY['dispute_won_after_loss'];
    END IF;
    UPDATE finding
    SET kinds = CASE WHEN kinds <@ ended THEN kinds ELSE ARRAY(
            SELECT kind FROM unnest(kinds) WITH ORDINALITY AS found (kind, place) WHERE kind <> ALL (ended) ORDER BY place)
            END,
        resolved_at = CASE WHEN kinds <@ ended THEN now() END
    WHERE imp_uid = bought.imp_uid AND gateway = bought.gateway AND resolved_at IS NULL AND kinds && ended;
    IF moved.kind = 'claw_back_reversal' THEN
        salt := tally_salt();
        PERFORM add_to_tally(more_entries => -hashtextextended(moved.id || '/' || moved.stripe, salt)::numeric
            * hashtextextended('claw_back_reversal/purchase:' || decided.purchase_id, salt));
    END IF;
    RETURN NULL;
END
$$;

-- The purchase has what came back.
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
                    -- What a claw-back took comes back whole.
                    WHEN 'claw_back_reversal' THEN NOT coalesce((
                        SELECT (taken.purchase_id, -taken.amount, -taken.coins, -taken.bonus_coins, -taken.charged_coins)
                            = (reversal.purchase_id, reversal.amount, reversal.coins, reversal.bonus_coins,
                                reversal.charged_coins) AND taken.amount > 0 AND NOT reversal.is_transfer
                        FROM purchase_reversal AS taken WHERE taken.journal_entry_id = entry.reverses), false)
                    ELSE true END
                OR purchase.journal_entry_id IS DISTINCT FROM CASE WHEN entry.kind IN ('refund_reversal', 'claw_back_reversal')
                    THEN (SELECT reverses FROM journal_entry WHERE id = entry.reverses) ELSE entry.reverses END),
        sum(hashtextextended(reversal.journal_entry_id || '/' || entry.stripe, salt)::numeric * (
            reversal.amount * hashtextextended(
                CASE WHEN reversal.is_transfer THEN 'refunds:payable' ELSE 'gateway:receivable' END, salt)::numeric
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

-- Coins come back of claw-backs too.
CREATE OR REPLACE FUNCTION judge_coin_returns() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET debug_print_plan = off AS $$
DECLARE
    salt bigint := tally_salt();
    misfit bigint;
    facts numeric;
    entries numeric;
    claw_backs bigint[];
BEGIN
    -- Whoever returns coins to the same lots meanwhile is waited for, and then seen.
    PERFORM FROM lot WHERE id IN (SELECT lot_id FROM new_return) ORDER BY id FOR UPDATE;
    SELECT min(back.journal_entry_id) FILTER (
            WHERE lot.id IS NULL OR entry.id IS NULL OR redemption.id IS NULL OR entry.stripe <> lot.stripe
                OR entry.transaction_id <> pg_current_xact_id() OR entry.reverses IS DISTINCT FROM redemption.id
                OR redemption.kind NOT IN ('spend', 'capture', 'refund', 'claw_back')
                OR entry.kind <> redemption.kind || '_reversal'
                OR entry.reference <> CASE redemption.kind
                    WHEN 'spend' THEN 'spend:' || redemption.id ELSE redemption.reference END
                OR back.expires_at IS NOT NULL AND NOT coalesce(
                    lot.expires_at = back.expired_at AND back.expired_at <= entry.recorded_at
                    AND back.expires_at <= entry.recorded_at + interval '366 days', false)),
        sum(hashtextextended(entry.id || '/' || entry.stripe, salt)::numeric * (
            back.coins * hashtextextended('back/' || back.lot_id, salt)::numeric
            + back.amount * hashtextextended('won back/' || back.lot_id, salt)::numeric)),
        coalesce(array_agg(DISTINCT redemption.id) FILTER (WHERE redemption.kind = 'claw_back'), '{}')
        INTO misfit, facts, claw_backs
        FROM new_return AS back
        LEFT JOIN lot ON lot.id = back.lot_id
        LEFT JOIN journal_entry AS entry ON entry.id = back.journal_entry_id
        LEFT JOIN journal_entry AS redemption ON redemption.id = back.redemption_id;
    IF misfit IS NULL THEN
        SELECT asked.redemption_id INTO misfit
            FROM (
                SELECT DISTINCT redemption_id, lot_id FROM new_return WHERE redemption_id <> ALL (claw_backs)
            ) AS asked
            LEFT JOIN LATERAL (
                SELECT seq, coins, amount FROM lot WHERE lot.id = asked.lot_id OFFSET 0
            ) AS lot ON true
            LEFT JOIN LATERAL (
                -- Most lots have few movements, which are read faster than searched.
                (
                    SELECT coalesce(before.remaining + before.held, lot.coins) - moved.remaining - moved.held AS coins,
                        coalesce(before.deferred, lot.amount) - moved.deferred AS amount
                    FROM lot_movement AS moved
                    LEFT JOIN lot_movement AS before ON before.lot_id = moved.lot_id AND before.seq = moved.seq - 1
                    WHERE moved.lot_id = asked.lot_id AND moved.journal_entry_id = asked.redemption_id AND lot.seq <= 32
                    ORDER BY moved.seq
                    LIMIT 1
                )
                UNION ALL
                SELECT coins, amount FROM coins_taken(asked.lot_id, asked.redemption_id) WHERE lot.seq > 32
            ) AS taken ON true
            CROSS JOIN LATERAL (
                SELECT sum(coins) AS coins, sum(amount) AS amount FROM coin_return
                WHERE redemption_id = asked.redemption_id AND lot_id = asked.lot_id
            ) AS returned
            WHERE NOT coalesce(
                returned.coins < taken.coins AND returned.amount <= taken.amount
                    OR returned.coins = taken.coins AND returned.amount = taken.amount, false)
            LIMIT 1;
    END IF;
    IF misfit IS NULL AND claw_backs <> '{}' THEN
        -- A claw-back took coins of the purchase's lots, and made a debt of others. Both can come back, with the won that went
        -- back for them, or that were deferred for them.
        SELECT asked.redemption_id INTO misfit
            FROM (
                SELECT DISTINCT redemption_id, lot_id FROM new_return WHERE redemption_id = ANY (claw_backs)
            ) AS asked
            LEFT JOIN purchase_reversal AS taken ON taken.journal_entry_id = asked.redemption_id
            LEFT JOIN lot ON lot.id = asked.lot_id AND lot.purchase_id = taken.purchase_id
            LEFT JOIN LATERAL (
                SELECT coalesce(before.deferred, lot.amount) - moved.deferred
                        + coalesce(before.breakage, 0) - coalesce(moved.breakage, 0) AS amount
                FROM lot_movement AS moved
                LEFT JOIN lot_movement AS before ON before.lot_id = moved.lot_id AND before.seq = moved.seq - 1
                WHERE moved.lot_id = asked.lot_id AND moved.journal_entry_id = asked.redemption_id
            ) AS moved ON true
            CROSS JOIN LATERAL (
                SELECT sum(coins) AS coins, sum(amount) AS amount FROM coin_return
                WHERE redemption_id = asked.redemption_id AND lot_id = asked.lot_id
            ) AS returned
            WHERE CASE lot.kind
                WHEN 'paid' THEN returned.coins <= taken.coins + taken.charged_coins
                    AND returned.amount <= greatest(taken.amount, coalesce(moved.amount, 0))
                ELSE returned.coins <= taken.bonus_coins - taken.charged_coins AND returned.amount = 0 END IS NOT TRUE
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
        -- The reversal of a refund or claw-back has a decision of its own, which the entry meets.
        WHERE entry.kind NOT IN ('refund_reversal', 'claw_back_reversal');
    PERFORM add_to_tally(more_entries => -entries, more_facts => -facts);
    RETURN NULL;
END
$$;

-- Such an entry must meet its decision.
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
                'debt_bank_payment', 'payout', 'provider_repayment', 'dispute_hold', 'dispute_release',
                'adjustment', 'expiry_reversal', 'claw_back_reversal')
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
                    'refund_reversal', 'claw_back_reversal'))
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

-- What is left of a claw-back's debt ends with it.
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
                    'refunds:payable', 'revenue:commission', 'cost:providers', 'tax:withholding-payable',
                    'coins:expected-breakage', 'revenue:expected-breakage', 'coins:deferred-bonus',
                    'revenue:bonus-allocation')), 0)
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
        JOIN account ON account.id = posting.account_id AND account.code LIKE 'debt:%'
        JOIN journal_entry AS entry ON entry.id = posting.journal_entry_id
        WHERE NOT CASE posting.side WHEN 'D' THEN entry.kind IN ('claw_back', 'debt_write_off_reversal')
            ELSE entry.kind IN ('debt_payment', 'debt_bank_payment', 'debt_write_off', 'claw_back_reversal') END
    ) THEN
        RAISE EXCEPTION 'claw-backs alone make debts, and their reversals, payments and write-offs of debts alone end them'
            USING ERRCODE = 'check_violation', TABLE = 'posting', CONSTRAINT = 'debt_by_claw_back';
    END IF;
    PERFORM add_to_tally(
        more_entries => -entries.weight, more_lots => accounts.lots, more_facts => accounts.facts);
    RETURN NULL;
END
$$;
