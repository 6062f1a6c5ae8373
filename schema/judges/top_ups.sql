-- Automatic top-up. Consents and charges are changed by these functions alone, so no caller starts a charge, asks for a second
-- one, or says that one was paid. Each locks the user's consent before the charge, so they never wait for each other in a circle.

-- Spends and captures start a charge of a user whose available coins are below the consent's threshold. A user with a debt gets
-- none, because coins would pay the debt, and is told of it by the pause.
CREATE OR REPLACE FUNCTION start_top_ups() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
-- By key, as a plan made on an empty table would not.
SET search_path = pg_catalog, public, pg_temp SET enable_nestloop = on SET enable_seqscan = off AS $$
BEGIN
    -- Most ledgers have no consents, and pay for this look alone.
    IF NOT EXISTS (SELECT FROM top_up) THEN
        RETURN NULL;
    END IF;
    INSERT INTO top_up_charge (top_up_id, user_id, journal_entry_id)
    SELECT consent.id, consent.user_id, used.entry
    FROM (
        SELECT account.owner, max(posting.journal_entry_id) AS entry
        FROM new_posting AS posting
        CROSS JOIN LATERAL (
            SELECT owner, code FROM account WHERE account.id = posting.account_id OFFSET 0
        ) AS account
        CROSS JOIN LATERAL (
            SELECT kind FROM journal_entry WHERE journal_entry.id = posting.journal_entry_id OFFSET 0
        ) AS entry
        WHERE account.owner IS NOT NULL AND (account.code LIKE 'wallet:%' OR account.code LIKE 'held:%')
            AND entry.kind IN ('spend', 'capture')
        GROUP BY account.owner
    ) AS used
    CROSS JOIN LATERAL (
        SELECT * FROM top_up
        WHERE top_up.user_id = used.owner AND top_up.status = 'active'
            AND coalesce(top_up.rests_until <= clock_timestamp(), true)
        OFFSET 0
    ) AS consent
    CROSS JOIN LATERAL (
        SELECT coalesce(sum(balance) FILTER (WHERE code LIKE 'wallet:%'), 0) AS coins FROM account
        WHERE account.owner = used.owner AND code NOT LIKE 'earnings:%'
    ) AS present
    WHERE present.coins < consent.threshold
    ORDER BY consent.user_id
    ON CONFLICT (user_id) WHERE status = 'waiting' DO NOTHING;
    RETURN NULL;
END
$$;

-- ledgerd pauses a consent that is active: changed_by is empty then.
CREATE OR REPLACE FUNCTION stop_top_up(consent bigint, why text) RETURNS void LANGUAGE sql
SET search_path = pg_catalog, public, pg_temp AS $$
    UPDATE top_up SET status = 'paused', reason = why, changed_by = NULL WHERE id = consent AND status = 'active'
$$;

-- A purchase of a charge's order ends the charge, whoever credits it: the charge, a webhook or the sweep. So coins and the end of
-- the charge are one transaction, also if the consent has ended meanwhile, or the charge had been given up.
CREATE OR REPLACE FUNCTION credit_top_ups() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET enable_nestloop = on SET enable_seqscan = off AS $$
DECLARE
    paid record;
    pays_debt boolean;
BEGIN
    IF NOT EXISTS (SELECT FROM top_up_charge) THEN
        RETURN NULL;
    END IF;
    FOR paid IN
        SELECT charge.id, charge.top_up_id, charge.user_id, bought.id AS purchase_id
        FROM new_purchase AS bought
        CROSS JOIN LATERAL (
            SELECT * FROM top_up_charge WHERE top_up_charge.merchant_uid = bought.merchant_uid OFFSET 0
        ) AS charge
        ORDER BY charge.top_up_id
    LOOP
        PERFORM FROM top_up WHERE id = paid.top_up_id FOR NO KEY UPDATE;
        UPDATE top_up_charge SET status = 'credited', reason = 'paid', lease_holder = NULL, decided_at = clock_timestamp()
        WHERE id = paid.id AND status <> 'credited';
        -- The coins paid what the user owed. What was agreed to was coins to use, so a person decides how it goes on.
        SELECT EXISTS (
            SELECT FROM account
            JOIN posting ON posting.account_id = account.id AND posting.seq = account.seq
            JOIN journal_entry ON journal_entry.id = posting.journal_entry_id
            WHERE account.code = 'debt:' || paid.user_id AND journal_entry.kind = 'debt_payment'
                AND journal_entry.reference = 'purchase:' || paid.purchase_id
        ) INTO pays_debt;
        UPDATE top_up SET failures = 0 WHERE id = paid.top_up_id;
        IF pays_debt THEN
            PERFORM stop_top_up(paid.top_up_id, 'debt');
        END IF;
    END LOOP;
    RETURN NULL;
END
$$;

-- The user that an id refers to, once no merge and no other act on consents of either name is under way.
CREATE OR REPLACE FUNCTION lock_top_ups(of_user text) RETURNS text LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    present text;
BEGIN
    LOOP
        present := user_behind(of_user);
        PERFORM pg_advisory_xact_lock(hashtextextended('top_up:' || name, 0))
            FROM unnest(ARRAY[of_user, present]) AS name ORDER BY name COLLATE "C";
        EXIT WHEN user_behind(of_user) = present;
    END LOOP;
    RETURN present;
END
$$;

-- A user's consent, in place of the one before; that one ends. A repeat of the same changes nothing: it resumes no paused one.
CREATE OR REPLACE FUNCTION agree_to_top_up(
    of_user text, at_gateway text, key text, of_product text, below bigint, a_month bigint, caller text
) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    present top_up;
    agreed bigint;
BEGIN
    -- Two at once for a user without one: the second finds the first.
    of_user := lock_top_ups(of_user);
    SELECT * INTO present FROM top_up WHERE user_id = of_user AND status <> 'revoked' FOR NO KEY UPDATE;
    IF (present.gateway, present.billing_key, present.product, present.threshold, present.monthly_limit)
        = (at_gateway, key, of_product, below, a_month)
    THEN
        RETURN present.id;
    END IF;
    IF present.id IS NOT NULL THEN
        PERFORM revoke_top_up(of_user, 'replaced', caller);
    END IF;
    INSERT INTO top_up (user_id, gateway, billing_key, product, threshold, monthly_limit, set_by)
    VALUES (of_user, at_gateway, key, of_product, below, a_month, caller) RETURNING id INTO agreed;
    RETURN agreed;
END
$$;

-- The consent ends at once: a charge that the gateway was not asked for is dropped, and one that it was asked for goes on to
-- its end. Returns whether there was one.
CREATE OR REPLACE FUNCTION revoke_top_up(of_user text, why text, caller text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    ended bigint;
BEGIN
    of_user := lock_top_ups(of_user);
    PERFORM FROM top_up WHERE user_id = of_user AND status <> 'revoked' FOR NO KEY UPDATE;
    UPDATE top_up
    SET status = 'revoked', reason = why, billing_key = NULL, changed_by = caller, ended_at = clock_timestamp()
    WHERE user_id = of_user AND status <> 'revoked' RETURNING id INTO ended;
    UPDATE top_up_charge SET status = 'dropped', reason = 'revoked', lease_holder = NULL, decided_at = clock_timestamp()
    WHERE top_up_id = ended AND status = 'waiting' AND asked_at IS NULL;
    RETURN ended IS NOT NULL;
END
$$;

-- Pauses or resumes a consent; returns its id. Who resumes it begins with no failures and no rest.
CREATE OR REPLACE FUNCTION pause_top_up(of_user text, why text, caller text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    changed bigint;
BEGIN
    of_user := lock_top_ups(of_user);
    UPDATE top_up
    SET status = CASE WHEN why IS NULL THEN 'active' ELSE 'paused' END, reason = why, changed_by = caller,
        failures = CASE WHEN why IS NULL THEN 0 ELSE failures END,
        rests_until = CASE WHEN why IS NOT NULL THEN rests_until END
    WHERE user_id = of_user AND status = CASE WHEN why IS NULL THEN 'paused' ELSE 'active' END RETURNING id INTO changed;
    RETURN changed;
END
$$;

-- Stores that the gateway is about to be asked to charge, with the order that is charged, and returns what to ask. Nothing is
-- returned if it must not be asked: the charge is dropped then, or another process has asked.
--
-- A charge has one order, also if it is asked for again because a request did not reach the gateway. The order has the price.
CREATE OR REPLACE FUNCTION ask_for_top_up(
    of_charge bigint, order_lifetime interval, zone text, most_a_day bigint, OUT vat text,
    OUT merchant_uid text, OUT amount bigint, OUT title text, OUT billing_key text, OUT asked_at timestamptz
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_column
DECLARE
    moment timestamptz;
    today timestamp;
    month_began timestamptz;
    consent top_up;
    charge top_up_charge;
    sold product;
    held record;
    before record;
    why text;
BEGIN
    SELECT top_up.* INTO consent FROM top_up
    WHERE id = (SELECT top_up_id FROM top_up_charge WHERE id = of_charge) FOR NO KEY UPDATE;
    SELECT * INTO charge FROM top_up_charge WHERE id = of_charge AND status = 'waiting' AND asked_at IS NULL
    FOR NO KEY UPDATE;
    IF charge.id IS NULL THEN
        RETURN;
    END IF;
    -- After the locks, so that times tell whether a charge or the end of its consent came first.
    moment := clock_timestamp();
    today := date_trunc('day', moment AT TIME ZONE zone);
    month_began := date_trunc('month', today) AT TIME ZONE zone;
    SELECT * INTO sold FROM product
    WHERE code = consent.product AND active_from <= moment AND coalesce(active_until > moment, true);
    amount := coalesce(charge.amount, sold.price);
    SELECT coalesce(sum(balance) FILTER (WHERE code LIKE 'wallet:%'), 0) AS coins, coalesce(bool_or(owes), false) AS owes
        INTO held FROM account WHERE owner = charge.user_id AND code NOT LIKE 'earnings:%';
    -- Of all consents of the user: a new one begins no new month. A charge that was given up without an answer may be paid, and of
    -- one that was not credited the money may have been taken.
    SELECT count(*) FILTER (WHERE top_up_charge.asked_at >= today AT TIME ZONE zone) AS of_day, coalesce(sum(amount), 0) AS of_month
        INTO before FROM top_up_charge
        WHERE user_id = charge.user_id AND id <> charge.id AND (status = 'credited' OR reason IN ('unknown', 'not_credited'))
            AND top_up_charge.asked_at >= month_began;
    why := CASE
        WHEN consent.status <> 'active' THEN consent.status
        -- It failed between the look of the spend that started this charge, and this charge.
        WHEN consent.rests_until > moment THEN 'rests'
        WHEN held.owes THEN 'debt'
        WHEN held.coins >= consent.threshold THEN 'enough_coins'
        WHEN amount IS NULL THEN 'product_not_on_sale'
        -- A payment of an expired order is not credited.
        WHEN charge.merchant_uid IS NOT NULL AND NOT EXISTS (
            SELECT FROM "order"
            WHERE "order".merchant_uid = charge.merchant_uid AND expires_at > moment + order_lifetime / 2)
            THEN 'gateway_unavailable'
        WHEN before.of_day >= most_a_day THEN 'daily_limit'
        WHEN before.of_month + amount > consent.monthly_limit THEN 'monthly_limit' END;
    IF why IS NOT NULL THEN
        IF why IN ('debt', 'product_not_on_sale') THEN
            PERFORM stop_top_up(consent.id, why);
        ELSIF why IN ('daily_limit', 'monthly_limit') THEN
            UPDATE top_up
            SET rests_until = CASE why
                WHEN 'daily_limit' THEN today + interval '1 day'
                ELSE date_trunc('month', today) + interval '1 month' END AT TIME ZONE zone
            WHERE id = consent.id;
        END IF;
        UPDATE top_up_charge SET status = 'dropped', reason = why, lease_holder = NULL, decided_at = moment
        WHERE id = charge.id;
        amount := NULL;
        RETURN;
    END IF;
    IF charge.merchant_uid IS NULL THEN
        INSERT INTO "order" (
            merchant_uid, user_id, gateway, product, amount, currency, coins, bonus_coins, expires_at, coin_days,
            bonus_coin_days, vat)
        VALUES (charge.name, charge.user_id, consent.gateway, sold.code, sold.price, sold.currency, sold.coins, sold.bonus_coins,
            now() + order_lifetime, sold.coin_days, sold.bonus_coin_days, sold.vat);
    END IF;
    UPDATE top_up_charge SET merchant_uid = name, amount = ask_for_top_up.amount, asked_at = moment
    WHERE id = charge.id;
    merchant_uid := charge.name;
    title := coalesce(sold.title, consent.product);
    vat := coalesce((SELECT "order".vat FROM "order" WHERE "order".merchant_uid = charge.name), 'at_use');
    billing_key := consent.billing_key;
    asked_at := moment;
END
$$;

-- Stores that the request that was announced at this time did not reach the gateway.
CREATE OR REPLACE FUNCTION withdraw_top_up(of_charge bigint, announced timestamptz) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    consent top_up;
BEGIN
    SELECT * INTO consent FROM top_up
    WHERE id = (SELECT top_up_id FROM top_up_charge WHERE id = of_charge) FOR NO KEY UPDATE;
    UPDATE top_up_charge
    SET asked_at = NULL, status = CASE consent.status WHEN 'revoked' THEN 'dropped' ELSE status END,
        reason = CASE consent.status WHEN 'revoked' THEN 'revoked' ELSE reason END,
        lease_holder = CASE consent.status WHEN 'revoked' THEN NULL ELSE lease_holder END,
        decided_at = CASE consent.status WHEN 'revoked' THEN clock_timestamp() END
    WHERE id = of_charge AND status = 'waiting' AND asked_at = announced;
END
$$;

-- The gateway did not charge. The consent rests, so that the next spends don't ask at once again, and after `most` failures
-- in a row it is paused.
CREATE OR REPLACE FUNCTION fail_top_up(of_charge bigint, why text, rest interval, most bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    consent bigint;
    failed bigint;
BEGIN
    SELECT id INTO consent FROM top_up
    WHERE id = (SELECT top_up_id FROM top_up_charge WHERE id = of_charge) FOR NO KEY UPDATE;
    UPDATE top_up_charge SET status = 'failed', reason = why, lease_holder = NULL, decided_at = clock_timestamp()
    WHERE id = of_charge AND status = 'waiting' AND asked_at IS NOT NULL;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    UPDATE top_up SET failures = failures + 1, rests_until = greatest(rests_until, clock_timestamp() + rest)
    WHERE id = consent RETURNING failures INTO failed;
    IF failed >= most THEN
        PERFORM stop_top_up(consent, why);
    END IF;
END
$$;

-- A consent keeps what was agreed to, and does not come back once it has ended. A merge makes it another user's.
CREATE OR REPLACE FUNCTION judge_top_up() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF is_forgetting() THEN
        RETURN NEW;
    END IF;
    IF OLD.status = 'revoked' AND NEW.status <> 'revoked'
        OR NEW.user_id NOT IN (OLD.user_id, user_behind(OLD.user_id))
        OR (NEW.gateway, NEW.product, NEW.threshold, NEW.monthly_limit, NEW.agreed_at, NEW.set_by)
            <> (OLD.gateway, OLD.product, OLD.threshold, OLD.monthly_limit, OLD.agreed_at, OLD.set_by)
        OR NEW.billing_key <> OLD.billing_key
    THEN
        RAISE EXCEPTION 'a consent changes only by its end'
            USING ERRCODE = 'check_violation', TABLE = 'top_up', CONSTRAINT = 'top_up_keeps_consent';
    END IF;
    RETURN NEW;
END
$$;

-- A charge has one order for ever, and its end stays, but for a payment that comes late. Only a purchase credits it.
CREATE OR REPLACE FUNCTION judge_top_up_charge() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF is_forgetting() THEN
        RETURN NEW;
    END IF;
    IF NEW.user_id NOT IN (OLD.user_id, user_behind(OLD.user_id))
        OR (NEW.top_up_id, NEW.journal_entry_id, NEW.started_at, NEW.name)
            <> (OLD.top_up_id, OLD.journal_entry_id, OLD.started_at, OLD.name)
        OR OLD.merchant_uid IS NOT NULL
            AND (NEW.merchant_uid, NEW.amount) IS DISTINCT FROM (OLD.merchant_uid, OLD.amount)
        OR OLD.status <> 'waiting' AND (NEW.status, NEW.reason) <> (OLD.status, OLD.reason) AND NEW.status <> 'credited'
        OR OLD.asked_at IS NOT NULL AND NEW.asked_at IS NOT NULL AND NEW.asked_at <> OLD.asked_at
        OR NEW.status = 'credited' AND OLD.status <> 'credited'
            AND NOT EXISTS (SELECT FROM purchase WHERE merchant_uid = NEW.merchant_uid AND user_id = NEW.user_id)
        OR NEW.asked_at IS NOT NULL AND OLD.asked_at IS NULL AND NOT EXISTS (
            SELECT FROM "order"
            WHERE merchant_uid = NEW.merchant_uid AND user_id = NEW.user_id
                AND amount = NEW.amount AND currency = 'KRW')
    THEN
        RAISE EXCEPTION 'a charge has one order and one end'
            USING ERRCODE = 'check_violation', TABLE = 'top_up_charge', CONSTRAINT = 'top_up_charge_is_one';
    END IF;
    RETURN NEW;
END
$$;

-- What becomes of a consent is an event. Its billing key is not told.
CREATE OR REPLACE FUNCTION record_top_up() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    type text := CASE
        WHEN TG_OP = 'INSERT' THEN 'top_up.agreed'
        WHEN NEW.status <> OLD.status
            THEN CASE NEW.status
                WHEN 'active' THEN 'top_up.resumed' WHEN 'paused' THEN 'top_up.paused' ELSE 'top_up.revoked' END END;
BEGIN
    IF type IS NOT NULL THEN
        PERFORM record_occurrence(
            type, 'user:' || NEW.user_id, NEW.user_id,
            jsonb_build_object(
                'id', NEW.id, 'gateway', NEW.gateway, 'product', NEW.product, 'threshold', NEW.threshold,
                'monthly_limit', NEW.monthly_limit, 'reason', NEW.reason));
    END IF;
    RETURN NULL;
END
$$;

-- So is the end of a charge, but for one that nobody needs to know of.
CREATE OR REPLACE FUNCTION record_top_up_charge() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    type text := CASE NEW.status
        WHEN 'credited' THEN 'top_up.credited'
        WHEN 'failed' THEN 'top_up.failed'
        ELSE CASE WHEN NEW.reason IN ('daily_limit', 'monthly_limit') THEN 'top_up.limited' END END;
BEGIN
    IF type IS NOT NULL THEN
        PERFORM record_occurrence(
            type, 'user:' || NEW.user_id, NEW.user_id,
            (SELECT jsonb_build_object(
                'id', consent.id, 'gateway', consent.gateway, 'product', consent.product, 'threshold', consent.threshold,
                'monthly_limit', consent.monthly_limit, 'reason', NULLIF(NEW.reason, 'paid'), 'charge_id', NEW.id,
                'merchant_uid', NEW.merchant_uid, 'amount', NEW.amount,
                'purchase_id', (SELECT purchase.id FROM purchase WHERE purchase.merchant_uid = NEW.merchant_uid))
            FROM top_up AS consent WHERE consent.id = NEW.top_up_id));
    END IF;
    RETURN NULL;
END
$$;

REVOKE ALL ON FUNCTION start_top_ups, stop_top_up, credit_top_ups, lock_top_ups, agree_to_top_up, revoke_top_up, pause_top_up,
    ask_for_top_up, withdraw_top_up, fail_top_up, judge_top_up, judge_top_up_charge, record_top_up, record_top_up_charge FROM PUBLIC;
GRANT EXECUTE ON FUNCTION agree_to_top_up, revoke_top_up, pause_top_up, ask_for_top_up, withdraw_top_up, fail_top_up
    TO ledgerd_service;
