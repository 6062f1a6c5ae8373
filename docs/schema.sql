-- Made from schema/ and the migrations by SchemaFileTests; not to be edited, nor to be run.

CREATE TYPE public.text_range AS RANGE (
    subtype = text,
    multirange_type_name = public.text_multirange,
    collation = pg_catalog."C"
);

CREATE FUNCTION public.accounting_policy_in_force(of_subject text, in_month text) RETURNS bigint
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT id FROM accounting_policy WHERE subject = of_subject AND month <= in_month ORDER BY month DESC, id DESC LIMIT 1
$$;

CREATE FUNCTION public.add_campaign_users(of_campaign bigint, asked_users text[], asked_coins bigint[], dry boolean, OUT added bigint, OUT present bigint, OUT added_coins bigint, OUT lacking bigint, OUT refusal text) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
    found campaign;
BEGIN
    SELECT * INTO found FROM campaign WHERE id = of_campaign FOR NO KEY UPDATE;
    refusal := CASE
        WHEN found.id IS NULL THEN 'not_found'
        WHEN found.code IS NOT NULL THEN 'has_code'
        WHEN found.status NOT IN ('waiting', 'active', 'paused') OR found.ends_at <= clock_timestamp() THEN 'closed'
        WHEN (SELECT max(coins) FROM unnest(asked_coins) AS coins) > found.most_per_user THEN 'exceeds_most' END;
    IF refusal IS NOT NULL THEN
        RETURN;
    END IF;
    WITH asked AS (
        SELECT DISTINCT ON (person) person, asked.user_id, coalesce(coins, found.coins) AS coins, place
        FROM unnest(asked_users, asked_coins) WITH ORDINALITY AS asked (user_id, coins, place)
        LEFT JOIN user_alias AS alias ON alias.former = asked.user_id
        CROSS JOIN LATERAL coalesce(alias.user_id, asked.user_id) AS person
        ORDER BY person, place
    ), new AS (
        SELECT user_id, coins, row_number() OVER (ORDER BY place) AS place FROM asked
        WHERE NOT EXISTS (
                SELECT FROM campaign_user WHERE campaign_id = of_campaign AND campaign_user.user_id = asked.person)
            AND NOT EXISTS (
                SELECT FROM user_alias AS alias JOIN campaign_user ON campaign_user.user_id = alias.former
                WHERE alias.user_id = asked.person AND campaign_id = of_campaign)
    ), inserted AS (
        INSERT INTO campaign_user (campaign_id, user_id, number, coins)
        SELECT of_campaign, user_id, found.users + place, coins FROM new WHERE NOT dry
    )
    SELECT count(*), coalesce(sum(coins), 0), cardinality(asked_users) - count(*) INTO added, added_coins, present FROM new;
    -- What the budget does not cover of all who wait.
    lacking := greatest(found.asked - found.reserved + added_coins - campaign_room(of_campaign), 0);
    IF NOT dry AND added > 0 THEN
        UPDATE campaign SET users = users + added, asked = asked + added_coins WHERE id = of_campaign;
        UPDATE campaign_run SET next_attempt_at = greatest(now(), found.starts_at)
        WHERE id = of_campaign AND status = 'waiting';
    END IF;
END
$$;

CREATE TABLE public.purchase (
    id bigint NOT NULL,
    stripe bigint NOT NULL,
    user_id text NOT NULL,
    status text NOT NULL,
    gateway text NOT NULL,
    imp_uid text NOT NULL,
    merchant_uid text NOT NULL,
    payment_id text,
    product text NOT NULL,
    amount bigint NOT NULL,
    currency text NOT NULL,
    coins bigint NOT NULL,
    bonus_coins bigint NOT NULL,
    refunded_amount bigint DEFAULT 0 NOT NULL,
    paid_at timestamp with time zone NOT NULL,
    credited_at timestamp with time zone NOT NULL,
    journal_entry_id bigint NOT NULL,
    refunded_coins bigint DEFAULT 0 NOT NULL,
    refunded_bonus_coins bigint DEFAULT 0 NOT NULL,
    settled_amount bigint DEFAULT 0 NOT NULL,
    charged_coins bigint DEFAULT 0 NOT NULL,
    transferred_amount bigint DEFAULT 0 NOT NULL,
    tax_free bigint,
    foreign_amount bigint,
    foreign_currency text,
    rate_id bigint,
    foreign_refunded bigint,
    foreign_settled bigint,
    CONSTRAINT purchase_amount_positive CHECK ((amount > 0)),
    CONSTRAINT purchase_bonus_coins_not_negative CHECK ((bonus_coins >= 0)),
    CONSTRAINT purchase_charged_coins_within_coins CHECK (((charged_coins >= 0) AND (charged_coins <= coins))),
    CONSTRAINT purchase_coins_positive CHECK ((coins > 0)),
    CONSTRAINT purchase_foreign_amount_positive CHECK ((foreign_amount > 0)),
    CONSTRAINT purchase_foreign_not_transferred CHECK (((foreign_amount IS NULL) OR (transferred_amount = 0))),
    CONSTRAINT purchase_foreign_refunded_within_amount CHECK (((foreign_refunded >= 0) AND (foreign_refunded <= foreign_amount))),
    CONSTRAINT purchase_foreign_settled_of_foreign CHECK (((foreign_settled IS NULL) OR (foreign_amount IS NOT NULL))),
    CONSTRAINT purchase_foreign_settled_within_amount CHECK ((abs(foreign_settled) <= foreign_amount)),
    CONSTRAINT purchase_foreign_whole CHECK ((num_nulls(foreign_amount, foreign_currency, rate_id, foreign_refunded) = ANY (ARRAY[0, 4]))),
    CONSTRAINT purchase_refunded_at_own_rate CHECK (((foreign_amount IS NULL) OR ((refunded_amount)::numeric = div(((amount)::numeric * (foreign_refunded)::numeric), (foreign_amount)::numeric)))),
    CONSTRAINT purchase_refunded_bonus_coins_within_bonus_coins CHECK (((refunded_bonus_coins >= 0) AND (refunded_bonus_coins <= bonus_coins))),
    CONSTRAINT purchase_refunded_coins_within_coins CHECK (((refunded_coins >= 0) AND (refunded_coins <= coins))),
    CONSTRAINT purchase_refunded_within_amount CHECK (((refunded_amount >= 0) AND (refunded_amount <= amount))),
    CONSTRAINT purchase_settled_at_own_rate CHECK (((foreign_amount IS NULL) OR ((settled_amount)::numeric = ((amount)::numeric - div(((amount)::numeric * ((foreign_amount - COALESCE(foreign_settled, (0)::bigint)))::numeric), (foreign_amount)::numeric))))),
    CONSTRAINT purchase_status_known CHECK ((status = ANY (ARRAY['credited'::text, 'partially_refunded'::text, 'refunded'::text]))),
    CONSTRAINT purchase_tax_free_within_amount CHECK (((tax_free >= 0) AND (tax_free <= amount))),
    CONSTRAINT purchase_transferred_within_refunded CHECK (((transferred_amount >= 0) AND (transferred_amount <= refunded_amount)))
)
WITH (fillfactor='90');

CREATE FUNCTION public.add_finding(bought public.purchase, kind text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    INSERT INTO finding AS known (kinds, gateway, imp_uid, merchant_uid, payment_id, user_id, amount, currency, paid_at)
    VALUES (
        ARRAY[kind], bought.gateway, bought.imp_uid, bought.merchant_uid, bought.payment_id, bought.user_id,
        coalesce(bought.foreign_amount, bought.amount), coalesce(bought.foreign_currency, bought.currency),
        bought.paid_at)
    ON CONFLICT (imp_uid, gateway) DO UPDATE
    SET kinds = CASE WHEN known.resolved_at IS NULL THEN array_remove(known.kinds, kind) ELSE '{}' END || ARRAY[kind],
        user_id = coalesce(known.user_id, excluded.user_id), resolved_at = NULL;
END
$$;

CREATE FUNCTION public.add_to_tally(more_entries numeric DEFAULT 0, more_lots numeric DEFAULT 0, more_facts numeric DEFAULT 0, more_holds numeric DEFAULT 0, more_purchases numeric DEFAULT 0) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.add_up_settlement_rows() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET debug_print_plan TO 'off'
    AS $$
DECLARE
    entry bigint := (SELECT journal_entry_id FROM new_row WHERE status = 'settled' LIMIT 1);
    -- With its transaction, so that each index that has the id leads to it.
    own_part bigint := coalesce(
        (SELECT stripe FROM journal_entry WHERE id = entry AND transaction_id = pg_current_xact_id()), -1);
BEGIN
    IF is_forgetting() THEN
        RETURN NULL;
    END IF;
    INSERT INTO settlement_file_sum AS known (
        file_id, part, waiting, settled, unmatched, dismissed, refused, gross, fee, tax, net)
    SELECT file_id, own_part, count(*) FILTER (WHERE status = 'waiting'), count(*) FILTER (WHERE status = 'settled'),
        count(*) FILTER (WHERE status = 'unmatched' AND NOT is_dismissed), count(*) FILTER (WHERE is_dismissed),
        count(*) FILTER (WHERE status = 'refused'), coalesce(sum(gross) FILTER (WHERE status = 'settled'), 0),
        coalesce(sum(fee) FILTER (WHERE status = 'settled'), 0), coalesce(sum(tax) FILTER (WHERE status = 'settled'), 0),
        coalesce(sum(net) FILTER (WHERE status = 'settled'), 0)
    FROM new_row GROUP BY file_id HAVING (SELECT is_summed FROM settlement_file WHERE id = file_id) ORDER BY file_id
    ON CONFLICT (file_id, part) DO UPDATE
    SET waiting = known.waiting + excluded.waiting, settled = known.settled + excluded.settled,
        unmatched = known.unmatched + excluded.unmatched, dismissed = known.dismissed + excluded.dismissed,
        refused = known.refused + excluded.refused, gross = known.gross + excluded.gross,
        fee = known.fee + excluded.fee, tax = known.tax + excluded.tax, net = known.net + excluded.net;
    IF TG_OP = 'UPDATE' THEN
        UPDATE settlement_file_sum AS known
        SET waiting = known.waiting - gone.waiting, unmatched = known.unmatched - gone.unmatched,
            dismissed = known.dismissed - gone.dismissed, refused = known.refused - gone.refused
        FROM (
            SELECT file_id, count(*) FILTER (WHERE status = 'waiting') AS waiting,
                count(*) FILTER (WHERE status = 'unmatched' AND NOT is_dismissed) AS unmatched,
                count(*) FILTER (WHERE is_dismissed) AS dismissed, count(*) FILTER (WHERE status = 'refused') AS refused
            FROM old_row GROUP BY file_id
        ) AS gone
        WHERE known.file_id = gone.file_id AND known.part = own_part;
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.advance_campaign(of_campaign bigint, most bigint) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
    found campaign;
    moment timestamptz;
    why text;
    room bigint;
    last bigint;
    more bigint;
BEGIN
    SELECT * INTO found FROM campaign WHERE id = of_campaign FOR NO KEY UPDATE;
    moment := clock_timestamp();
    IF found.status IN ('voiding', 'voided') THEN
        RETURN CASE found.status WHEN 'voiding' THEN 'void' ELSE 'over' END;
    ELSIF found.done_to < found.taken_to THEN
        RETURN 'give';
    END IF;
    why := campaign_refusal(of_campaign, moment);
    IF why = 'ended' THEN
        UPDATE campaign SET status = 'ended', status_reason = NULL WHERE id = of_campaign AND status <> 'ended';
        RETURN 'over';
    ELSIF why IS NOT NULL OR found.taken_to = found.users THEN
        RETURN 'wait';
    END IF;
    room := campaign_room(of_campaign);
    SELECT max(number), sum(coins) INTO last, more
        FROM (
            SELECT number, coins, sum(coins) OVER (ORDER BY number) AS so_far
            FROM (
                SELECT number, CASE WHEN refusal IS NULL THEN coins ELSE 0 END AS coins FROM campaign_user
                WHERE campaign_id = of_campaign AND number > found.taken_to
                ORDER BY number LIMIT most
            ) AS next
        ) AS next
        WHERE so_far <= room;
    UPDATE campaign
    SET taken_to = coalesce(last, taken_to), reserved = reserved + coalesce(more, 0),
        status = CASE WHEN last IS NULL THEN 'paused' ELSE 'active' END,
        status_reason = CASE WHEN last IS NULL THEN 'budget_met' END,
        changed_by = CASE WHEN last IS NOT NULL THEN changed_by END
    WHERE id = of_campaign;
    RETURN CASE WHEN last IS NULL THEN 'wait' ELSE 'give' END;
END
$$;

CREATE FUNCTION public.agree_to_top_up(of_user text, at_gateway text, key text, of_product text, below bigint, a_month bigint, caller text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.approve_campaign(of_campaign bigint, caller text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    UPDATE campaign SET status = 'active', approved_by = caller
    WHERE id = of_campaign AND status = 'waiting' AND person_of(created_by) <> person_of(caller);
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    UPDATE campaign_run SET next_attempt_at = greatest(now(), (SELECT starts_at FROM campaign WHERE id = of_campaign))
    WHERE id = of_campaign AND status = 'waiting';
    RETURN true;
END
$$;

CREATE FUNCTION public.ask_for_top_up(of_charge bigint, order_lifetime interval, zone text, most_a_day bigint, OUT vat text, OUT merchant_uid text, OUT amount bigint, OUT title text, OUT billing_key text, OUT asked_at timestamp with time zone) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.ask_to_forget(of_user text, wait interval, why text, by text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    due timestamptz := clock_timestamp() + wait;
    request bigint;
BEGIN
    of_user := user_behind(of_user);
    IF of_user LIKE 'forgotten-%' THEN
        RAISE EXCEPTION 'the user was forgotten'
            USING ERRCODE = 'check_violation', TABLE = 'forgetting', CONSTRAINT = 'user_is_not_forgotten';
    END IF;
    -- One that was asked for beside a merge has a former id.
    IF EXISTS (SELECT FROM forgetting WHERE user_id = ANY (person_ids(of_user)) AND status = 'waiting') THEN
        RETURN NULL;
    END IF;
    INSERT INTO forgetting (user_id, note, asked_by, asked_at, due_at, next_attempt_at)
    VALUES (of_user, why, by, due - wait, due, due)
    ON CONFLICT (user_id) WHERE status = 'waiting' DO NOTHING
    RETURNING id INTO request;
    RETURN request;
END
$$;

CREATE FUNCTION public.begin_store_delivery() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    INSERT INTO store_delivery (purchase_id) VALUES (NEW.id);
    RETURN NULL;
END
$$;

CREATE FUNCTION public.campaign_refusal(of_campaign bigint, moment timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT CASE
        WHEN status IN ('ended', 'voiding', 'voided') OR ends_at <= moment OR coins_expire_at <= moment THEN 'ended'
        WHEN status = 'waiting' OR starts_at > moment THEN 'not_started'
        -- Of its budget, ledgerd paused it.
        WHEN status = 'paused' AND changed_by IS NOT NULL THEN 'paused' END
    FROM campaign WHERE id = of_campaign
$$;

CREATE FUNCTION public.campaign_room(of_campaign bigint) RETURNS bigint
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT budget - reserved
        + (SELECT coalesce(sum(voided), 0)::bigint FROM campaign_sum WHERE campaign_id = of_campaign)
    FROM campaign WHERE id = of_campaign
$$;

CREATE FUNCTION public.campaign_shares(of_campaigns bigint[], of_users text[]) RETURNS TABLE(campaign_id bigint, user_id text, is_open boolean, coins bigint, name text, reason text, expires_at timestamp with time zone, days bigint, granted_entry bigint, granted_lot bigint, granted_coins bigint)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET enable_nestloop TO 'on'
    SET enable_seqscan TO 'off'
    AS $$
#variable_conflict use_column
BEGIN
    PERFORM FROM campaign WHERE id = ANY (of_campaigns) ORDER BY id FOR KEY SHARE;
    RETURN QUERY
        SELECT campaign.id, asked.user_id,
            coalesce(
                campaign.status NOT IN ('waiting', 'voiding', 'voided') AND share.coins > 0 AND share.refusal IS NULL
                    AND (share.number IS NULL OR share.number <= campaign.taken_to), false),
            coalesce(share.coins, 0), campaign.name, campaign.reason, campaign.coins_expire_at, campaign.coin_days,
            given.journal_entry_id, given.lot_id, given.coins
        FROM unnest(of_campaigns, of_users) AS asked (campaign_id, user_id)
        CROSS JOIN LATERAL (SELECT * FROM campaign WHERE campaign.id = asked.campaign_id OFFSET 0) AS campaign
        -- As person_ids, which called for each user took most of the time.
        CROSS JOIN LATERAL (
            SELECT coalesce((SELECT alias.user_id FROM user_alias AS alias WHERE alias.former = asked.user_id), asked.user_id)
                AS present OFFSET 0
        ) AS person
        CROSS JOIN LATERAL (
            SELECT present || ARRAY(SELECT former FROM user_alias WHERE user_alias.user_id = present) AS names OFFSET 0
        ) AS known
        LEFT JOIN LATERAL (
            SELECT listed.* FROM unnest(names) AS name
            CROSS JOIN LATERAL (
                SELECT * FROM campaign_user
                WHERE campaign_user.user_id = name AND campaign_user.campaign_id = asked.campaign_id OFFSET 0
            ) AS listed
            ORDER BY refusal IS NOT NULL, coalesce(number > campaign.taken_to, false), name <> asked.user_id, number, name
            LIMIT 1
        ) AS share ON true
        LEFT JOIN LATERAL (
            SELECT got.* FROM unnest(names) AS name
            CROSS JOIN LATERAL (
                -- As one value, which only the index by user has (docs/decisions/0002).
                SELECT * FROM campaign_grant
                WHERE (campaign_grant.user_id, campaign_grant.campaign_id) >= (name, asked.campaign_id)
                    AND (campaign_grant.user_id, campaign_grant.campaign_id) <= (name, asked.campaign_id)
                OFFSET 0
            ) AS got
            ORDER BY name <> asked.user_id LIMIT 1
        ) AS given ON true;
END
$$;

CREATE FUNCTION public.can_name_user(gateway text) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    RETURN receivable_of(gateway) = 'gateway:receivable';
END
$$;

CREATE FUNCTION public.cancel_forgetting(of_user text, by text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    request bigint;
BEGIN
    UPDATE forgetting
    SET status = 'cancelled', reason = 'cancelled', cancelled_by = by, lease_holder = NULL, decided_at = clock_timestamp()
    WHERE user_id = ANY (person_ids(of_user)) AND status = 'waiting'
    RETURNING id INTO request;
    RETURN request;
END
$$;

CREATE FUNCTION public.chain_commitment(salt bytea, name text, words text) RETURNS bytea
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT sha256(salt || int8send(octet_length(convert_to(name, 'UTF8'))) || convert_to(name, 'UTF8')
        || int8send(octet_length(convert_to(words, 'UTF8'))) || convert_to(words, 'UTF8'))
$$;

CREATE FUNCTION public.claim_campaign(by_code text, for_user text, OUT campaign bigint, OUT refusal text) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
#variable_conflict use_column
DECLARE
    found campaign;
    refused_before bigint;
BEGIN
    SELECT * INTO found FROM campaign WHERE code = by_code FOR NO KEY UPDATE;
    IF found.id IS NULL THEN
        refusal := 'not_found';
        RETURN;
    END IF;
    campaign := found.id;
    -- A claim whose answer was lost is finished, whatever became of the campaign: its coins are reserved.
    IF EXISTS (
        SELECT FROM campaign_user
        WHERE campaign_id = found.id AND user_id = ANY (person_ids(for_user)) AND campaign_user.refusal IS NULL
    ) THEN
        RETURN;
    END IF;
    refusal := campaign_refusal(found.id, clock_timestamp());
    IF refusal IS NOT NULL THEN
        RETURN;
    END IF;
    IF found.coins > campaign_room(found.id) THEN
        UPDATE campaign SET status = 'paused', status_reason = 'budget_met', changed_by = NULL
        WHERE id = found.id AND status = 'active';
        refusal := 'budget_met';
        RETURN;
    END IF;
    DELETE FROM campaign_user WHERE campaign_id = found.id AND user_id = ANY (person_ids(for_user));
    GET DIAGNOSTICS refused_before = ROW_COUNT;
    INSERT INTO campaign_user (campaign_id, user_id, coins) VALUES (found.id, for_user, found.coins);
    UPDATE campaign
    SET asked = asked + found.coins, reserved = reserved + found.coins, refused = refused - refused_before,
        status = 'active', status_reason = NULL
    WHERE id = found.id;
END
$$;

CREATE FUNCTION public.closed_until() RETURNS timestamp with time zone
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(7810759524158039406);
    RETURN (SELECT max(until) FROM closed_period);
END
$$;

CREATE FUNCTION public.coins_taken(of_lot bigint, by_entry bigint, OUT coins bigint, OUT amount bigint) RETURNS record
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    SELECT coalesce(before.remaining + before.held, lot.coins) - moved.remaining - moved.held,
        coalesce(before.deferred, lot.amount) - moved.deferred
        INTO coins, amount
        FROM entry_movements(of_lot, by_entry, 1) AS moved
        CROSS JOIN LATERAL (SELECT lot.coins, lot.amount FROM lot WHERE lot.id = of_lot OFFSET 0) AS lot
        LEFT JOIN LATERAL (
            SELECT remaining, held, deferred FROM lot_movement WHERE lot_id = of_lot AND seq = moved.seq - 1 OFFSET 0
        ) AS before ON true;
END
$$;

CREATE FUNCTION public.converted(amount bigint, decimals bigint, value bigint, scale bigint, per bigint, decimals_of_books bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT half_even(
        amount::numeric * value * 10::numeric ^ decimals_of_books, per * 10::numeric ^ (scale + decimals))::bigint
$$;

CREATE FUNCTION public.count_campaign_movements() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET enable_nestloop TO 'on'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
    -- Most ledgers have no campaigns, and pay for this look alone.
    IF NOT EXISTS (SELECT FROM campaign_grant) THEN
        RETURN NULL;
    END IF;
    UPDATE campaign_sum
    SET remaining = campaign_sum.remaining + moved.remaining, expired = campaign_sum.expired + moved.expired
    FROM (
        SELECT given.campaign_id, moved.stripe,
            sum(moved.remaining + moved.held - coalesce(before.remaining + before.held, given.coins)) AS remaining,
            sum(coalesce(moved.expired, 0) - coalesce(before.expired, 0)) AS expired
        FROM new_lot_movement AS moved
        CROSS JOIN LATERAL (SELECT * FROM campaign_grant WHERE campaign_grant.lot_id = moved.lot_id OFFSET 0) AS given
        LEFT JOIN LATERAL (
            SELECT * FROM lot_movement WHERE lot_movement.lot_id = moved.lot_id AND lot_movement.seq = moved.seq - 1 OFFSET 0
        ) AS before ON true
        GROUP BY given.campaign_id, moved.stripe
        ORDER BY given.campaign_id, moved.stripe
    ) AS moved
    WHERE campaign_sum.campaign_id = moved.campaign_id AND campaign_sum.stripe = moved.stripe;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.count_campaign_voids() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET enable_nestloop TO 'on'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
    UPDATE campaign_sum SET voided = campaign_sum.voided + void.coins
    FROM (
        SELECT given.campaign_id, entry.stripe, sum(void.coins) AS coins
        FROM new_void AS void
        CROSS JOIN LATERAL (SELECT * FROM campaign_grant WHERE campaign_grant.lot_id = void.lot_id OFFSET 0) AS given
        CROSS JOIN LATERAL (
            SELECT stripe FROM journal_entry WHERE journal_entry.id = void.journal_entry_id OFFSET 0
        ) AS entry
        GROUP BY given.campaign_id, entry.stripe
    ) AS void
    WHERE campaign_sum.campaign_id = void.campaign_id AND campaign_sum.stripe = void.stripe;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.create_campaign(named text, each_gets bigint, most bigint, of_budget bigint, starts timestamp with time zone, ends timestamp with time zone, expire timestamp with time zone, days bigint, why text, for_users text, by_code text, movable boolean, needs_approval boolean, caller text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    made bigint;
BEGIN
    INSERT INTO campaign (
        name, status, coins, most_per_user, budget, starts_at, ends_at, coins_expire_at, coin_days, reason, note, code,
        can_be_moved, created_by)
    SELECT
        named, CASE WHEN needs_approval THEN 'waiting' ELSE 'active' END, each_gets, most, of_budget,
        coalesce(starts, clock_timestamp()), ends, expire, days, why, for_users, by_code, movable, caller
    -- Of a repeat, the time may be over.
    WHERE NOT EXISTS (SELECT FROM campaign WHERE name = named)
    ON CONFLICT DO NOTHING RETURNING id INTO made;
    IF made IS NULL THEN
        RETURN (
            SELECT id FROM campaign
            WHERE name = named AND (coins, most_per_user, budget, starts_at, reason, can_be_moved, created_by)
                    = (each_gets, most, of_budget, coalesce(starts, starts_at), why, movable, caller)
                AND (ends_at, coins_expire_at, coin_days, note, code)
                    IS NOT DISTINCT FROM (ends, expire, days, for_users, by_code));
    END IF;
    INSERT INTO campaign_run (id, next_attempt_at) SELECT id, starts_at FROM campaign WHERE id = made;
    RETURN made;
END
$$;

CREATE FUNCTION public.credit_purchase(act bigint, in_stripe bigint, of_user text, at_gateway text, imp text, merchant text, payment text, of_product text, price bigint, coins bigint, bonus bigint, paid_time timestamp with time zone, expiry timestamp with time zone, bonus_expiry timestamp with time zone, rule text, tax_free_part bigint, day_began timestamp with time zone DEFAULT NULL::timestamp with time zone, day_ends timestamp with time zone DEFAULT NULL::timestamp with time zone, OUT paid_at timestamp with time zone, OUT credited_at timestamp with time zone, OUT paid bigint, OUT bonus_left bigint, OUT held bigint) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
#variable_conflict use_column
DECLARE
    -- @rule
    accounts    CONSTANT text[] := '{coins:issued,coins:promotions,gateway:receivable,coins:deferred-revenue,tax:vat-payable,tax:vat-deferred}';
    measures    CONSTANT text[] := '{coins,bonus,amount,amount,vat,vat}';
    tolerance   CONSTANT interval := '600 s';
    full_total  CONSTANT bigint := 576460752303423487;
    vat_divisor CONSTANT bigint := 11;
    -- @end
    -- First, as above.
    open_from timestamptz := closed_until();
    vat bigint := CASE rule WHEN 'at_sale' THEN price / vat_divisor ELSE 0 END;
    codes text[];
    sums bigint[];
    ids bigint[];
    locked record;
    owned record;
    done record;
BEGIN
    SELECT array_agg(name || '/' || in_stripe), array_agg(sum) INTO codes, sums
        FROM (
            SELECT name, CASE measure WHEN 'coins' THEN coins WHEN 'amount' THEN price WHEN 'bonus' THEN bonus ELSE vat END
            FROM unnest(accounts, measures) AS needed (name, measure)
        ) AS line (name, sum)
        WHERE sum <> 0;
    SELECT max(posted_at) AS posted_at, max(greatest(debits, credits)) AS most, array_agg(id) AS ids,
        array_agg(sums[array_position(codes, code)]) AS sums
        INTO locked
        FROM (
            SELECT id, code, posted_at, debits, credits FROM account
            WHERE owner IS NULL AND code = ANY (codes)
            ORDER BY id + 0 FOR NO KEY UPDATE -- as above
        ) AS account;
    IF cardinality(locked.ids) IS DISTINCT FROM cardinality(codes) THEN
        RAISE EXCEPTION 'a stripe does not exist'
            USING ERRCODE = 'foreign_key_violation', TABLE = 'account', CONSTRAINT = 'crediting_in_a_stripe';
    END IF;
    SELECT greatest(
            clock_timestamp(), locked.posted_at + interval '1 microsecond', max(posted_at) + interval '1 microsecond')
            AS moment,
        NOT coalesce(bool_or(owes), false) AND greatest(locked.most, max(greatest(debits, credits))) <= full_total
            AND greatest(locked.posted_at, max(posted_at)) <= clock_timestamp() + interval '31 days' IS NOT FALSE
            AND current_setting('transaction_isolation') = 'read committed'
            AND NOT EXISTS (SELECT FROM user_alias WHERE former = of_user)
            AND NOT starts_with(of_user, 'forgotten-') AND receivable_of(at_gateway) = ANY (accounts) AS is_fit,
        max(id) FILTER (WHERE code = 'wallet:' || of_user || ':paid') AS wallet,
        max(id) FILTER (WHERE code = 'wallet:' || of_user || ':bonus') AS bonus_wallet,
        sum(balance) FILTER (WHERE code = 'wallet:' || of_user || ':bonus') AS bonus,
        sum(balance) FILTER (WHERE code LIKE 'held:%') AS held,
        set_config('ledgerd.crediting', 'on', true) AS marked
        INTO owned
        FROM account
        WHERE owner = of_user AND code NOT LIKE 'earnings:%' AND code NOT LIKE 'payable:%';
    IF NOT owned.is_fit THEN
        RAISE EXCEPTION 'a user owes coins, was merged or was forgotten, a store sold, an account is full or far in the future, or an old state is read'
            USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    IF owned.moment <= day_began OR owned.moment > day_ends THEN
        RAISE EXCEPTION 'the lots expire as if they were credited on another day'
            USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    credited_at := owned.moment;
    paid_at := CASE WHEN paid_time > owned.moment + tolerance THEN owned.moment ELSE paid_time END;
    IF owned.wallet IS NULL OR owned.bonus_wallet IS NULL AND bonus <> 0 THEN
        INSERT INTO account (id, stripe, code, owner, currency, normal_side)
        SELECT act + 4, in_stripe, 'wallet:' || of_user || ':paid', of_user, 'COIN', 'C' WHERE owned.wallet IS NULL
        UNION ALL
        SELECT act + 5, in_stripe, 'wallet:' || of_user || ':bonus', of_user, 'COIN', 'C'
        WHERE owned.bonus_wallet IS NULL AND bonus <> 0;
    END IF;
    ids := locked.ids || coalesce(owned.wallet, act + 4);
    sums := locked.sums || coins;
    IF bonus <> 0 THEN
        ids := ids || coalesce(owned.bonus_wallet, act + 5);
        sums := sums || bonus;
    END IF;
    WITH changed AS (
        UPDATE account
        SET debits = debits + CASE normal_side WHEN 'D' THEN sums[array_position(ids, id)] ELSE 0 END,
            credits = credits + CASE normal_side WHEN 'C' THEN sums[array_position(ids, id)] ELSE 0 END,
            seq = seq + 1, posted_at = credited_at
        WHERE id = ANY (ids) AND stripe = in_stripe AND coalesce(owner, of_user) = of_user
        RETURNING id, seq, balance, currency, normal_side
    ), posted AS (
        INSERT INTO posting (account_id, seq, journal_entry_id, stripe, amount, balance, currency, side)
        SELECT id, seq, act + 1, in_stripe, sums[array_position(ids, id)], balance, currency, normal_side FROM changed
    ), entry AS (
        INSERT INTO journal_entry (id, stripe, kind, reference, effective_at, recorded_at, late_for)
        VALUES (act + 1, in_stripe, 'purchase', 'purchase:' || act, greatest(paid_at, open_from), credited_at,
            CASE WHEN paid_at < open_from THEN paid_at END)
    ), bought AS (
        INSERT INTO purchase (id, stripe, status, user_id, gateway, imp_uid, merchant_uid, payment_id, product, amount,
            currency, coins, bonus_coins, paid_at, credited_at, journal_entry_id, tax_free)
        VALUES (act, in_stripe, 'credited', of_user, at_gateway, imp, merchant, payment, of_product, price,
            'KRW', coins, bonus, paid_at, credited_at, act + 1, tax_free_part)
    ), got AS (
        INSERT INTO lot (id, stripe, user_id, kind, coins, remaining, amount, deferred, currency, acquired_at,
            expires_at, purchase_id, journal_entry_id, vat)
        SELECT act + 2, in_stripe, of_user, 'paid', coins, coins, price, price, 'KRW', credited_at, expiry, act, act + 1,
            rule
        UNION ALL
        SELECT act + 3, in_stripe, of_user, 'bonus', bonus, bonus, 0, 0, 'KRW', credited_at, bonus_expiry, act, act + 1,
            NULL
        WHERE bonus <> 0
    )
    SELECT count(*) AS lines, max(balance) FILTER (WHERE id = ids[cardinality(locked.ids) + 1]) AS paid,
        max(balance) FILTER (WHERE id = ids[cardinality(locked.ids) + 2]) AS bonus
        INTO done FROM changed;
    IF done.lines <> cardinality(ids) THEN
        IF EXISTS (SELECT FROM account WHERE id IN (owned.wallet, owned.bonus_wallet) AND owner <> of_user) THEN
            RAISE EXCEPTION 'the user was forgotten meanwhile: the wallet is of another id'
                USING ERRCODE = 'object_not_in_prerequisite_state';
        END IF;
        RAISE EXCEPTION 'a wallet is of another stripe'
            USING ERRCODE = 'foreign_key_violation', TABLE = 'account', CONSTRAINT = 'crediting_in_a_stripe';
    END IF;
    PERFORM set_config('ledgerd.crediting', 'off', true);
    paid := done.paid;
    bonus_left := coalesce(done.bonus, owned.bonus, 0);
    held := coalesce(owned.held, 0);
END
$$;

CREATE FUNCTION public.credit_purchases(ids bigint[], stripes bigint[], users text[], gateways text[], imp_uids text[], merchant_uids text[], payment_ids text[], products text[], amounts bigint[], coins bigint[], bonus_coins bigint[], paid_times timestamp with time zone[], expiries timestamp with time zone[], bonus_expiries timestamp with time zone[], vat_rules text[], tax_free_parts bigint[], day_began timestamp with time zone DEFAULT NULL::timestamp with time zone, day_ends timestamp with time zone DEFAULT NULL::timestamp with time zone) RETURNS TABLE(paid_at timestamp with time zone, credited_at timestamp with time zone, paid bigint, bonus bigint, held bigint)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off'
    SET enable_hashjoin TO 'on'
    SET enable_nestloop TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
#variable_conflict use_column
DECLARE
    -- @rule
    accounts    CONSTANT text[] := '{coins:issued,coins:promotions,gateway:receivable,coins:deferred-revenue,tax:vat-payable,tax:vat-deferred}';
    measures    CONSTANT text[] := '{coins,bonus,amount,amount,vat,vat}';
    tolerance   CONSTANT interval := '600 s';
    full_total  CONSTANT bigint := 576460752303423487;
    vat_divisor CONSTANT bigint := 11;
    -- @end
    -- First: who closes waits for it, and may be waited for.
    open_from timestamptz := closed_until();
    codes text[];
    locked record;
    owned record;
    moment timestamptz;
BEGIN
    codes := ARRAY(
        SELECT name || '/' || stripe
        FROM (SELECT DISTINCT stripe FROM unnest(stripes) AS asked (stripe)) AS asked,
            unnest(accounts, measures) AS needed (name, measure)
        WHERE measure IN ('coins', 'amount') OR measure = 'bonus' AND 0 < ANY (bonus_coins)
            OR measure = 'vat' AND 'at_sale' = ANY (vat_rules));
    SELECT max(posted_at) AS posted_at, max(greatest(debits, credits)) AS most, array_agg(id) AS ids,
        array_agg(measures[array_position(accounts, split_part(code, '/', 1))]) AS measures
        INTO locked
        FROM (
            SELECT id, code, posted_at, debits, credits FROM account
            WHERE owner IS NULL AND code = ANY (codes)
            -- By id, and not by its index: a plan made on a small table would read all accounts in its order, and is kept.
            ORDER BY id + 0 FOR NO KEY UPDATE
        ) AS account;
    -- Without it, an entry would have the wallet's posting alone.
    IF cardinality(locked.ids) IS DISTINCT FROM cardinality(codes) THEN
        RAISE EXCEPTION 'a stripe does not exist'
            USING ERRCODE = 'foreign_key_violation', TABLE = 'account', CONSTRAINT = 'crediting_in_a_stripe';
    END IF;
    SELECT max(posted_at) AS posted_at, max(greatest(debits, credits)) AS most, bool_or(owes) AS owes,
        array_agg(owner) FILTER (WHERE code NOT LIKE 'wallet:%:paid') AS owners,
        array_agg(code LIKE 'held:%') FILTER (WHERE code NOT LIKE 'wallet:%:paid') AS are_held,
        array_agg(balance) FILTER (WHERE code NOT LIKE 'wallet:%:paid') AS balances
        INTO owned
        FROM account
        WHERE owner = ANY (users) AND code NOT LIKE 'earnings:%' AND code NOT LIKE 'payable:%';
    IF owned.owes OR greatest(locked.most, owned.most) > full_total
        OR EXISTS (SELECT FROM user_alias WHERE former = ANY (users))
        OR greatest(locked.posted_at, owned.posted_at) > clock_timestamp() + interval '31 days'
        -- Later transactions than one that reads an old state may have closed what it takes for open.
        OR current_setting('transaction_isolation') <> 'read committed'
        -- Who was forgotten gets nothing: the plan says it.
        OR EXISTS (SELECT FROM unnest(users) AS asked (id) WHERE starts_with(asked.id, 'forgotten-'))
        OR EXISTS (SELECT FROM unnest(gateways) AS asked (name) WHERE receivable_of(asked.name) <> ALL (accounts))
    THEN
        RAISE EXCEPTION 'a user owes coins, was merged or was forgotten, a store sold, an account is full or far in the future, or an old state is read'
            USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    moment := greatest(
        clock_timestamp(), locked.posted_at + interval '1 microsecond', owned.posted_at + interval '1 microsecond');
    IF moment <= day_began OR moment > day_ends THEN
        RAISE EXCEPTION 'the lots expire as if they were credited on another day'
            USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    -- The rows below are not judged.
    PERFORM set_config('ledgerd.crediting', 'on', true);
    RETURN QUERY
    WITH act AS MATERIALIZED (
        -- What comes after an act in its stripe and of its user is taken from the totals after all.
        SELECT id, stripe, user_id, gateway, imp_uid, merchant_uid, payment_id, product, amount, coins, bonus, vat,
            CASE WHEN paid_at > moment + tolerance THEN moment ELSE paid_at END AS paid_at, expires_at,
            bonus_expires_at, rule, tax_free, place,
            coalesce(sum(coins) OVER in_stripe, 0) AS later_coins,
            coalesce(sum(amount) OVER in_stripe, 0) AS later_amount,
            coalesce(sum(bonus) OVER in_stripe, 0) AS later_bonus, coalesce(sum(vat) OVER in_stripe, 0) AS later_vat,
            count(*) OVER in_stripe AS later, count(nullif(bonus, 0)) OVER in_stripe AS later_with_bonus,
            count(nullif(vat, 0)) OVER in_stripe AS later_with_vat,
            coalesce(sum(coins) OVER of_user, 0) AS later_coins_of_user,
            coalesce(sum(bonus) OVER of_user, 0) AS later_bonus_of_user, count(*) OVER of_user AS later_of_user,
            count(nullif(bonus, 0)) OVER of_user AS later_of_user_with_bonus
        FROM (
            SELECT *, CASE rule WHEN 'at_sale' THEN amount / vat_divisor ELSE 0 END AS vat
            FROM unnest(ids, stripes, users, gateways, imp_uids, merchant_uids, payment_ids, products, amounts, coins,
                bonus_coins, paid_times, expiries, bonus_expiries, vat_rules, tax_free_parts) WITH ORDINALITY
                AS asked (id, stripe, user_id, gateway, imp_uid, merchant_uid, payment_id, product, amount, coins, bonus,
                    paid_at, expires_at, bonus_expires_at, rule, tax_free, place)
        ) AS asked
        WINDOW in_stripe AS (
                PARTITION BY stripe ORDER BY place DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING),
            of_user AS (PARTITION BY user_id ORDER BY place DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    ), wallet AS (
        INSERT INTO account (id, stripe, code, owner, currency, normal_side, credits, seq, posted_at)
        SELECT min(id) + 4, stripe, 'wallet:' || user_id || ':paid', user_id, 'COIN', 'C', sum(coins), count(*), moment
        FROM act GROUP BY stripe, user_id
        UNION ALL
        SELECT min(id) + 5, stripe, 'wallet:' || user_id || ':bonus', user_id, 'COIN', 'C', sum(bonus), count(*), moment
        FROM act WHERE bonus <> 0 GROUP BY stripe, user_id
        ON CONFLICT (code) DO UPDATE
            SET credits = account.credits + excluded.credits, seq = account.seq + excluded.seq,
                posted_at = excluded.posted_at
            WHERE account.stripe = excluded.stripe AND coalesce(account.posted_at < excluded.posted_at, true)
        RETURNING id, owner, code LIKE 'wallet:%:paid' AS is_paid, seq, balance
    ), system AS (
        UPDATE account
        SET debits = debits + CASE normal_side WHEN 'D' THEN total.sum ELSE 0 END,
            credits = credits + CASE normal_side WHEN 'C' THEN total.sum ELSE 0 END,
            seq = seq + total.count, posted_at = moment
        FROM (
            SELECT stripe, measure,
                CASE measure WHEN 'coins' THEN coins WHEN 'amount' THEN amount WHEN 'bonus' THEN bonus ELSE vat END AS sum,
                CASE measure WHEN 'bonus' THEN with_bonus WHEN 'vat' THEN with_vat ELSE count END AS count
            FROM (
                SELECT stripe, sum(coins) AS coins, sum(amount) AS amount, sum(bonus) AS bonus, sum(vat) AS vat,
                    count(*) AS count, count(nullif(bonus, 0)) AS with_bonus, count(nullif(vat, 0)) AS with_vat
                FROM act GROUP BY stripe
            ) AS in_stripe
            CROSS JOIN unnest(ARRAY['coins', 'amount', 'bonus', 'vat']) AS measured (measure)
        ) AS total
        WHERE account.id = ANY (locked.ids) AND account.stripe = total.stripe
            AND total.measure = locked.measures[array_position(locked.ids, account.id)] AND total.count > 0
        RETURNING account.id, account.stripe, measure, currency, normal_side, seq, balance
    ), line AS (
        -- A wallet of another stripe was not changed: its posting has no account, and is refused.
        SELECT wallet.id AS account_id, wallet.seq - later_of_user AS seq, act.id, stripe, coins AS amount,
            wallet.balance - later_coins_of_user AS balance, 'COIN' AS currency, 'C' AS side
        FROM act LEFT JOIN (SELECT * FROM wallet WHERE is_paid) AS wallet ON owner = user_id
        UNION ALL
        SELECT wallet.id, wallet.seq - later_of_user_with_bonus, act.id, stripe, bonus,
            wallet.balance - later_bonus_of_user, 'COIN', 'C'
        FROM act LEFT JOIN (SELECT * FROM wallet WHERE NOT is_paid) AS wallet ON owner = user_id
        WHERE bonus <> 0
        UNION ALL
        SELECT system.id,
            system.seq - CASE measure WHEN 'bonus' THEN later_with_bonus WHEN 'vat' THEN later_with_vat ELSE later END,
            act.id, act.stripe,
            CASE measure WHEN 'coins' THEN coins WHEN 'amount' THEN amount WHEN 'bonus' THEN bonus ELSE vat END,
            system.balance - CASE measure
                WHEN 'coins' THEN later_coins WHEN 'amount' THEN later_amount WHEN 'bonus' THEN later_bonus
                ELSE later_vat END,
            currency, normal_side
        FROM act JOIN system ON system.stripe = act.stripe
        WHERE CASE measure WHEN 'bonus' THEN bonus <> 0 WHEN 'vat' THEN vat <> 0 ELSE true END
    ), posted AS (
        INSERT INTO posting (account_id, seq, journal_entry_id, stripe, amount, balance, currency, side)
        SELECT account_id, seq, id + 1, stripe, amount, balance, currency, side FROM line
    ), entry AS (
        INSERT INTO journal_entry (id, stripe, kind, reference, effective_at, recorded_at, late_for)
        SELECT id + 1, stripe, 'purchase', 'purchase:' || id, greatest(paid_at, open_from), moment,
            CASE WHEN paid_at < open_from THEN paid_at END
        FROM act
    ), bought AS (
        INSERT INTO purchase (id, stripe, status, user_id, gateway, imp_uid, merchant_uid, payment_id, product, amount,
            currency, coins, bonus_coins, paid_at, credited_at, journal_entry_id, tax_free)
        SELECT id, stripe, 'credited', user_id, gateway, imp_uid, merchant_uid, payment_id, product, amount, 'KRW',
            coins, bonus, paid_at, moment, id + 1, tax_free
        FROM act
    ), got AS (
        INSERT INTO lot (id, stripe, user_id, kind, coins, remaining, amount, deferred, currency, acquired_at,
            expires_at, purchase_id, journal_entry_id, vat)
        SELECT id + 2, stripe, user_id, 'paid', coins, coins, amount, amount, 'KRW', moment, expires_at, id, id + 1, rule
        FROM act
        UNION ALL
        SELECT id + 3, stripe, user_id, 'bonus', bonus, bonus, 0, 0, 'KRW', moment, bonus_expires_at, id, id + 1, NULL
        FROM act WHERE bonus <> 0
    )
    SELECT act.paid_at, moment, (wallet.balance - later_coins_of_user)::bigint,
        coalesce(bonus_wallet.balance - later_bonus_of_user, before.bonus, 0)::bigint, coalesce(before.held, 0)::bigint
    FROM act
    JOIN (SELECT * FROM wallet WHERE is_paid) AS wallet ON wallet.owner = user_id
    LEFT JOIN (SELECT * FROM wallet WHERE NOT is_paid) AS bonus_wallet ON bonus_wallet.owner = user_id
    LEFT JOIN (
        SELECT owner, sum(balance) FILTER (WHERE NOT is_held) AS bonus, sum(balance) FILTER (WHERE is_held) AS held
        FROM unnest(owned.owners, owned.are_held, owned.balances) AS other (owner, is_held, balance)
        GROUP BY owner
    ) AS before ON before.owner = user_id
    ORDER BY place;
    PERFORM set_config('ledgerd.crediting', 'off', true);
END
$$;

CREATE FUNCTION public.credit_top_ups() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET enable_nestloop TO 'on'
    SET enable_seqscan TO 'off'
    AS $$
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

CREATE FUNCTION public.currency_decimals(code text) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $_$
DECLARE
    none  CONSTANT text := 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF';
    two   CONSTANT text := 'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF
            CHE CHF CHW CNY COP COU CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ
            GYD HKD HNL HRK HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD
            MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD
            RUB SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH
            USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG ZWL';
    three CONSTANT text := 'BHD IQD JOD KWD LYD OMR TND';
    four  CONSTANT text := 'CLF UYW';
BEGIN
    RETURN CASE
        WHEN code !~ '^[A-Z]{3}$' THEN NULL
        WHEN strpos(two, code) > 0 THEN 2
        WHEN strpos(none, code) > 0 THEN 0
        WHEN strpos(three, code) > 0 THEN 3
        WHEN strpos(four, code) > 0 THEN 4 END;
END
$_$;

CREATE UNLOGGED TABLE public.transaction_tally (
    transaction_id xid8 NOT NULL,
    salt bigint NOT NULL,
    recorded_at timestamp with time zone,
    entries numeric DEFAULT 0 NOT NULL,
    lots numeric DEFAULT 0 NOT NULL,
    facts numeric DEFAULT 0 NOT NULL,
    holds numeric DEFAULT 0 NOT NULL,
    purchases numeric DEFAULT 0 NOT NULL
)
WITH (fillfactor='10');

CREATE FUNCTION public.current_tally() RETURNS public.transaction_tally
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.end_kept_ids() RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    ended bigint;
BEGIN
    UPDATE forgetting SET kept_id = NULL, kept_with = NULL, kept_until = NULL WHERE kept_until <= clock_timestamp();
    GET DIAGNOSTICS ended = ROW_COUNT;
    RETURN ended;
END
$$;

CREATE TABLE public.lot_movement (
    lot_id bigint NOT NULL,
    seq bigint NOT NULL,
    stripe bigint NOT NULL,
    journal_entry_id bigint NOT NULL,
    remaining bigint NOT NULL,
    held bigint NOT NULL,
    deferred bigint NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    expired bigint,
    breakage bigint,
    returned_at timestamp with time zone,
    taxed bigint DEFAULT 0 NOT NULL,
    taxed_breakage bigint DEFAULT 0 NOT NULL,
    CONSTRAINT lot_movement_breakage_not_negative CHECK ((breakage >= 0)),
    CONSTRAINT lot_movement_expired_not_negative CHECK ((expired >= 0)),
    CONSTRAINT lot_movement_seq_positive CHECK ((seq > 0))
);

CREATE FUNCTION public.entry_movements(of_lot bigint, by_entry bigint, most bigint) RETURNS SETOF public.lot_movement
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_sort TO 'off'
    AS $$
DECLARE
    entry_recorded_at timestamptz := (SELECT recorded_at FROM journal_entry WHERE id = by_entry);
    low               bigint := 1;
    high              bigint := (SELECT seq FROM lot WHERE id = of_lot) + 1;
    middle            bigint;
    found_so_far      bigint := 0;
    moved             lot_movement;
BEGIN
    WHILE low < high LOOP
        middle := (low + high) / 2;
        IF (SELECT recorded_at FROM lot_movement WHERE lot_id = of_lot AND seq = middle) < entry_recorded_at THEN
            low := middle + 1;
        ELSE
            high := middle;
        END IF;
    END LOOP;
    FOR moved IN SELECT * FROM lot_movement WHERE lot_id = of_lot AND seq >= low ORDER BY seq LOOP
        EXIT WHEN found_so_far = most OR moved.recorded_at > entry_recorded_at;
        IF moved.journal_entry_id = by_entry THEN
            found_so_far := found_so_far + 1;
            RETURN NEXT moved;
        END IF;
    END LOOP;
END
$$;

CREATE FUNCTION public.entry_user(of_entry bigint, told text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    now_called text := user_behind(told);
    at         timestamptz;
    place      record;
    moved      record;
BEGIN
    -- Accounts of former ids have ended, so few postings are looked at: those of the entry's moment.
    FOR place IN
        SELECT account.id, account.owner FROM user_alias
        CROSS JOIN LATERAL (
            SELECT id, owner, code FROM account WHERE account.owner = user_alias.former OFFSET 0
        ) AS account
        WHERE user_alias.user_id = now_called AND code NOT LIKE 'earnings:%' AND code NOT LIKE 'payable:%'
    LOOP
        at := coalesce(at, (SELECT recorded_at FROM journal_entry WHERE id = of_entry));
        FOR moved IN
            SELECT journal_entry_id FROM posting
            WHERE account_id = place.id AND seq <= posting_seq_as_of(place.id, at)
                AND seq > posting_seq_as_of(place.id, at - interval '1 microsecond')
        LOOP
            IF moved.journal_entry_id = of_entry THEN
                RETURN place.owner;
            END IF;
        END LOOP;
    END LOOP;
    RETURN now_called;
END
$$;

CREATE FUNCTION public.fail_top_up(of_charge bigint, why text, rest interval, most bigint) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.fill_payout() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    LOCK TABLE payout_item IN SHARE ROW EXCLUSIVE MODE; -- one proposal after the other
    -- In one statement, so that what is taken is what was added up.
    WITH free AS MATERIALIZED (
        SELECT journal_entry_id, provider, stripe,
            CASE WHEN journal_entry_id = capture_id THEN share ELSE -share END AS amount
        FROM provider_share AS share
        WHERE payout_id IS NULL AND (NEW.providers IS NULL OR provider = ANY (NEW.providers))
            AND (recorded_at < NEW.cut_off OR journal_entry_id <> capture_id AND EXISTS (
                SELECT FROM provider_share AS capture
                WHERE capture.journal_entry_id = share.capture_id
                    AND (capture.recorded_at < NEW.cut_off OR capture.payout_id IS NOT NULL)))
        UNION ALL
        SELECT journal_entry_id, provider, stripe, amount FROM provider_repayment
        WHERE payout_id IS NULL AND (NEW.providers IS NULL OR provider = ANY (NEW.providers))
    ), owed AS MATERIALIZED (
        SELECT provider, sum(amount)::bigint AS amount, count(*) AS shares FROM free
        GROUP BY provider HAVING sum(amount) > 0 ORDER BY provider LIMIT 1000
    ), taken AS (
        UPDATE provider_share SET payout_id = NEW.id
        FROM free JOIN owed USING (provider)
        WHERE provider_share.journal_entry_id = free.journal_entry_id
    ), netted AS (
        UPDATE provider_repayment SET payout_id = NEW.id FROM owed
        WHERE provider_repayment.provider = owed.provider AND payout_id IS NULL
    ), parted AS (
        INSERT INTO payout_part (payout_id, provider, stripe, amount)
        SELECT NEW.id, provider, stripe, sum(free.amount) FROM free JOIN owed USING (provider)
        GROUP BY provider, stripe HAVING sum(free.amount) <> 0
    )
    -- Each tax is rounded down to 10 won.
    INSERT INTO payout_item (payout_id, provider, amount, income_tax, local_tax, shares)
    SELECT NEW.id, owed.provider, owed.amount, tax.income, div(tax.income, 100) * 10, owed.shares
    FROM owed
    CROSS JOIN LATERAL (
        SELECT withholding FROM provider_terms WHERE provider = owed.provider ORDER BY id DESC LIMIT 1
    ) AS terms
    CROSS JOIN LATERAL (
        SELECT CASE terms.withholding WHEN 'business_income' THEN div(owed.amount::numeric * 3, 1000) * 10 ELSE 0 END
            AS income
    ) AS tax;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'nothing is owed to these providers'
            USING ERRCODE = 'check_violation', TABLE = 'payout', CONSTRAINT = 'payout_pays_something';
    END IF;
    PERFORM record_occurrence(
        'payout.proposed', 'payout:' || NEW.id, NULL, payout_detail(NEW.id, NEW.proposed_by, NULL, NULL));
    RETURN NULL;
END
$$;

CREATE FUNCTION public.finish_campaign_users(of_campaign bigint, up_to bigint, refused_users text[], refusals text[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
    found campaign;
    freed bigint;
    freed_reserved bigint;
    freed_users bigint;
BEGIN
    -- Who is refused may be getting the coins by another process: its grant is waited for, and then seen.
    IF cardinality(refused_users) > 0 THEN
        PERFORM FROM campaign WHERE id = of_campaign FOR UPDATE;
    END IF;
    SELECT * INTO found FROM campaign WHERE id = of_campaign FOR NO KEY UPDATE;
    WITH given AS (
        SELECT user_id, names
        FROM (
            SELECT user_id, person_ids(user_id) AS names FROM campaign_user
            WHERE campaign_id = of_campaign AND number > found.done_to AND number <= up_to AND refusal IS NULL
                AND NOT EXISTS (
                    -- As one value, which only the index by user has (docs/decisions/0002).
                    SELECT FROM campaign_grant AS own
                    WHERE (own.user_id, own.campaign_id) >= (campaign_user.user_id, of_campaign)
                        AND (own.user_id, own.campaign_id) <= (campaign_user.user_id, of_campaign)
                    OFFSET 0)
            OFFSET 0
        ) AS listed
        WHERE EXISTS (
            SELECT FROM unnest(names) AS name
            CROSS JOIN LATERAL (
                SELECT FROM campaign_grant
                WHERE (campaign_grant.user_id, campaign_grant.campaign_id) >= (name, of_campaign)
                    AND (campaign_grant.user_id, campaign_grant.campaign_id) <= (name, of_campaign)
                OFFSET 0
            ) AS own)
    ), ended (user_id, refusal) AS (
        SELECT name, refusal
        FROM unnest(refused_users, refusals) AS refused (user_id, refusal)
        CROSS JOIN LATERAL unnest(CASE up_to WHEN 0 THEN person_ids(user_id) ELSE ARRAY[user_id] END) AS name
        UNION ALL
        SELECT user_id, 'already_claimed' FROM given WHERE user_id <> ALL (refused_users)
    ), unasked AS (
        UPDATE campaign_user SET refusal = 'already_claimed'
        FROM (
            SELECT DISTINCT further.user_id
            FROM given
            CROSS JOIN unnest(names) AS name
            CROSS JOIN LATERAL (
                SELECT user_id FROM campaign_user
                WHERE (campaign_user.user_id, campaign_id) >= (name, of_campaign)
                    AND (campaign_user.user_id, campaign_id) <= (name, of_campaign)
                    AND coalesce(number, 0) > found.taken_to AND refusal IS NULL
                OFFSET 0
            ) AS further
        ) AS further
        WHERE (campaign_user.user_id, campaign_user.campaign_id) >= (further.user_id, of_campaign)
            AND (campaign_user.user_id, campaign_user.campaign_id) <= (further.user_id, of_campaign)
        RETURNING coins
    ), refused AS (
        UPDATE campaign_user SET refusal = ended.refusal
        FROM ended
        WHERE (campaign_user.user_id, campaign_user.campaign_id) >= (ended.user_id, of_campaign)
            AND (campaign_user.user_id, campaign_user.campaign_id) <= (ended.user_id, of_campaign)
            AND campaign_user.refusal IS NULL AND (number IS NULL OR number <= found.taken_to)
            AND is_campaign_user_without_coins(of_campaign, ended.user_id, number, found.taken_to)
        RETURNING coins
    )
    SELECT coalesce(sum(coins), 0), coalesce(sum(reserved), 0), count(*) INTO freed, freed_reserved, freed_users
        FROM (SELECT coins, coins AS reserved FROM refused UNION ALL SELECT coins, 0 FROM unasked) AS freed;
    UPDATE campaign
    SET done_to = greatest(done_to, least(up_to, taken_to)), asked = asked - freed, reserved = reserved - freed_reserved,
        refused = refused + freed_users
    WHERE id = of_campaign;
END
$$;

CREATE FUNCTION public.finish_campaign_voids(of_campaign bigint, pass bigint, up_to bigint) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    UPDATE campaign
    SET status = CASE WHEN up_to IS NULL THEN 'voided' ELSE status END, voided_to = greatest(voided_to, up_to)
    WHERE id = of_campaign AND status = 'voiding' AND void_pass = pass
$$;

CREATE FUNCTION public.follow_dismissal() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    IF is_forgetting() THEN
        RETURN NEW;
    END IF;
    NEW.is_dismissed := NEW.status = 'unmatched' AND EXISTS (
        SELECT FROM settlement_dismissal WHERE row_id = NEW.id AND payment = NEW.payment);
    RETURN NEW;
END
$$;

CREATE FUNCTION public.foreign_facts(gateway text, currency text, paid bigint, won bigint, salt bigint) RETURNS numeric
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    RETURN paid * hashtextextended(receivable_of(gateway) || ':' || currency, salt)::numeric
        - paid * hashtextextended('fx:clearing:' || currency, salt)::numeric
        + won * hashtextextended('fx:clearing:' || currency || ':KRW', salt)::numeric;
END
$$;

CREATE FUNCTION public.foreign_settlement_facts(gateway text, currency text, paid bigint, carried bigint, won bigint, salt bigint) RETURNS numeric
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    RETURN -foreign_facts(gateway, currency, paid, carried, salt)
        + (carried - won) * hashtextextended(
            CASE WHEN won < carried THEN 'fx:loss:' ELSE 'fx:gain:' END || currency, salt)::numeric;
END
$$;

CREATE FUNCTION public.forget_id(former text, replacement text, ids text[], name_key bytea, key_name text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $_$
DECLARE
    places text := places_of_id(former);
    declared record;
    changes text;
    acts tid[];
BEGIN
    INSERT INTO forgotten_payment (digest, purchase_id, hashed_with)
    SELECT sha256(name_key || sha256(name_key || convert_to(whole, 'UTF8'))), purchase_id, key_name
    FROM (
        SELECT purchase.id AS purchase_id, whole, name
        FROM purchase
        -- An order's name is one at all gateways.
        CROSS JOIN LATERAL (
            VALUES (gateway || '/' || imp_uid, imp_uid), ('/' || merchant_uid, merchant_uid),
                (gateway || '/' || payment_id, payment_id)
        ) AS named (whole, name)
        WHERE user_id = ANY (ids) AND can_name_user(gateway)
        UNION ALL
        SELECT purchase_id, payment_name.gateway || '/' || payment_name.imp_uid, payment_name.imp_uid
        FROM payment_name JOIN purchase ON purchase.id = purchase_id
        WHERE user_id = ANY (ids)
    ) AS named
    WHERE name ~ places
    ON CONFLICT DO NOTHING;
    -- While rows are found by the id, and by names of orders and purchases: words, keys, hashes, and names of payments of the user.
    -- $1 of the condition is an array of ids.
    FOR declared IN
        SELECT *, CASE WHEN EXISTS (
                SELECT FROM pg_attribute WHERE attrelid = format('%I', name)::regclass AND attname = 'gateway' AND attnum > 0)
                THEN 'gateway'
            -- What is settled keeps the name that its purchase has.
            WHEN name = 'settlement_row' THEN '(SELECT purchase.gateway FROM purchase WHERE purchase.id = purchase_id)'
            ELSE 'NULL' END AS gateway
        FROM personal_tables() WHERE condition IS NOT NULL AND name <> 'journal_entry'
        -- What others are found by comes after them.
        ORDER BY CASE WHEN name IN ('order', 'purchase') THEN 2 WHEN name = 'finding' THEN 1 ELSE 0 END
    LOOP
        SELECT string_agg(format(
                CASE content
                    WHEN 'words' THEN CASE kind WHEN 'jsonb' THEN '%1$I = NULL'
                        ELSE '%1$I = CASE WHEN %1$I IS NOT NULL THEN ''(erased)'' END' END
                    WHEN 'key' THEN '%1$I = CASE WHEN %1$I IS NOT NULL THEN ''forgotten-'' || gen_random_uuid() END'
                    WHEN 'digest' THEN '%1$I = encode(sha256(uuid_send(gen_random_uuid())), ''hex'')'
                    WHEN 'payment' THEN '%1$I = CASE WHEN can_name_user(' || declared.gateway
                        || ') THEN without_id(%1$I, $3, $2) ELSE %1$I END'
                    ELSE '%1$I = forgotten_in(%1$I, $4, $2, $3, true, '''')' END, column_name), ', ')
            INTO changes
            FROM personal_columns(declared.name, declared.columns)
            WHERE content IN ('words', 'key', 'digest', 'payment') OR content = 'naming' AND kind = 'jsonb';
        IF changes IS NOT NULL THEN
            EXECUTE format('UPDATE %I SET %s WHERE %s', declared.name, changes, declared.condition)
                USING ids, replacement, places, former;
        END IF;
    END LOOP;
    acts := ARRAY(
        SELECT ctid FROM idempotency
        WHERE journal_entry_id IN (
                SELECT posting.journal_entry_id FROM posting JOIN account ON account.id = posting.account_id
                WHERE account.owner = ANY (ids) AND split_part(code, ':', 1) NOT IN ('earnings', 'payable'))
            -- Some outcomes name no entry, such as that of a void.
            OR outcome::text ~ places
                AND jsonb_path_exists(outcome, '$.**.user ? (@ == $id)', jsonb_build_object('id', former)));
    UPDATE grant_counted SET key = 'forgotten-' || gen_random_uuid()
    FROM idempotency
    WHERE idempotency.ctid = ANY (acts)
        AND (grant_counted.caller, grant_counted.key) = (idempotency.caller, idempotency.key);
    UPDATE idempotency
    SET key = 'forgotten-' || gen_random_uuid(), fingerprint = encode(sha256(uuid_send(gen_random_uuid())), 'hex'),
        outcome = forgotten_in(outcome, former, replacement, places, true, '')
    WHERE ctid = ANY (acts);
    -- The hash of a request that named the user as somebody else's provider.
    UPDATE idempotency SET fingerprint = encode(sha256(uuid_send(gen_random_uuid())), 'hex')
    WHERE outcome::text ~ places AND forgotten_in(outcome, former, replacement, places, false, '') <> outcome;
    IF NOT forget_in_journal(former, replacement, places) THEN
        RAISE EXCEPTION 'the chain does not have all entries of the user' USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    -- Then the id itself, and what names it in rows of others.
    FOR declared IN SELECT * FROM personal_tables() WHERE name NOT IN ('journal_entry', 'account') LOOP
        SELECT string_agg(format(
                CASE WHEN content IN ('user', 'staff') THEN '%1$I = CASE %1$I WHEN $1 THEN $2 ELSE %1$I END'
                    WHEN kind = '_text' THEN '%1$I = array_replace(%1$I, $1, $2)'
                    WHEN kind = 'jsonb' THEN '%1$I = forgotten_in(%1$I, $1, $2, $3, false, '''')'
                    WHEN content = 'naming' THEN '%1$I = renamed(%1$I, $1, $2)'
                    ELSE '%1$I = without_id(%1$I, $3, $2)' END, column_name), ', ')
            || ' WHERE ' || string_agg(format(
                CASE WHEN content IN ('user', 'staff') THEN '%1$I = $1'
                    WHEN kind = '_text' THEN '$1 = ANY (%1$I)'
                    WHEN kind = 'jsonb' THEN '%1$I::text ~ $3'
                    WHEN content = 'naming' THEN 'renamed(%1$I, $1, $2) <> %1$I'
                    ELSE '%1$I ~ $3' END, column_name), ' OR ')
            INTO changes
            FROM personal_columns(declared.name, declared.columns)
            WHERE content IN ('user', 'users', 'naming', 'words', 'label', 'staff');
        IF changes IS NOT NULL THEN
            EXECUTE format('UPDATE %I SET %s', declared.name, changes) USING former, replacement, places;
        END IF;
    END LOOP;
END
$_$;

CREATE FUNCTION public.forget_in_journal(former text, replacement text, places text) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    accounts bigint[] := ARRAY(SELECT account.id FROM account WHERE owner = former);
    entries bigint[];
    named bigint[];
BEGIN
    entries := ARRAY(
        SELECT DISTINCT entry.id
        FROM posting
        JOIN account ON account.id = posting.account_id
        JOIN journal_entry AS entry ON entry.id = posting.journal_entry_id
        WHERE posting.account_id = ANY (accounts)
            AND (split_part(account.code, ':', 1) NOT IN ('earnings', 'payable') OR entry.kind = 'provider_repayment')
            AND (entry.reason IS NOT NULL OR NOT is_reference_of_row(entry.kind, entry.reference)));
    -- Why somebody gave coins stands in the entries of both users.
    entries := entries || ARRAY(
        SELECT entry.id
        FROM gift
        JOIN journal_entry AS entry ON entry.id IN (gift.sent_entry_id, gift.received_entry_id)
        WHERE former IN (gift.from_user, gift.to_user) AND entry.reason IS NOT NULL AND entry.id <> ALL (entries));
    named := ARRAY(
        SELECT entry.id FROM journal_entry AS entry
        WHERE entry.id <> ALL (entries)
            AND (entry.reason ~ places OR renamed(entry.reference, former, replacement) <> entry.reference
                OR entry.kind = 'spend' AND entry.reference ~ places));
    IF EXISTS (SELECT FROM unnest(entries || named) AS entry (id) WHERE NOT EXISTS (SELECT FROM entry_salt WHERE entry_id = entry.id))
        OR EXISTS (
            SELECT FROM unnest(accounts) AS account (id)
            WHERE NOT EXISTS (SELECT FROM account_salt WHERE account_id = account.id)
                AND EXISTS (SELECT FROM posting WHERE posting.account_id = account.id))
    THEN
        RETURN false;
    END IF;
    UPDATE entry_salt
    SET salt = NULL,
        reference = CASE WHEN NOT is_reference_of_row(entry.kind, entry.reference)
            THEN chain_commitment(salt, 'reference', entry.reference) END,
        reason = chain_commitment(salt, 'reason', entry.reason)
    FROM journal_entry AS entry
    WHERE entry_id = entry.id AND entry_id = ANY (entries || named) AND salt IS NOT NULL;
    UPDATE account_salt SET salt = NULL, code = chain_commitment(salt, 'account', account.code)
    FROM account
    WHERE account_id = account.id AND account_id = ANY (accounts) AND salt IS NOT NULL;
    UPDATE journal_entry AS entry
    SET reason = CASE WHEN entry.reason IS NOT NULL THEN '(erased)' END,
        reference = CASE WHEN renamed(entry.reference, former, replacement) <> entry.reference
            THEN renamed(entry.reference, former, replacement)
            WHEN entry.kind = 'spend' THEN '(erased)' ELSE entry.reference END
    WHERE entry.id = ANY (entries);
    UPDATE journal_entry AS entry
    SET reason = without_id(entry.reason, places, replacement),
        reference = CASE WHEN renamed(entry.reference, former, replacement) <> entry.reference
            THEN renamed(entry.reference, former, replacement)
            WHEN entry.kind = 'spend' THEN without_id(entry.reference, places, replacement) ELSE entry.reference END
    WHERE entry.id = ANY (named);
    UPDATE account SET owner = replacement, code = renamed(code, former, replacement) WHERE account.id = ANY (accounts);
    RETURN true;
END
$$;

CREATE FUNCTION public.forget_user(request bigint, sealed_id bytea, sealed_with text, name_key bytea, keeps_payments interval, keeps_complaints interval) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET enable_seqscan TO 'on'
    SET enable_hashjoin TO 'on'
    SET enable_nestloop TO 'on'
    SET jit TO 'off'
    AS $$
DECLARE
    former text;
    replacement text;
    alias text;
    kept timestamptz;
    open text[];
BEGIN
    -- Who was merged while it was asked is forgotten as the user whose things they are.
    SELECT user_behind(user_id) INTO former FROM forgetting
        WHERE forgetting.id = request AND status = 'waiting' AND due_at <= clock_timestamp() FOR UPDATE;
    IF NOT FOUND THEN
        RETURN CASE WHEN EXISTS (SELECT FROM forgetting WHERE forgetting.id = request AND status = 'waiting') THEN 'asked' END;
    END IF;
    -- Another request of the same person was done.
    IF former LIKE 'forgotten-%' THEN
        UPDATE forgetting
        SET status = 'cancelled', reason = 'cancelled', cancelled_by = 'ledgerd', lease_holder = NULL, decided_at = clock_timestamp()
        WHERE forgetting.id = request;
        RETURN NULL;
    END IF;
    -- Acts lock the accounts of their user: what is open below stays so.
    PERFORM FROM account WHERE owner = ANY (person_ids(former)) ORDER BY account.id FOR NO KEY UPDATE;
    IF user_behind(former) <> former THEN
        RETURN 'asked';
    END IF;
    -- What was reserved for a claim that nobody finished is free again; its grant, if it is being posted, is seen below.
    PERFORM finish_campaign_users(listed.campaign_id, 0, ARRAY[former], ARRAY['user_forgotten'])
        FROM (
            SELECT DISTINCT campaign_id FROM campaign_user
            WHERE user_id = ANY (person_ids(former)) AND number IS NULL AND refusal IS NULL
                AND is_campaign_user_without_coins(campaign_id, user_id, NULL, 0)
            ORDER BY campaign_id
        ) AS listed;
    open := open_of_user(former);
    IF open <> '{}' THEN
        RETURN array_to_string(open, ',');
    END IF;
    replacement := new_forgotten_id(former);
    kept := greatest(
        (SELECT max(credited_at) FROM purchase WHERE user_id = former) + keeps_payments,
        (SELECT max(requested_at) FROM refund WHERE user_id = former) + keeps_complaints,
        (SELECT max(recorded_at) FROM dispute WHERE user_id = former) + keeps_complaints);
    IF kept <= clock_timestamp() THEN
        kept := NULL;
    END IF;
    UPDATE forgetting
    SET status = 'forgotten', reason = 'forgotten', user_id = replacement, lease_holder = NULL, decided_at = clock_timestamp(),
        under_way = pg_current_xact_id(), note = CASE WHEN note IS NOT NULL THEN '(erased)' END,
        kept_id = CASE WHEN kept IS NOT NULL THEN sealed_id END, kept_with = CASE WHEN kept IS NOT NULL THEN sealed_with END,
        kept_until = kept
    WHERE forgetting.id = request;
    PERFORM forget_id(former, replacement, ARRAY[former], name_key, sealed_with);
    FOREACH alias IN ARRAY ARRAY(SELECT user_alias.former FROM user_alias WHERE user_alias.user_id = replacement) LOOP
        PERFORM forget_id(alias, new_forgotten_id(alias), ARRAY[alias, replacement], name_key, sealed_with);
    END LOOP;
    UPDATE forgetting SET under_way = NULL WHERE forgetting.id = request;
    PERFORM record_occurrence(
        'user.forgotten', 'forgetting:' || request, replacement, jsonb_build_object('id', request));
    RETURN NULL;
EXCEPTION
    -- The name stands for its class of errors, of which a lock that was not to be had is another one.
    WHEN object_not_in_prerequisite_state THEN
        IF SQLSTATE <> '55000' THEN
            RAISE;
        END IF;
        RETURN 'chain';
END
$$;

CREATE FUNCTION public.forgotten_in(document jsonb, id text, replacement text, places text, is_of_user boolean, member text) RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $_$
DECLARE
    words text;
BEGIN
    CASE jsonb_typeof(document)
        WHEN 'object' THEN
            RETURN (
                SELECT coalesce(jsonb_object_agg(
                    renamed(key, id, replacement), forgotten_in(value, id, replacement, places, is_of_user, key)), '{}')
                FROM jsonb_each(document));
        WHEN 'array' THEN
            RETURN (
                SELECT coalesce(
                    jsonb_agg(forgotten_in(value, id, replacement, places, is_of_user, member) ORDER BY place), '[]')
                FROM jsonb_array_elements(document) WITH ORDINALITY AS element (value, place));
        WHEN 'string' THEN
            words := document #>> '{}';
            IF is_of_user AND member IN ('reason', 'reference', 'note', 'text', 'explanation', 'description', 'refusal',
                'bank_reference', 'bankReference', 'repayment_reference', 'repaymentReference', 'fee_waiver', 'feeWaiver',
                'decision_reason', 'words', 'comment', 'billing_key', 'billingKey')
                AND renamed(words, id, '') = words AND words !~ '^([a-z]+:)?forgotten-[0-9a-f]{32}(:(paid|bonus)|/[0-9]+)?$'
            THEN
                RETURN to_jsonb('(erased)'::text);
            ELSIF NOT is_of_user AND member IN ('imp_uid', 'impUID', 'merchant_uid', 'merchantUID', 'payment_id', 'paymentID',
                'cancellation_id', 'cancellationID', 'payment', 'key', 'idempotency_key', 'idempotencyKey')
            THEN
                RETURN document;
            ELSIF member IN ('user', 'user_id', 'userID', 'users', 'provider', 'providers', 'owner', 'whom', 'lane', 'named_user',
                'subject', 'target')
            THEN
                RETURN to_jsonb(renamed(words, id, replacement));
            END IF;
            RETURN to_jsonb(without_id(renamed(words, id, replacement), places, replacement));
        ELSE
            RETURN document;
    END CASE;
END
$_$;

CREATE TABLE public.journal_entry (
    id bigint NOT NULL,
    stripe bigint NOT NULL,
    kind text NOT NULL,
    reference text NOT NULL,
    effective_at timestamp with time zone NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    reason text,
    reverses bigint,
    late_for timestamp with time zone,
    transaction_id xid8 DEFAULT pg_current_xact_id() NOT NULL,
    CONSTRAINT journal_entry_kind_known CHECK ((kind = ANY (ARRAY['purchase'::text, 'grant'::text, 'claw_back'::text, 'debt_payment'::text, 'spend'::text, 'hold'::text, 'capture'::text, 'void'::text, 'expiry'::text, 'refund_hold'::text, 'refund_release'::text, 'refund'::text, 'settlement'::text, 'spend_reversal'::text, 'capture_reversal'::text, 'refund_payment'::text, 'refund_reversal'::text, 'debt_bank_payment'::text, 'debt_write_off'::text, 'payout'::text, 'provider_repayment'::text, 'dispute_hold'::text, 'dispute_release'::text, 'adjustment'::text, 'expiry_reversal'::text, 'debt_write_off_reversal'::text, 'claw_back_reversal'::text, 'grant_void'::text, 'gift_sent'::text, 'gift_received'::text, 'gift_taken_back'::text, 'gift_returned'::text, 'merge'::text]))),
    CONSTRAINT journal_entry_late_for_is_earlier CHECK ((late_for < effective_at))
);

CREATE FUNCTION public.gives_back_all(moved public.journal_entry, of_user text) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.half_even(numerator numeric, denominator numeric) RETURNS numeric
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT whole + CASE WHEN beyond_half > 0 OR beyond_half = 0 AND mod(whole, 2) <> 0
        THEN sign(numerator) * sign(denominator) ELSE 0 END
    FROM (
        SELECT div(numerator, denominator) AS whole,
            2 * abs(mod(numerator, denominator)) - abs(denominator) AS beyond_half
    ) AS cut
$$;

CREATE FUNCTION public.is_campaign_user_without_coins(of_campaign bigint, of_user text, place bigint, taken_to bigint) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT NOT EXISTS (
            SELECT FROM campaign_grant AS own
            WHERE own.campaign_id = of_campaign AND own.user_id = of_user)
        AND (
            SELECT count(*) FROM campaign_user AS share
            WHERE share.campaign_id = of_campaign AND share.user_id = ANY (names) AND share.refusal IS NULL
                AND (coalesce(share.number, 0), share.user_id) <= (coalesce(place, 0), of_user)
                AND NOT EXISTS (
                    SELECT FROM campaign_grant AS own
                    WHERE own.campaign_id = share.campaign_id AND own.user_id = share.user_id)
        ) > (
            SELECT count(*) FROM campaign_grant AS given
            WHERE given.campaign_id = of_campaign AND given.user_id = ANY (names)
                AND NOT EXISTS (
                    SELECT FROM campaign_user AS own
                    WHERE own.campaign_id = given.campaign_id AND own.user_id = given.user_id AND own.refusal IS NULL
                        AND (own.number IS NULL OR own.number <= taken_to)))
    FROM person_ids(of_user) AS names
$$;

CREATE FUNCTION public.is_forgetting() RETURNS boolean
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
    -- Functions are applied before the migration that brings the table.
    IF to_regclass('forgetting') IS NULL THEN
        RETURN false;
    END IF;
    RETURN EXISTS (SELECT FROM forgetting WHERE under_way = pg_current_xact_id_if_assigned());
END
$$;

CREATE FUNCTION public.is_known_user(asked text, besides bigint DEFAULT NULL::bigint) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    RETURN EXISTS (
            SELECT FROM account
            WHERE owner = asked AND code NOT LIKE 'earnings:%' AND code NOT LIKE 'payable:%'
                AND (SELECT journal_entry_id FROM posting WHERE account_id = account.id AND seq = 1)
                    IS DISTINCT FROM besides)
        OR EXISTS (SELECT FROM user_alias WHERE asked IN (former, user_id))
        OR EXISTS (SELECT FROM "order" WHERE user_id = asked)
        OR EXISTS (SELECT FROM receipt_retry WHERE user_id = asked)
        OR EXISTS (SELECT FROM top_up WHERE user_id = asked)
        OR EXISTS (SELECT FROM balance_alert WHERE owner = asked)
        OR EXISTS (SELECT FROM campaign_user WHERE user_id = asked)
        OR EXISTS (SELECT FROM store_account WHERE user_id = asked)
        OR EXISTS (SELECT FROM store_consent WHERE user_id = asked)
        OR EXISTS (SELECT FROM customer_note WHERE user_id = asked);
END
$$;

CREATE FUNCTION public.is_reference_of_row(kind text, reference text) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $_$
    SELECT kind <> 'spend' AND reference ~ '^[^:]*:[0-9]+$' AND reference !~ '^(user|provider|merge):'
$_$;

CREATE FUNCTION public.is_worth_of_payment(bought public.purchase) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    last  date := (bought.paid_at AT TIME ZONE 'UTC' + interval '14 hours')::date;
    quote rate;
BEGIN
    SELECT * INTO quote FROM rate WHERE id = bought.rate_id;
    RETURN coalesce(
        bought.currency = 'KRW' AND quote.currency = bought.foreign_currency
        AND bought.amount = converted(
            bought.foreign_amount, currency_decimals(bought.foreign_currency), quote.value, quote.scale, quote.per, 0)
        AND EXISTS (
            SELECT FROM generate_series(0, 2) AS before (days)
            WHERE last - days >= (bought.paid_at AT TIME ZONE 'UTC' - interval '12 hours')::date
                AND rate_of_payment(bought.foreign_currency, bought.paid_at, bought.credited_at, last - days) = quote.id),
        false);
END
$$;

CREATE FUNCTION public.judge_accounting_policy() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    open_from timestamptz := closed_until();
BEGIN
    PERFORM FROM account WHERE code = 'coins:deferred-revenue/0' FOR NO KEY UPDATE;
    IF NEW.starts_at < open_from THEN
        RAISE EXCEPTION 'everything before % is closed', open_from
            USING ERRCODE = 'check_violation', TABLE = 'accounting_policy', CONSTRAINT = 'accounting_policy_of_open_month';
    ELSIF EXISTS (SELECT FROM adjustment WHERE month >= NEW.month) THEN
        RAISE EXCEPTION 'an adjustment of % or a later month is booked', NEW.month
            USING ERRCODE = 'check_violation', TABLE = 'accounting_policy',
                CONSTRAINT = 'accounting_policy_before_adjustment';
    END IF;
    RETURN NEW;
END
$$;

CREATE FUNCTION public.judge_accounts() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.judge_adjustment() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $_$
DECLARE
    salt bigint := tally_salt();
    before adjustment;
    basis adjustment_basis;
    bonus_price bigint;
    entry journal_entry;
    cohorts record;
    weight numeric;
BEGIN
    -- Whoever adjusts or sets a policy meanwhile is waited for, and then seen.
    PERFORM FROM account WHERE code = 'coins:deferred-revenue/0' FOR NO KEY UPDATE;
    SELECT * INTO before FROM adjustment WHERE subject = NEW.subject AND number < NEW.number ORDER BY number DESC LIMIT 1;
    SELECT * INTO entry FROM journal_entry WHERE id = NEW.journal_entry_id;
    IF NEW.ends_at <= closed_until() OR NEW.month < before.month OR NEW.amount <> NEW.target - coalesce(before.target, 0)
        OR NEW.target <> (
            SELECT coalesce(sum(target), 0) FROM adjustment_cohort WHERE adjustment_id = NEW.id)
        OR NEW.bonus_policy_id IS DISTINCT FROM accounting_policy_in_force('bonus', NEW.month)
        OR NEW.breakage_policy_id IS DISTINCT FROM (CASE NEW.subject
            WHEN 'breakage' THEN accounting_policy_in_force('breakage', NEW.month) END)
        OR NEW.journal_entry_id IS NOT NULL AND NOT coalesce(
            entry.transaction_id = pg_current_xact_id() AND entry.kind = 'adjustment' AND entry.stripe = 0
            AND entry.reference = 'adjustment:' || NEW.id AND entry.recorded_at = NEW.recorded_at
            AND entry.effective_at = NEW.ends_at - interval '1 microsecond', false)
    THEN
        RAISE EXCEPTION 'adjustment % does not fit its policy, its cohorts, its entry or the one before it', NEW.id
            USING ERRCODE = 'foreign_key_violation', TABLE = 'adjustment', CONSTRAINT = 'adjustment_fits_policy';
    END IF;
    SELECT * INTO basis FROM adjustment_basis WHERE id = NEW.basis_id;
    SELECT policy.bonus_price INTO bonus_price FROM accounting_policy AS policy WHERE policy.id = NEW.bonus_policy_id;
    SELECT coalesce(sum(purchases), 0) AS purchases, coalesce(sum(sold), 0) AS sold,
        coalesce(sum(deferred), 0) AS deferred, coalesce(sum(expired), 0) AS expired,
        coalesce(bool_or(
            least(purchases - 1, sold, refunded, used, deferred, expired) < 0 OR sold_in > NEW.month
            OR sold_in !~ '^[0-9]{4}-(0[1-9]|1[0-2])$'
            OR NOT CASE NEW.subject WHEN 'breakage' THEN allocated IS NULL AND target BETWEEN 0 AND deferred
                ELSE coalesce(allocated BETWEEN 0 AND sold - refunded, false)
                    AND target = CASE WHEN bonus_price IS NULL THEN 0 ELSE allocated - deferred END END), false) AS misfit
        INTO cohorts FROM adjustment_cohort WHERE adjustment_id = NEW.id;
    IF basis.id IS NULL OR basis.month <> NEW.month OR basis.ends_at <> NEW.ends_at
        OR basis.measured_at < greatest(basis.ends_at, NEW.recorded_at - interval '1 day')
        OR cohorts.misfit OR cohorts.purchases <> basis.purchases
        OR NOT (CASE WHEN NEW.subject = 'breakage' AND bonus_price IS NOT NULL
            THEN cohorts.sold <= basis.sold AND cohorts.deferred <= basis.deferred AND cohorts.expired <= basis.expired
            ELSE cohorts.sold = basis.sold AND cohorts.deferred = basis.deferred AND cohorts.expired = basis.expired END)
    THEN
        RAISE EXCEPTION 'the cohorts of adjustment % do not add up to what the books had at the end of %', NEW.id, NEW.month
            USING ERRCODE = 'foreign_key_violation', TABLE = 'adjustment', CONSTRAINT = 'adjustment_fits_basis';
    END IF;
    IF NEW.journal_entry_id IS NOT NULL THEN
        weight := hashtextextended(NEW.journal_entry_id || '/0', salt)::numeric;
        PERFORM add_to_tally(
            more_entries => -weight * hashtextextended('adjustment/adjustment:' || NEW.id, salt),
            more_facts => weight * NEW.amount * CASE NEW.subject
                WHEN 'breakage' THEN hashtextextended('coins:expected-breakage', salt)::numeric
                    - hashtextextended('revenue:expected-breakage', salt)
                ELSE hashtextextended('revenue:bonus-allocation', salt)::numeric
                    - hashtextextended('coins:deferred-bonus', salt) END);
    END IF;
    RETURN NULL;
END
$_$;

CREATE FUNCTION public.judge_adjustment_cohorts() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    IF EXISTS (SELECT FROM adjustment WHERE id IN (SELECT adjustment_id FROM new_cohort)) THEN
        RAISE EXCEPTION 'the adjustment has its cohorts already'
            USING ERRCODE = 'check_violation', TABLE = 'adjustment_cohort', CONSTRAINT = 'adjustment_cohort_comes_first';
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.judge_approval() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    IF is_forgetting() THEN
        RETURN NEW;
    END IF;
    IF (OLD.status, NEW.status) NOT IN (
            ('waiting', 'approved'), ('waiting', 'declined'), ('waiting', 'withdrawn'), ('approved', 'done'),
            ('approved', 'refused'))
        OR OLD.decided_by IS NOT NULL AND (OLD.decided_by, OLD.decided_name, OLD.decided_at, OLD.decision_reason)
            IS DISTINCT FROM (NEW.decided_by, NEW.decided_name, NEW.decided_at, NEW.decision_reason)
    THEN
        RAISE EXCEPTION 'approval % is % and can''t become %', OLD.id, OLD.status, NEW.status
            USING ERRCODE = 'check_violation', TABLE = 'approval', CONSTRAINT = 'approval_decided_once';
    END IF;
    IF OLD.decided_by IS NULL AND person_of(NEW.decided_by) = person_of(OLD.proposed_by) THEN
        RAISE EXCEPTION 'another person than the proposer decides about approval %', OLD.id
            USING ERRCODE = 'check_violation', TABLE = 'approval', CONSTRAINT = 'approval_by_another_person';
    END IF;
    RETURN NEW;
END
$$;

CREATE FUNCTION public.judge_campaign() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    IF is_forgetting() THEN
        RETURN NEW;
    END IF;
    IF (NEW.id, NEW.name, NEW.coins, NEW.most_per_user, NEW.budget, NEW.starts_at, NEW.reason, NEW.can_be_moved, NEW.created_by)
            <> (OLD.id, OLD.name, OLD.coins, OLD.most_per_user, OLD.budget, OLD.starts_at, OLD.reason, OLD.can_be_moved,
                OLD.created_by)
        OR (NEW.ends_at, NEW.coins_expire_at, NEW.coin_days, NEW.note, NEW.code)
            IS DISTINCT FROM (OLD.ends_at, OLD.coins_expire_at, OLD.coin_days, OLD.note, OLD.code)
        OR OLD.status = 'waiting' AND NEW.status = 'active' AND person_of(NEW.approved_by) = person_of(NEW.created_by) IS NOT FALSE
        OR OLD.status IN ('ended', 'voiding', 'voided') AND NEW.status NOT IN (OLD.status, 'voiding', 'voided')
        OR NEW.reserved > OLD.reserved AND NEW.status <> 'active'
        OR (NEW.users, NEW.taken_to, NEW.done_to) <> (
            greatest(NEW.users, OLD.users), greatest(NEW.taken_to, OLD.taken_to), greatest(NEW.done_to, OLD.done_to))
    THEN
        RAISE EXCEPTION 'a campaign keeps what was decided about it'
            USING ERRCODE = 'check_violation', TABLE = 'campaign', CONSTRAINT = 'campaign_keeps_decision';
    END IF;
    RETURN NEW;
END
$$;

CREATE FUNCTION public.judge_campaign_grants() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET enable_nestloop TO 'on'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
    misfit bigint;
BEGIN
    SELECT min(given.lot_id) INTO misfit
        FROM new_grant AS given
        LEFT JOIN LATERAL (SELECT * FROM lot WHERE lot.id = given.lot_id OFFSET 0) AS lot ON true
        LEFT JOIN LATERAL (
            SELECT * FROM journal_entry WHERE journal_entry.id = given.journal_entry_id OFFSET 0
        ) AS entry ON true
        LEFT JOIN LATERAL (SELECT * FROM campaign WHERE campaign.id = given.campaign_id OFFSET 0) AS campaign ON true
        -- As person_ids, which called for each user took most of the time.
        CROSS JOIN LATERAL (
            SELECT coalesce((SELECT alias.user_id FROM user_alias AS alias WHERE alias.former = given.user_id), given.user_id)
                AS present OFFSET 0
        ) AS person
        CROSS JOIN LATERAL (
            SELECT present || ARRAY(SELECT former FROM user_alias WHERE user_alias.user_id = present) AS names OFFSET 0
        ) AS known
        LEFT JOIN LATERAL (
            SELECT listed.* FROM unnest(names) AS name
            CROSS JOIN LATERAL (
                SELECT * FROM campaign_user
                WHERE campaign_user.user_id = name AND campaign_user.campaign_id = given.campaign_id OFFSET 0
            ) AS listed
            ORDER BY refusal IS NOT NULL, coalesce(number > campaign.taken_to, false), name <> given.user_id, number, name
            LIMIT 1
        ) AS share ON true
        WHERE NOT coalesce(
            lot.user_id = given.user_id AND lot.coins = given.coins AND lot.kind = 'bonus' AND lot.purchase_id IS NULL
            AND lot.journal_entry_id = given.journal_entry_id AND entry.kind = 'grant'
            AND entry.transaction_id = pg_current_xact_id()
            AND share.coins = given.coins AND share.refusal IS NULL
            AND (share.number IS NULL OR share.number <= campaign.taken_to)
            AND campaign.status NOT IN ('waiting', 'voiding', 'voided')
            AND CASE WHEN campaign.coin_days IS NULL
                THEN lot.expires_at IS NOT DISTINCT FROM campaign.coins_expire_at
                -- Until the end of the last day, in any time zone.
                ELSE lot.expires_at > entry.recorded_at + (campaign.coin_days - 2) * interval '1 day'
                    AND lot.expires_at < entry.recorded_at + (campaign.coin_days + 2) * interval '1 day' END, false);
    IF misfit IS NOT NULL THEN
        RAISE EXCEPTION 'the lot % is not what its campaign gives', misfit
            USING ERRCODE = 'foreign_key_violation', TABLE = 'campaign_grant', CONSTRAINT = 'campaign_grant_fits_campaign';
    END IF;
    INSERT INTO campaign_sum AS sums (campaign_id, stripe, users, given, remaining, expired, voided)
    SELECT given.campaign_id, lot.stripe, count(*), sum(given.coins), sum(lot.remaining + lot.held), sum(lot.expired),
        coalesce(sum((SELECT sum(coins) FROM grant_void WHERE grant_void.lot_id = given.lot_id)), 0)
    FROM new_grant AS given
    CROSS JOIN LATERAL (SELECT * FROM lot WHERE lot.id = given.lot_id OFFSET 0) AS lot
    GROUP BY given.campaign_id, lot.stripe
    ORDER BY given.campaign_id, lot.stripe
    ON CONFLICT (campaign_id, stripe) DO UPDATE
    SET users = sums.users + excluded.users, given = sums.given + excluded.given,
        remaining = sums.remaining + excluded.remaining, expired = sums.expired + excluded.expired,
        voided = sums.voided + excluded.voided;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.judge_chain_links() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    IF EXISTS (
        SELECT FROM new_chain_link AS link
        LEFT JOIN chain_link AS before ON before.id = link.id - 1
        WHERE CASE WHEN link.id = 1 OR link.format = before.format + 1 THEN link.first_position <> 1
            ELSE before.id IS NULL OR link.format <> before.format OR link.first_position <> before.last_position + 1
                OR link.previous_hash <> before.hash
                OR (link.transaction_id, link.entry_id) <= (before.transaction_id, before.entry_id) END
    ) THEN
        RAISE EXCEPTION 'a link of the chain does not follow the one before it'
            USING ERRCODE = 'foreign_key_violation', TABLE = 'chain_link', CONSTRAINT = 'chain_link_follows';
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.judge_claw_back_reversal() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.judge_closing() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(7810759524158039406);
    IF NEW.until <= (SELECT max(until) FROM closed_period) THEN
        RAISE EXCEPTION 'everything before % is closed already', NEW.until
            USING ERRCODE = 'check_violation', TABLE = 'closed_period', CONSTRAINT = 'closed_period_goes_forward';
    END IF;
    NEW.closed_at := clock_timestamp();
    RETURN NEW;
END
$$;

CREATE FUNCTION public.judge_closing_proposal() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    IF is_forgetting() THEN
        RETURN NEW;
    END IF;
    IF OLD.status <> 'waiting' THEN
        RAISE EXCEPTION 'the proposed closing % is % and can''t become %', OLD.id, OLD.status, NEW.status
            USING ERRCODE = 'check_violation', TABLE = 'closing_proposal', CONSTRAINT = 'closing_proposal_decided_once';
    END IF;
    IF NEW.status = 'closed' AND person_of(NEW.decided_by) = person_of(OLD.proposed_by) THEN
        RAISE EXCEPTION 'another person than the proposer carries out the closing %', OLD.id
            USING ERRCODE = 'check_violation', TABLE = 'closing_proposal',
                CONSTRAINT = 'closing_proposal_by_another_person';
    END IF;
    RETURN NEW;
END
$$;

CREATE FUNCTION public.judge_coin_freezes() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET debug_print_plan TO 'off'
    AS $$
DECLARE
    salt bigint := tally_salt();
    frozen record;
BEGIN
    -- Whoever releases coins of the same purchase meanwhile is waited for, and then seen.
    PERFORM FROM dispute WHERE purchase_id IN (SELECT purchase_id FROM new_freeze) ORDER BY id FOR UPDATE;
    SELECT min(change.purchase_id) FILTER (
            WHERE entry.id IS NULL OR purchase.id IS NULL OR entry.stripe <> purchase.stripe
                OR entry.transaction_id <> pg_current_xact_id() OR entry.kind <> 'dispute_' || change.act
                OR entry.reference <> 'purchase:' || purchase.id
                OR change.act = 'hold' AND NOT EXISTS (
                    SELECT FROM (SELECT status FROM dispute WHERE dispute.purchase_id = purchase.id OFFSET 0) AS dispute
                    WHERE status = 'open')) AS misfit,
        sum(change.sign * (change.coins + change.bonus_coins)
            * hashtextextended(entry.id || '/' || entry.stripe, salt)::numeric
            * hashtextextended('held:' || purchase.user_id, salt)) AS facts,
        sum(hashtextextended(entry.id || '/' || entry.stripe, salt)::numeric
            * hashtextextended(entry.kind || '/' || entry.reference, salt)) AS entries,
        sum(change.sign * (
            change.coins * hashtextextended('refund/' || purchase.id || '/paid', salt)::numeric
            + change.bonus_coins * hashtextextended('refund/' || purchase.id || '/bonus', salt)::numeric)) AS holds
        INTO frozen
        FROM (SELECT *, CASE act WHEN 'hold' THEN 1 ELSE -1 END AS sign FROM new_freeze) AS change
        LEFT JOIN journal_entry AS entry ON entry.id = change.journal_entry_id
        LEFT JOIN purchase ON purchase.id = change.purchase_id;
    IF frozen.misfit IS NULL THEN
        SELECT asked.purchase_id INTO frozen.misfit
            FROM (SELECT DISTINCT purchase_id FROM new_freeze) AS asked
            CROSS JOIN LATERAL (
                SELECT sum(CASE act WHEN 'hold' THEN coins ELSE -coins END) AS coins,
                    sum(CASE act WHEN 'hold' THEN bonus_coins ELSE -bonus_coins END) AS bonus_coins
                FROM coin_freeze WHERE coin_freeze.purchase_id = asked.purchase_id
            ) AS total
            WHERE total.coins < 0 OR total.bonus_coins < 0
            LIMIT 1;
    END IF;
    IF frozen.misfit IS NOT NULL THEN
        RAISE EXCEPTION 'the coins that are frozen or released of purchase % do not fit it', frozen.misfit
            USING ERRCODE = 'foreign_key_violation', TABLE = 'coin_freeze', CONSTRAINT = 'coin_freeze_fits_purchase';
    END IF;
    PERFORM add_to_tally(
        more_entries => -frozen.entries, more_facts => -frozen.facts, more_holds => -frozen.holds);
    RETURN NULL;
END
$$;

CREATE FUNCTION public.judge_coin_returns() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET debug_print_plan TO 'off'
    AS $$
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
                OR entry.kind <> ALL (ARRAY(SELECT kind FROM entry_kind WHERE returns_coins))
                OR entry.kind <> redemption.kind || '_reversal'
                OR entry.reference <> CASE redemption.kind
                    WHEN 'spend' THEN 'spend:' || redemption.id ELSE redemption.reference END
                OR back.expires_at IS NOT NULL AND NOT coalesce(
                    lot.expires_at = back.expired_at AND back.expired_at <= entry.recorded_at
                    -- 366 days, until the end of the last, in any time zone
                    AND back.expires_at <= entry.recorded_at + interval '368 days', false)
                -- What comes back into a voided lot is voided with it (judge_grant_voids). Of a void in this transaction
                -- the order is not known here.
                OR lot.is_voided AND EXISTS (
                    SELECT FROM grant_void AS whole JOIN journal_entry ON journal_entry.id = whole.journal_entry_id
                    WHERE whole.lot_id = back.lot_id AND whole.is_whole
                        AND journal_entry.transaction_id <> pg_current_xact_id() OFFSET 0)
                    AND NOT EXISTS (
                        SELECT FROM grant_void AS void
                        WHERE void.lot_id = back.lot_id AND void.reversal_id = back.journal_entry_id
                            AND void.coins = back.coins OFFSET 0)),
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
                FROM entry_movements(asked.lot_id, asked.redemption_id, NULL) AS moved
                LEFT JOIN LATERAL (
                    SELECT deferred, breakage FROM lot_movement
                    WHERE lot_id = asked.lot_id AND seq = moved.seq - 1 OFFSET 0
                ) AS before ON true
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
        WHERE entry.kind = ANY (ARRAY(SELECT kind FROM entry_kind WHERE fact = 'coin_return'));
    PERFORM add_to_tally(more_entries => -entries, more_facts => -facts);
    RETURN NULL;
END
$$;

CREATE FUNCTION public.judge_debt_bank_payments() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET debug_print_plan TO 'off'
    AS $$
DECLARE
    salt bigint := tally_salt();
    paid record;
BEGIN
    SELECT min(payment.journal_entry_id) FILTER (
            WHERE entry.id IS NULL OR entry.transaction_id <> pg_current_xact_id()
                OR entry.kind <> 'debt_bank_payment' OR entry.reference <> 'user:' || payment.user_id
                OR NOT EXISTS (
                    SELECT FROM account CROSS JOIN LATERAL (
                        -- What this transaction posted is at the end of the account.
                        SELECT FROM posting
                        WHERE posting.account_id = account.id AND posting.journal_entry_id = entry.id
                            AND posting.side = 'C' AND posting.amount = payment.coins
                            AND posting.seq > posting_seq_as_of(account.id, entry.recorded_at - interval '1 microsecond')
                        OFFSET 0
                    ) AS posted
                    WHERE account.code = 'debt:' || payment.user_id)) AS misfit,
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

CREATE FUNCTION public.judge_dispute() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    bought purchase;
BEGIN
    SELECT * INTO bought FROM purchase WHERE id = NEW.purchase_id;
    IF bought.id IS NULL OR bought.user_id <> NEW.user_id OR bought.stripe <> NEW.stripe OR NEW.status <> 'open' THEN
        RAISE EXCEPTION 'dispute % does not fit its purchase', NEW.id
            USING ERRCODE = 'foreign_key_violation', TABLE = 'dispute', CONSTRAINT = 'dispute_fits_purchase';
    END IF;
    PERFORM record_occurrence(
        'purchase.disputed', 'dispute:' || NEW.id, NEW.user_id,
        jsonb_build_object(
            'id', NEW.id, 'purchase_id', bought.id, 'gateway', bought.gateway, 'imp_uid', bought.imp_uid,
            'merchant_uid', bought.merchant_uid, 'payment_id', bought.payment_id, 'amount', bought.amount,
            'currency', bought.currency, 'reason', NEW.reason, 'opened_at', microseconds(NEW.opened_at)));
    PERFORM add_finding(bought, 'payment_disputed');
    RETURN NULL;
END
$$;

CREATE FUNCTION public.judge_dispute_decision() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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
                        AND (NEW.outcome = 'lost' OR gives_back_all(moved, decided.user_id))), false)
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
    IF NOT EXISTS (
        SELECT FROM (SELECT status FROM dispute WHERE purchase_id = decided.purchase_id OFFSET 0) AS other
        WHERE status = 'open')
    THEN
        ended := ARRAY['payment_disputed'];
    END IF;
    IF decided.status = 'lost' AND NOT EXISTS (
        SELECT FROM (SELECT id, status FROM dispute WHERE purchase_id = decided.purchase_id OFFSET 0) AS other
        WHERE status = 'lost' AND EXISTS (SELECT FROM dispute_win WHERE dispute_id = other.id OFFSET 0))
    THEN
        ended := ended || ARRAY['dispute_won_after_loss'];
    END IF;
    -- num_nulls: a plan made when few findings were open would read finding_open as a whole for `IS NULL`.
    UPDATE finding
    SET kinds = CASE WHEN kinds <@ ended THEN kinds ELSE ARRAY(
            SELECT kind FROM unnest(kinds) WITH ORDINALITY AS found (kind, place) WHERE kind <> ALL (ended) ORDER BY place)
            END,
        resolved_at = CASE WHEN kinds <@ ended THEN now() END
    WHERE imp_uid = bought.imp_uid AND gateway = bought.gateway AND num_nulls(resolved_at) = 1 AND kinds && ended;
    IF moved.kind = 'claw_back_reversal' THEN
        salt := tally_salt();
        PERFORM add_to_tally(more_entries => -hashtextextended(moved.id || '/' || moved.stripe, salt)::numeric
            * hashtextextended('claw_back_reversal/purchase:' || decided.purchase_id, salt));
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.judge_dispute_win() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    won dispute;
    bought purchase;
BEGIN
    -- Whoever decides the same dispute meanwhile is waited for, and then seen.
    SELECT * INTO won FROM dispute WHERE id = NEW.dispute_id FOR UPDATE;
    SELECT * INTO bought FROM purchase WHERE id = won.purchase_id;
    IF won.status IS DISTINCT FROM 'lost' OR NOT EXISTS (
            SELECT FROM dispute_decision
            WHERE dispute_id = won.id AND outcome = 'lost' AND decided_by IS NOT NULL)
        OR NEW.resolved_at > NEW.recorded_at
    THEN
        RAISE EXCEPTION 'dispute % is not booked as lost, so it can''t be won after that', NEW.dispute_id
            USING ERRCODE = 'foreign_key_violation', TABLE = 'dispute_win', CONSTRAINT = 'dispute_win_fits_dispute';
    END IF;
    PERFORM add_finding(bought, 'dispute_won_after_loss');
    RETURN NULL;
END
$$;

CREATE FUNCTION public.judge_entries() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET debug_print_plan TO 'off'
    AS $$
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

CREATE FUNCTION public.judge_events() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    told record;
BEGIN
    SELECT min(seq) AS first, max(seq) AS last, count(*) AS count INTO told FROM new_event;
    IF told.count > 0 AND (told.count <> told.last - told.first + 1
        OR told.first <> coalesce((SELECT max(seq) FROM event WHERE seq < told.first), 0) + 1)
    THEN
        RAISE EXCEPTION 'events are numbered without gaps'
            USING ERRCODE = 'check_violation', TABLE = 'event', CONSTRAINT = 'event_follows';
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.judge_forgetting() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    IF is_forgetting() OR OLD.status = 'waiting' AND (NEW.id, NEW.asked_at, NEW.asked_by, NEW.due_at)
            IS NOT DISTINCT FROM (OLD.id, OLD.asked_at, OLD.asked_by, OLD.due_at)
        AND (NEW.user_id = OLD.user_id OR NEW.status = 'forgotten')
        OR OLD.status = 'forgotten' AND OLD.kept_until <= clock_timestamp() AND NEW.kept_id IS NULL
            AND to_jsonb(NEW) - '{kept_id,kept_with,kept_until}'::text[] = to_jsonb(OLD) - '{kept_id,kept_with,kept_until}'::text[]
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'request % to forget a user is decided', OLD.id
        USING ERRCODE = 'check_violation', TABLE = 'forgetting', CONSTRAINT = 'forgetting_decided_once';
END
$$;

CREATE FUNCTION public.judge_gift_lots() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET debug_print_plan TO 'off'
    AS $$
DECLARE
    salt bigint := tally_salt();
    judged record;
BEGIN
    SELECT min(moved.gift_id) FILTER (
            WHERE gift.id IS NULL OR given.id IS NULL OR got.id IS NULL OR given.user_id <> gift.from_user
                OR got.user_id <> gift.to_user OR given.kind <> got.kind OR given.vat IS DISTINCT FROM got.vat
                OR (taken.coins, taken.amount, taken.recognised)
                    IS DISTINCT FROM (moved.coins, moved.amount, moved.recognised)
                OR NOT coalesce(CASE WHEN gift.purchase_id IS NULL THEN
                    moved.recognised = 0 AND got.journal_entry_id = gift.received_entry_id AND (got.coins, got.amount) = (moved.coins, moved.amount)
                    AND coalesce((
                        SELECT can_be_moved FROM campaign WHERE campaign.id = (
                            SELECT campaign_id FROM campaign_grant
                            WHERE campaign_grant.lot_id = coalesce(given.origin_id, given.id))), true)
                    AND got.origin_id = coalesce(given.origin_id, given.id)
                    AND got.origin_purchase_id IS NOT DISTINCT FROM coalesce(given.origin_purchase_id, given.purchase_id)
                    AND got.expires_at IS NOT DISTINCT FROM given.expires_at AND got.issuer IS NOT DISTINCT FROM given.issuer
                    AND got.began_taxed = CASE WHEN given.vat IS NULL THEN 0
                        ELSE (taken.taxable % 11 + 11) % 11 END
                ELSE given.origin_id = got.id AND given.origin_purchase_id = gift.purchase_id
                    AND got.purchase_id = gift.purchase_id
                    AND (-back.coins, -back.amount, -back.recognised)
                        IS NOT DISTINCT FROM (moved.coins, moved.amount, moved.recognised) END, false)) AS misfit,
        sum(moved.coins * hashtextextended('gift coins/' || gift.id, salt)::numeric
            + (moved.amount + moved.recognised) * hashtextextended('gift won/' || gift.id, salt)::numeric) AS moved,
        sum(hashtextextended(received.id || '/' || received.stripe, salt)::numeric * (
            moved.coins * hashtextextended(CASE WHEN gift.purchase_id IS NULL THEN 'given/' ELSE 'back/' END || got.id, salt)::numeric
            + moved.amount * hashtextextended(
                CASE WHEN gift.purchase_id IS NULL THEN 'given won/' ELSE 'won back/' END || got.id, salt)::numeric)) AS got
        INTO judged
        FROM new_gift_lot AS moved
        LEFT JOIN LATERAL (SELECT * FROM gift WHERE gift.id = moved.gift_id OFFSET 0) AS gift ON true
        LEFT JOIN journal_entry AS received ON received.id = gift.received_entry_id
        LEFT JOIN lot AS given ON given.id = moved.from_lot_id
        LEFT JOIN lot AS got ON got.id = moved.to_lot_id
        LEFT JOIN LATERAL (
            SELECT coalesce(before.remaining, given.coins) - after.remaining AS coins,
                coalesce(before.deferred, given.amount) - after.deferred AS amount,
                coalesce(before.taxed, given.began_taxed) - after.taxed AS recognised,
                -- What the first part can still have of VAT, where the second one begins.
                after.taxed + after.taxed_breakage + after.deferred AS taxable
            FROM entry_movements(moved.from_lot_id, gift.sent_entry_id, 1) AS after
            LEFT JOIN LATERAL (
                SELECT remaining, deferred, taxed FROM lot_movement
                WHERE lot_movement.lot_id = moved.from_lot_id AND lot_movement.seq = after.seq - 1 OFFSET 0
            ) AS before ON true
        ) AS taken ON true
        LEFT JOIN LATERAL (
            SELECT coalesce(before.remaining, got.coins) - after.remaining AS coins,
                coalesce(before.deferred, got.amount) - after.deferred AS amount,
                coalesce(before.taxed, got.began_taxed) - after.taxed AS recognised
            FROM entry_movements(moved.to_lot_id, gift.received_entry_id, 1) AS after
            LEFT JOIN LATERAL (
                SELECT remaining, deferred, taxed FROM lot_movement
                WHERE lot_movement.lot_id = moved.to_lot_id AND lot_movement.seq = after.seq - 1 OFFSET 0
            ) AS before ON true
        ) AS back ON gift.purchase_id IS NOT NULL;
    IF judged.misfit IS NOT NULL THEN
        RAISE EXCEPTION 'the lots of gift % do not fit it', judged.misfit
            USING ERRCODE = 'foreign_key_violation', TABLE = 'gift_lot', CONSTRAINT = 'gift_lot_fits_gift';
    END IF;
    PERFORM add_to_tally(more_facts => judged.moved - judged.got);
    RETURN NULL;
END
$$;

CREATE FUNCTION public.judge_gifts() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET debug_print_plan TO 'off'
    AS $$
DECLARE
    salt bigint := tally_salt();
    judged record;
BEGIN
    SELECT min(gift.id) FILTER (
            WHERE sent.id IS NULL OR received.id IS NULL OR sent.transaction_id <> pg_current_xact_id()
                OR received.transaction_id <> pg_current_xact_id() OR gift.recorded_at <> sent.recorded_at) AS misfit,
        sum(hashtextextended(sent.id || '/' || sent.stripe, salt)::numeric * hashtextextended(
                CASE WHEN gift.purchase_id IS NULL THEN 'gift_sent' ELSE 'gift_taken_back' END || '/gift:' || gift.id, salt)
            + hashtextextended(received.id || '/' || received.stripe, salt)::numeric * hashtextextended(
                CASE WHEN gift.purchase_id IS NULL THEN 'gift_received' ELSE 'gift_returned' END || '/gift:' || gift.id,
                salt)) AS entries,
        sum((hashtextextended(sent.id || '/' || sent.stripe, salt)::numeric
                - hashtextextended(received.id || '/' || received.stripe, salt)) * (
                gift.coins * hashtextextended('clearing:coins', salt)::numeric
                + gift.amount * hashtextextended('clearing:won', salt)::numeric)
            + gift.coins * hashtextextended('gift coins/' || gift.id, salt)::numeric
            + gift.amount * hashtextextended('gift won/' || gift.id, salt)::numeric) AS facts
        INTO judged
        FROM new_gift AS gift
        LEFT JOIN journal_entry AS sent ON sent.id = gift.sent_entry_id
        LEFT JOIN journal_entry AS received ON received.id = gift.received_entry_id;
    IF judged.misfit IS NOT NULL THEN
        RAISE EXCEPTION 'gift % does not fit its journal entries', judged.misfit
            USING ERRCODE = 'foreign_key_violation', TABLE = 'gift', CONSTRAINT = 'gift_fits_entries';
    END IF;
    PERFORM add_to_tally(more_entries => -judged.entries, more_facts => -judged.facts);
    RETURN NULL;
END
$$;

CREATE FUNCTION public.judge_grant_voids() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET debug_print_plan TO 'off'
    AS $$
DECLARE
    salt bigint := tally_salt();
    judged record;
BEGIN
    SELECT min(void.journal_entry_id) FILTER (
            WHERE lot.id IS NULL OR entry.id IS NULL OR lot.purchase_id IS NOT NULL OR lot.origin_id IS NOT NULL
                OR entry.stripe <> lot.stripe OR entry.transaction_id <> pg_current_xact_id() OR entry.kind <> 'grant_void'
                OR entry.reference <> 'lot:' || lot.id OR entry.reverses IS DISTINCT FROM lot.journal_entry_id
                OR taken.coins IS DISTINCT FROM void.coins OR void.is_whole AND taken.remaining <> 0
                OR void.reversal_id IS NOT NULL AND NOT (
                    EXISTS (SELECT FROM grant_void AS whole WHERE whole.lot_id = void.lot_id AND whole.is_whole OFFSET 0)
                    AND EXISTS (
                        SELECT FROM journal_entry AS reversal
                        WHERE reversal.id = void.reversal_id AND reversal.transaction_id = pg_current_xact_id()
                            AND reversal.kind = ANY (ARRAY(SELECT kind FROM entry_kind WHERE fact = 'coin_return'))
                        OFFSET 0)))
            AS misfit,
        sum(hashtextextended(entry.id || '/' || entry.stripe, salt)::numeric * void.coins
            * hashtextextended('coins:promotions', salt)) AS facts,
        sum(hashtextextended(entry.id || '/' || entry.stripe, salt)::numeric
            * hashtextextended(entry.kind || '/' || entry.reference, salt)) AS entries
        INTO judged
        FROM new_void AS void
        LEFT JOIN lot ON lot.id = void.lot_id
        LEFT JOIN journal_entry AS entry ON entry.id = void.journal_entry_id
        LEFT JOIN LATERAL (
            SELECT moved.remaining, coalesce(before.remaining, lot.coins) - moved.remaining AS coins
            FROM entry_movements(void.lot_id, void.journal_entry_id, 1) AS moved
            LEFT JOIN LATERAL (
                SELECT remaining FROM lot_movement
                WHERE lot_movement.lot_id = void.lot_id AND lot_movement.seq = moved.seq - 1 OFFSET 0
            ) AS before ON true
        ) AS taken ON true;
    IF judged.misfit IS NOT NULL THEN
        RAISE EXCEPTION 'the void of a grant by entry % does not fit it', judged.misfit
            USING ERRCODE = 'foreign_key_violation', TABLE = 'grant_void', CONSTRAINT = 'grant_void_fits_lot';
    END IF;
    UPDATE lot SET is_voided = true FROM new_void AS void
    WHERE lot.id = void.lot_id AND void.is_whole AND NOT lot.is_voided;
    PERFORM add_to_tally(more_entries => -judged.entries, more_facts => -judged.facts);
    RETURN NULL;
END
$$;

CREATE FUNCTION public.judge_hold_events() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET debug_print_plan TO 'off'
    AS $$
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
        PERFORM FROM (SELECT DISTINCT hold_id FROM new_hold_event ORDER BY hold_id) AS event
            CROSS JOIN LATERAL (SELECT FROM hold WHERE hold.id = event.hold_id FOR NO KEY UPDATE) AS locked;
        UPDATE hold
        SET captured = hold.captured + event.captured, released = hold.released + event.released,
            status = coalesce(event.status, 'open'), closed_at = CASE WHEN event.status IS NOT NULL THEN event.at END
        FROM (
            SELECT event.hold_id, sum(event.captured)::bigint AS captured, sum(event.released)::bigint AS released,
                max(event.status) FILTER (WHERE event.status <> 'open') AS status, max(entry.recorded_at) AS at
            FROM new_hold_event AS event
            CROSS JOIN LATERAL (
                SELECT recorded_at FROM journal_entry WHERE journal_entry.id = event.journal_entry_id OFFSET 0
            ) AS entry
            GROUP BY event.hold_id
        ) AS event
        CROSS JOIN LATERAL (SELECT ctid, status FROM hold WHERE hold.id = event.hold_id OFFSET 0) AS found
        WHERE hold.ctid = found.ctid AND found.status = 'open';
        GET DIAGNOSTICS changed = ROW_COUNT;
    END IF;
    IF moved.misfit IS NOT NULL OR changed <> moved.holds THEN
        RAISE EXCEPTION 'what becomes of a hold does not fit it or its journal entry'
            USING ERRCODE = 'foreign_key_violation', TABLE = 'hold_event', CONSTRAINT = 'hold_event_fits_hold';
    END IF;
    WITH changed AS (
        UPDATE hold_lot SET held = after.held
        FROM (
            SELECT line.ctid, line.held AS held_before,
                least(line.coins, greatest(0, line.up_to - hold.captured - hold.released))::bigint AS held
            FROM (SELECT DISTINCT hold_id FROM new_hold_event) AS event
            CROSS JOIN LATERAL (SELECT captured, released FROM hold WHERE hold.id = event.hold_id OFFSET 0) AS hold
            CROSS JOIN LATERAL (
                SELECT ctid, coins, held, sum(coins) OVER (ORDER BY place) AS up_to FROM hold_lot
                WHERE hold_lot.hold_id = event.hold_id OFFSET 0
            ) AS line
        ) AS after
        WHERE hold_lot.ctid = after.ctid AND after.held_before <> after.held
        RETURNING hold_lot.lot_id, after.held_before - after.held AS gone
    )
    SELECT sum(gone * hashtextextended('lot:' || lot_id, salt)::numeric) INTO lots FROM changed;
    PERFORM add_to_tally(more_entries => -moved.entries, more_facts => moved.facts, more_holds => lots);
    RETURN NULL;
END
$$;

CREATE FUNCTION public.judge_hold_lots() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET debug_print_plan TO 'off'
    AS $$
DECLARE
    salt bigint := tally_salt();
BEGIN
    -- Also when its hold is of another transaction, or has moved.
    IF EXISTS (
        SELECT FROM new_hold_lot WHERE held <> coins
    ) OR EXISTS (
        SELECT FROM (SELECT DISTINCT hold_id FROM new_hold_lot) AS placed
        LEFT JOIN LATERAL (
            SELECT journal_entry_id FROM hold
            WHERE hold.id = placed.hold_id AND hold.captured = 0 AND hold.released = 0 OFFSET 0
        ) AS hold ON true
        LEFT JOIN LATERAL (
            SELECT transaction_id FROM journal_entry WHERE journal_entry.id = hold.journal_entry_id OFFSET 0
        ) AS entry ON true
        WHERE entry.transaction_id IS DISTINCT FROM pg_current_xact_id()
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

CREATE FUNCTION public.judge_holds() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET debug_print_plan TO 'off'
    AS $$
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

CREATE FUNCTION public.judge_lot_movements() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET debug_print_plan TO 'off'
    AS $$
DECLARE
    salt bigint := tally_salt();
    entries_recorded_at timestamptz := tally_recorded_at();
    moved record;
BEGIN
    -- A merge leaves closed lots as they are: one that coins come back into is the user's from now on.
    IF EXISTS (SELECT FROM user_alias) THEN
        UPDATE lot SET user_id = alias.user_id, stripe = alias.stripe
        FROM (SELECT DISTINCT lot_id FROM new_lot_movement) AS movement
        CROSS JOIN LATERAL (SELECT id, user_id FROM lot WHERE lot.id = movement.lot_id OFFSET 0) AS found
        CROSS JOIN LATERAL (
            SELECT user_id, stripe FROM user_alias WHERE user_alias.former = found.user_id OFFSET 0
        ) AS alias
        WHERE lot.id = found.id;
    END IF;
    SELECT min(lot_id) FILTER (
            WHERE lot_stripe IS NULL OR lot_stripe <> stripe OR recorded_at IS DISTINCT FROM entries_recorded_at
                OR seq <> seq_before + 1 OR held <> held_before AND entry_kind IS NULL
                OR (remaining, held, deferred, expired, breakage, taxed)
                    = (remaining_before, held_before, deferred_before, expired_before, breakage_before, taxed_before)
                OR NOT CASE WHEN breakage > breakage_before
                    THEN taxed_breakage - taxed_breakage_before IN (0, breakage - breakage_before)
                    ELSE taxed_breakage_before - taxed_breakage BETWEEN 0 AND breakage_before - breakage END
                OR CASE WHEN remaining > remaining_before AND held = held_before
                    -- Coins that come back of a spend or capture, or expired coins for a refund: what came back is a
                    -- fact of its own.
                    THEN deferred < deferred_before OR CASE WHEN expired < expired_before
                        THEN remaining::numeric + expired <> remaining_before::numeric + expired_before
                            OR deferred::numeric + breakage <> deferred_before::numeric + breakage_before
                        ELSE (expired, breakage) <> (expired_before, breakage_before) END
                    ELSE remaining::numeric + held > remaining_before::numeric + held_before
                        OR remaining::numeric + held + expired > remaining_before::numeric + held_before + expired_before
                        OR deferred > deferred_before
                        OR deferred::numeric + breakage > deferred_before::numeric + breakage_before END
                OR returned_at IS DISTINCT FROM
                    CASE WHEN remaining > remaining_before THEN recorded_at ELSE returned_before END
                OR remaining IS NULL OR held IS NULL OR deferred IS NULL OR expired IS NULL OR breakage IS NULL)
            AS misfit,
        sum(hashtextextended(journal_entry_id || '/' || stripe, salt)::numeric * (
            (remaining - remaining_before) * hashtextextended('wallet:' || user_id || ':' || kind, salt)::numeric
            + (held - held_before) * hashtextextended('held:' || user_id || ':' || kind, salt)::numeric
            + (deferred - deferred_before) * hashtextextended('coins:deferred-revenue', salt)::numeric
            + (expired - expired_before) * hashtextextended('coins:expired', salt)::numeric
            + (breakage - breakage_before - CASE WHEN taxed_breakage + taxed_breakage_before = 0 THEN 0
                ELSE lot_vat_breakage(vat, taxed, taxed_breakage)
                    - lot_vat_breakage(vat, taxed_before, taxed_breakage_before) END)
                * hashtextextended('revenue:breakage', salt)::numeric)) AS lots,
        sum((held - held_before) * hashtextextended(
            CASE WHEN entry_kind = ANY (ARRAY(SELECT kind FROM entry_kind WHERE fact = 'hold')) THEN 'lot:' || lot_id
                ELSE 'refund/' || purchase_id || '/' || kind END, salt)::numeric) AS holds,
        sum(hashtextextended(journal_entry_id || '/' || stripe, salt)::numeric * CASE WHEN expired < expired_before
            THEN (remaining - remaining_before)
                * hashtextextended('not expired/' || purchase_id || '/' || kind, salt)::numeric
            ELSE (remaining - remaining_before) * hashtextextended('back/' || lot_id, salt)::numeric
                + (deferred - deferred_before) * hashtextextended('won back/' || lot_id, salt)::numeric END)
            FILTER (WHERE remaining > remaining_before AND held = held_before) AS returned
        INTO moved
        FROM (
            SELECT new_movement.*, lot.stripe AS lot_stripe, lot.user_id, lot.kind, lot.purchase_id, lot.vat,
                -- Seldom asked: most movements leave what is held as it is.
                CASE WHEN new_movement.held <> coalesce(lag(new_movement.held) OVER earlier, lot.held) THEN (
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
                coalesce(lag(new_movement.breakage) OVER earlier, lot.breakage) AS breakage_before,
                coalesce(lag(new_movement.taxed) OVER earlier, lot.taxed) AS taxed_before,
                coalesce(lag(new_movement.taxed_breakage) OVER earlier, lot.taxed_breakage) AS taxed_breakage_before
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
        breakage = last.breakage, returned_at = last.returned_at, taxed = last.taxed,
        taxed_breakage = last.taxed_breakage, seq = last.seq
    FROM (SELECT DISTINCT ON (lot_id) * FROM new_lot_movement ORDER BY lot_id, seq DESC) AS last
    WHERE lot.id = last.lot_id;
    PERFORM add_to_tally(more_lots => -moved.lots, more_facts => moved.returned, more_holds => moved.holds);
    RETURN NULL;
END
$$;

CREATE FUNCTION public.judge_lots() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET debug_print_plan TO 'off'
    AS $_$
DECLARE
    salt bigint := tally_salt();
    made record;
BEGIN
    SELECT min(id) FILTER (
            WHERE remaining <> coins OR deferred <> amount OR held <> 0 OR expired <> 0 OR breakage <> 0 OR seq <> 0
                OR returned_at IS NOT NULL OR taxed <> began_taxed OR taxed_breakage <> 0 OR is_voided
                -- Of a given lot it is judged by the gift.
                OR origin_id IS NULL AND (began_taxed <> 0 OR origin_purchase_id IS NOT NULL)
                OR origin_id IS NOT NULL AND purchase_id IS NOT NULL) AS begun,
        min(id) FILTER (WHERE user_id ~ '^forgotten-[0-9a-f]{32}$') AS forgotten,
        sum(hashtextextended(journal_entry_id || '/' || stripe, salt)::numeric * (
            coins * hashtextextended('wallet:' || user_id || ':' || kind, salt)::numeric
            + amount * hashtextextended('coins:deferred-revenue', salt)::numeric)) AS lots,
        sum(hashtextextended(journal_entry_id || '/' || stripe, salt)::numeric * CASE WHEN origin_id IS NULL
            THEN coins * hashtextextended('coins:promotions', salt)::numeric
            ELSE coins * hashtextextended('given/' || id, salt)::numeric
                + amount * hashtextextended('given won/' || id, salt)::numeric END) FILTER (WHERE purchase_id IS NULL) AS facts,
        sum(hashtextextended(purchase_id || '/' || journal_entry_id || '/' || user_id, salt)::numeric * (
            amount * hashtextextended('amount', salt)::numeric + coins * hashtextextended(kind, salt)::numeric
            + hashtextextended('lots', salt))) AS purchases
        INTO made FROM new_lot;
    IF made.begun IS NOT NULL THEN
        RAISE EXCEPTION 'lot % begins as one of which something is gone', made.begun
            USING ERRCODE = 'check_violation', TABLE = 'lot', CONSTRAINT = 'lot_begins_whole';
    END IF;
    IF made.forgotten IS NOT NULL THEN
        RAISE EXCEPTION 'lot % is of a user who was forgotten', made.forgotten
            USING ERRCODE = 'check_violation', TABLE = 'lot', CONSTRAINT = 'user_is_not_forgotten';
    END IF;
    PERFORM add_to_tally(more_lots => -made.lots, more_facts => made.facts, more_purchases => -made.purchases);
    RETURN NULL;
END
$_$;

CREATE FUNCTION public.judge_order() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM foreign_currency WHERE code = NEW.currency) THEN
        RAISE EXCEPTION 'the order % is in %, of which no rate was published', NEW.merchant_uid, NEW.currency
            USING ERRCODE = 'foreign_key_violation', TABLE = 'order', CONSTRAINT = 'order_currency_known';
    END IF;
    RETURN NEW;
END
$$;

CREATE FUNCTION public.judge_outcomes() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.judge_paid_payout() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    IF EXISTS (
        SELECT FROM payout_item AS item
        LEFT JOIN (
            SELECT provider, sum(amount) AS amount, sum(tax) AS tax FROM payout_entry
            WHERE payout_id = NEW.payout_id GROUP BY provider
        ) AS booked USING (provider)
        WHERE item.payout_id = NEW.payout_id AND (booked.amount IS DISTINCT FROM item.amount
            OR booked.tax IS DISTINCT FROM item.income_tax + item.local_tax)
    ) THEN
        RAISE EXCEPTION 'payout % is paid but not booked whole', NEW.payout_id
            USING ERRCODE = 'check_violation', TABLE = 'payout_decision', CONSTRAINT = 'payout_booked_whole';
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.judge_payment_name() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.judge_payout_decision() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    decided payout;
BEGIN
    SELECT * INTO decided FROM payout WHERE id = NEW.payout_id FOR UPDATE;
    IF NEW.decision = 'approved' AND person_of(decided.proposed_by) = person_of(NEW.decided_by) THEN
        RAISE EXCEPTION 'another person than the proposer approves payout %', NEW.payout_id
            USING ERRCODE = 'check_violation', TABLE = 'payout_decision', CONSTRAINT = 'payout_approved_by_another';
    ELSIF (NEW.decision, decided.status) NOT IN (
        ('approved', 'proposed'), ('paid', 'approved'), ('withdrawn', 'proposed'), ('withdrawn', 'approved'))
    THEN
        RAISE EXCEPTION 'payout % is %', NEW.payout_id, decided.status
            USING ERRCODE = 'check_violation', TABLE = 'payout_decision', CONSTRAINT = 'payout_decision_fits_payout';
    END IF;
    UPDATE payout SET status = NEW.decision WHERE id = NEW.payout_id;
    IF NEW.decision = 'withdrawn' THEN
        UPDATE provider_share SET payout_id = NULL WHERE payout_id = NEW.payout_id;
        UPDATE provider_repayment SET payout_id = NULL WHERE payout_id = NEW.payout_id;
    END IF;
    PERFORM record_occurrence(
        'payout.' || NEW.decision, 'payout:' || NEW.payout_id, NULL,
        payout_detail(NEW.payout_id, NEW.decided_by, NEW.paid_at, NEW.bank_reference));
    RETURN NULL;
END
$$;

CREATE FUNCTION public.judge_payout_entries() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET debug_print_plan TO 'off'
    AS $$
DECLARE
    salt bigint := tally_salt();
    misfit bigint;
    entries numeric;
    facts numeric;
BEGIN
    SELECT min(told.journal_entry_id) FILTER (
            WHERE entry.id IS NULL OR entry.transaction_id <> pg_current_xact_id() OR entry.kind <> 'payout'
                OR entry.reference <> 'payout:' || told.payout_id OR entry.stripe <> told.stripe
                OR payout.status IS DISTINCT FROM 'paid' OR told.amount IS DISTINCT FROM part.amount),
        sum(hashtextextended(told.journal_entry_id || '/' || told.stripe, salt)::numeric
            * hashtextextended('payout/payout:' || told.payout_id, salt)),
        sum(hashtextextended(told.journal_entry_id || '/' || told.stripe, salt)::numeric * (
            told.amount * hashtextextended('payable:' || told.provider, salt)::numeric
            - (told.amount - told.tax) * hashtextextended('bank', salt)::numeric
            - told.tax * hashtextextended('tax:withholding-payable', salt)::numeric))
        INTO misfit, entries, facts
        FROM new_entry AS told
        LEFT JOIN journal_entry AS entry ON entry.id = told.journal_entry_id
        LEFT JOIN payout ON payout.id = told.payout_id
        LEFT JOIN payout_part AS part ON part.payout_id = told.payout_id AND part.provider = told.provider
            AND part.stripe = told.stripe;
    IF misfit IS NOT NULL THEN
        RAISE EXCEPTION 'entry % does not pay what its payout says', misfit
            USING ERRCODE = 'foreign_key_violation', TABLE = 'payout_entry', CONSTRAINT = 'payout_entry_fits_payout';
    END IF;
    PERFORM add_to_tally(more_entries => -entries, more_facts => facts);
    RETURN NULL;
END
$$;

CREATE FUNCTION public.judge_postings() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET debug_print_plan TO 'off'
    AS $$
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

CREATE FUNCTION public.judge_proposal() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    alike text[] := targets_alike(NEW.target);
    shown bigint; -- the proposal that the proposer has seen
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended(alike[1], 7810759524241990516));
    SELECT id INTO shown FROM approval WHERE id = NEW.beside AND target = ANY (alike);
    IF EXISTS (
        SELECT FROM approval
        WHERE target = ANY (alike) AND status IN ('waiting', 'approved') AND id > coalesce(shown, 0)
            AND key <> NEW.key)
    THEN
        RAISE EXCEPTION 'a proposal about % is open', NEW.target
            USING ERRCODE = 'unique_violation', TABLE = 'approval', CONSTRAINT = 'approval_open_once';
    END IF;
    IF NEW.beside IS NOT NULL AND shown IS NULL THEN
        RAISE EXCEPTION 'proposal % is not about %', NEW.beside, NEW.target
            USING ERRCODE = 'foreign_key_violation', TABLE = 'approval', CONSTRAINT = 'approval_beside_of_object';
    END IF;
    RETURN NEW;
END
$$;

CREATE FUNCTION public.judge_provider_account() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    IF is_forgetting() THEN
        RETURN NEW;
    END IF;
    IF (OLD.status, NEW.status) NOT IN (('proposed', 'approved'), ('proposed', 'withdrawn'), ('approved', 'erased'))
        OR NEW.account <> OLD.account
        OR OLD.approved_by IS NOT NULL AND (OLD.approved_by, OLD.approved_at)
            IS DISTINCT FROM (NEW.approved_by, NEW.approved_at)
    THEN
        RAISE EXCEPTION 'account % is % and can''t become %', OLD.id, OLD.status, NEW.status
            USING ERRCODE = 'check_violation', TABLE = 'provider_account', CONSTRAINT = 'provider_account_approved_once';
    END IF;
    IF NEW.status = 'approved' AND person_of(NEW.approved_by) = person_of(OLD.proposed_by) THEN
        RAISE EXCEPTION 'another person than the proposer approves account %', OLD.id
            USING ERRCODE = 'check_violation', TABLE = 'provider_account',
                CONSTRAINT = 'provider_account_by_another_person';
    END IF;
    RETURN NEW;
END
$$;

CREATE FUNCTION public.judge_provider_repayments() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET debug_print_plan TO 'off'
    AS $$
DECLARE
    salt bigint := tally_salt();
    misfit bigint;
    entries numeric;
    facts numeric;
BEGIN
    SELECT min(told.journal_entry_id) FILTER (
            WHERE entry.id IS NULL OR entry.transaction_id <> pg_current_xact_id()
                OR entry.kind <> 'provider_repayment' OR entry.reference <> 'provider:' || told.provider
                OR entry.stripe <> told.stripe OR entry.recorded_at <> told.recorded_at),
        sum(hashtextextended(told.journal_entry_id || '/' || told.stripe, salt)::numeric
            * hashtextextended('provider_repayment/provider:' || told.provider, salt)),
        sum(hashtextextended(told.journal_entry_id || '/' || told.stripe, salt)::numeric * told.amount
            * (hashtextextended('bank', salt)::numeric - hashtextextended('payable:' || told.provider, salt)))
        INTO misfit, entries, facts
        FROM new_repayment AS told
        LEFT JOIN journal_entry AS entry ON entry.id = told.journal_entry_id;
    IF misfit IS NOT NULL THEN
        RAISE EXCEPTION 'entry % does not book what a provider paid back', misfit
            USING ERRCODE = 'foreign_key_violation', TABLE = 'provider_repayment',
                CONSTRAINT = 'provider_repayment_fits_entry';
    END IF;
    PERFORM add_to_tally(more_entries => -entries, more_facts => facts);
    RETURN NULL;
END
$$;

CREATE FUNCTION public.judge_provider_shares() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET debug_print_plan TO 'off'
    AS $$
DECLARE
    salt bigint := tally_salt();
    misfit bigint;
    facts numeric;
BEGIN
    -- Whoever reverses a part of the same capture meanwhile was waited for by the judge of the coins that come back.
    SELECT min(told.journal_entry_id) FILTER (
            WHERE entry.id IS NULL OR capture.journal_entry_id IS NULL OR entry.stripe <> told.stripe
                OR entry.transaction_id <> pg_current_xact_id() OR entry.recorded_at <> told.recorded_at
                OR terms.provider <> told.provider OR terms.role <> 'agent' AND told.vat <> 0
                OR CASE WHEN told.journal_entry_id = told.capture_id
                    THEN entry.kind <> 'capture'
                        OR terms.id <> coalesce(
                            (SELECT max(id) FROM provider_terms
                                WHERE provider = told.provider AND product = told.product),
                            (SELECT max(id) FROM provider_terms WHERE provider = told.provider AND product IS NULL))
                        OR told.share <> div(told.amount::numeric * terms.share, 10000)
                    ELSE entry.kind <> 'capture_reversal' OR entry.reverses IS DISTINCT FROM told.capture_id
                        OR told.product IS NOT NULL
                        OR (capture.provider, capture.terms_id) <> (told.provider, told.terms_id)
                        OR told.amount IS DISTINCT FROM (
                            SELECT sum(amount) FROM coin_return WHERE journal_entry_id = told.journal_entry_id) END),
        sum(CASE WHEN told.journal_entry_id = told.capture_id THEN -1 ELSE 1 END
            * hashtextextended(told.journal_entry_id || '/' || told.stripe, salt)::numeric * (
                told.share * hashtextextended('payable:' || told.provider, salt)::numeric
                + CASE terms.role
                    WHEN 'agent' THEN
                        (told.amount - told.share - told.vat) * hashtextextended('revenue:commission', salt)::numeric
                    ELSE -told.share * hashtextextended('cost:providers', salt)::numeric END))
        INTO misfit, facts
        FROM new_share AS told
        LEFT JOIN journal_entry AS entry ON entry.id = told.journal_entry_id
        LEFT JOIN provider_share AS capture
            ON capture.journal_entry_id = told.capture_id AND capture.capture_id = told.capture_id
        LEFT JOIN provider_terms AS terms ON terms.id = told.terms_id;
    IF misfit IS NULL THEN
        SELECT kept.capture_id INTO misfit
            FROM (
                SELECT share.capture_id, max(share.terms_id) AS terms_id,
                    sum(CASE WHEN share.journal_entry_id = share.capture_id THEN amount ELSE -amount END) AS amount,
                    sum(CASE WHEN share.journal_entry_id = share.capture_id THEN share ELSE -share END) AS share
                FROM provider_share AS share
                WHERE share.capture_id IN (SELECT capture_id FROM new_share WHERE journal_entry_id <> capture_id)
                GROUP BY share.capture_id
            ) AS kept
            JOIN provider_terms AS terms ON terms.id = kept.terms_id
            WHERE kept.amount < 0 OR kept.share <> div(kept.amount * terms.share, 10000)
            LIMIT 1;
    END IF;
    IF misfit IS NOT NULL THEN
        RAISE EXCEPTION 'the provider''s share of or by entry % does not fit it or the terms', misfit
            USING ERRCODE = 'foreign_key_violation', TABLE = 'provider_share',
                CONSTRAINT = 'provider_share_fits_capture';
    END IF;
    PERFORM add_to_tally(more_facts => facts);
    RETURN NULL;
END
$$;

CREATE FUNCTION public.judge_purchases() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET debug_print_plan TO 'off'
    AS $$
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

CREATE FUNCTION public.judge_rate() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    IF NEW.version <> coalesce((
        SELECT max(version) FROM rate WHERE currency = NEW.currency AND day = NEW.day), 0) + 1
    THEN
        RAISE EXCEPTION 'version % of the rate of % for % does not follow the last one', NEW.version, NEW.currency, NEW.day
            USING ERRCODE = 'check_violation', TABLE = 'rate', CONSTRAINT = 'rate_versions_follow';
    END IF;
    IF NEW.approved_by IS NOT NULL AND NOT EXISTS (
        SELECT FROM rate_proposal AS proposed
        WHERE proposed.currency = NEW.currency AND proposed.day = NEW.day AND proposed.version = NEW.version
            AND (proposed.value, proposed.scale, proposed.per, proposed.source)
                = (NEW.value, NEW.scale, NEW.per, NEW.source)
            AND (proposed.proposed_by, proposed.proposed_at, proposed.decided_by)
                = (NEW.set_by, NEW.set_at, NEW.approved_by))
    THEN
        RAISE EXCEPTION 'nobody approved this rate of % for %', NEW.currency, NEW.day
            USING ERRCODE = 'foreign_key_violation', TABLE = 'rate', CONSTRAINT = 'rate_fits_proposal';
    END IF;
    IF NEW.approved_by IS NULL
        AND rate_needs_second_person(NEW.currency, NEW.day, NEW.value, NEW.scale, NEW.per, NEW.published_at, NEW.id)
    THEN
        RAISE EXCEPTION 'the rate of % for % is for two people', NEW.currency, NEW.day
            USING ERRCODE = 'check_violation', TABLE = 'rate', CONSTRAINT = 'rate_has_second_person';
    END IF;
    RETURN NEW;
END
$$;

CREATE FUNCTION public.judge_rate_proposal() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    IF is_forgetting() THEN
        RETURN NEW;
    END IF;
    IF OLD.status <> 'waiting' THEN
        RAISE EXCEPTION 'the proposed rate % is % and can''t become %', OLD.id, OLD.status, NEW.status
            USING ERRCODE = 'check_violation', TABLE = 'rate_proposal', CONSTRAINT = 'rate_proposal_decided_once';
    END IF;
    IF NEW.status = 'published' AND person_of(NEW.decided_by) = person_of(OLD.proposed_by) THEN
        RAISE EXCEPTION 'another person than the proposer approves the rate %', OLD.id
            USING ERRCODE = 'check_violation', TABLE = 'rate_proposal',
                CONSTRAINT = 'rate_proposal_by_another_person';
    END IF;
    RETURN NEW;
END
$$;

CREATE FUNCTION public.judge_refund_decisions() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET debug_print_plan TO 'off'
    AS $$
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
                OR (decision.repaid_at IS NULL) <> (decision.status <> 'reversed' OR refund.status <> 'completed')
                OR CASE refund.method || ' ' || decision.status
                    WHEN 'gateway refused' THEN refund.status <> 'pending' OR entry.kind <> 'refund_release'
                    WHEN 'gateway completed' THEN refund.status = 'completed' OR entry.kind <> 'refund'
                        OR NOT coalesce(
                            NOT reversal.is_transfer AND reversal.purchase_id = refund.purchase_id
                            AND reversal.foreign_amount IS NOT DISTINCT FROM refund.foreign_amount
                            AND reversal.amount = refund.amount AND reversal.charged_coins = refund.bonus_charged
                            AND reversal.coins = refund.coins - refund.bonus_charged
                            AND reversal.bonus_coins = refund.bonus_coins + refund.bonus_charged, false)
                    WHEN 'bank_transfer completed' THEN refund.status <> 'approved' OR entry.kind <> 'refund_payment'
                    WHEN 'bank_transfer reversed' THEN refund.status NOT IN ('approved', 'completed')
                        OR entry.kind <> 'refund_reversal'
                        OR NOT coalesce(
                            entry.reverses = refund.reversal_entry_id AND reversal.purchase_id = refund.purchase_id
                            AND reversal.amount = -refund.amount AND reversal.charged_coins = -refund.bonus_charged
                            AND reversal.coins = refund.bonus_charged - refund.coins
                            AND reversal.bonus_coins = -refund.bonus_coins - refund.bonus_charged, false)
                    ELSE true END),
        sum(hashtextextended(decision.journal_entry_id || '/' || entry.stripe, salt)::numeric * (
            CASE refund.status WHEN 'pending' THEN refund.coins + refund.bonus_coins ELSE 0 END
                * hashtextextended('held:' || refund.user_id, salt)::numeric
            + (refund.fee - coalesce(refund.fee_vat, 0)) * hashtextextended('revenue:refund-fees', salt)::numeric * CASE
                WHEN decision.status = 'reversed' THEN 1
                WHEN decision.status = 'completed' AND refund.method = 'gateway' THEN -1 ELSE 0 END
            + CASE WHEN entry.kind = 'refund_payment' THEN refund.amount
                WHEN decision.repaid_at IS NOT NULL THEN -refund.amount ELSE 0 END * (
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
        LEFT JOIN LATERAL (
            SELECT * FROM purchase_reversal WHERE journal_entry_id = decision.journal_entry_id OFFSET 0
        ) AS reversal ON true;
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
        paid_at = coalesce(decision.paid_at, refund.paid_at),
        bank_reference = coalesce(decision.bank_reference, refund.bank_reference),
        repaid_at = decision.repaid_at, repayment_reference = decision.repayment_reference
    FROM new_decision AS decision
    JOIN journal_entry AS entry ON entry.id = decision.journal_entry_id
    WHERE refund.id = decision.refund_id;
    -- What still goes back by bank transfer and what the gateway had cancelled are together no more than was paid. num_nulls: a
    -- plan made when few findings were open would read finding_open as a whole for `IS NULL`.
    UPDATE finding
    SET kinds = CASE kinds WHEN ARRAY['refunded_twice'] THEN kinds ELSE array_remove(kinds, 'refunded_twice') END,
        resolved_at = CASE kinds WHEN ARRAY['refunded_twice'] THEN now() END
    FROM new_decision AS decision
    JOIN refund ON refund.id = decision.refund_id
    JOIN purchase ON purchase.id = refund.purchase_id
    WHERE decision.status = 'reversed' AND finding.imp_uid = purchase.imp_uid AND finding.gateway = purchase.gateway
        AND num_nulls(finding.resolved_at) = 1 AND 'refunded_twice' = ANY(finding.kinds)
        AND purchase.transferred_amount
            <= purchase.amount - least(coalesce(finding.cancelled_amount, purchase.amount), purchase.amount);
    PERFORM add_to_tally(more_entries => -entries, more_facts => facts, more_holds => holds);
    RETURN NULL;
END
$$;

CREATE FUNCTION public.judge_refunds() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET debug_print_plan TO 'off'
    AS $$
DECLARE
    salt bigint := tally_salt();
    begun record;
BEGIN
    SELECT min(refund.id) FILTER (
            WHERE entry.id IS NULL OR entry.stripe <> refund.stripe
                OR entry.reference <> 'refund:' || refund.id OR entry.transaction_id <> pg_current_xact_id()
                OR purchase.id IS NULL OR purchase.user_id <> refund.user_id OR purchase.stripe <> refund.stripe
                -- In a foreign currency, its won are those of the part that goes back next (docs/decisions/0230).
                OR (purchase.foreign_currency IS NOT NULL OR refund.foreign_currency IS NOT NULL) AND NOT coalesce(
                    refund.foreign_currency = purchase.foreign_currency
                    AND purchase.gateway <> 'app-store'
                    AND refund.foreign_balance = purchase.foreign_amount - purchase.foreign_refunded
                    AND refund.amount = div(
                        purchase.amount::numeric * (purchase.foreign_refunded + refund.foreign_amount),
                        purchase.foreign_amount) - purchase.refunded_amount
                    AND refund.value = div(
                        purchase.amount::numeric
                            * (purchase.foreign_refunded + refund.foreign_amount + refund.foreign_fee),
                        purchase.foreign_amount) - purchase.refunded_amount, false)
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
            WHEN 'bank_transfer' THEN
                (refund.fee - coalesce(refund.fee_vat, 0)) * hashtextextended('revenue:refund-fees', salt)::numeric
            ELSE (refund.coins + refund.bonus_coins) * hashtextextended('held:' || refund.user_id, salt)::numeric
            END)
            + coalesce(sum(hashtextextended(refund.expiry_reversal_id || '/' || refund.stripe, salt)::numeric
                * refund.expired_coins
                * hashtextextended('not expired/' || refund.purchase_id || '/paid', salt)::numeric), 0) AS facts,
        sum(hashtextextended(refund.journal_entry_id || '/' || refund.stripe, salt)::numeric * hashtextextended(
            CASE refund.method WHEN 'bank_transfer' THEN 'refund' ELSE 'refund_hold' END || '/refund:' || refund.id,
            salt))
            + coalesce(sum(hashtextextended(refund.expiry_reversal_id || '/' || refund.stripe, salt)::numeric
                * hashtextextended('expiry_reversal/refund:' || refund.id, salt)), 0) AS entries,
        sum(refund.coins * hashtextextended('refund/' || purchase.id || '/paid', salt)::numeric
            + refund.bonus_coins * hashtextextended('refund/' || purchase.id || '/bonus', salt)::numeric)
            FILTER (WHERE refund.method = 'gateway') AS holds
        INTO begun
        FROM new_refund AS refund
        LEFT JOIN journal_entry AS entry ON entry.id = refund.journal_entry_id
        LEFT JOIN purchase ON purchase.id = refund.purchase_id
        LEFT JOIN LATERAL (
            SELECT * FROM purchase_reversal WHERE journal_entry_id = refund.reversal_entry_id OFFSET 0
        ) AS reversal ON true;
    IF begun.misfit IS NOT NULL THEN
        RAISE EXCEPTION 'refund % does not fit its journal entry or purchase', begun.misfit
            USING ERRCODE = 'foreign_key_violation', TABLE = 'refund', CONSTRAINT = 'refund_fits_entry_and_purchase';
    END IF;
    PERFORM add_to_tally(
        more_entries => -begun.entries, more_facts => -begun.facts, more_holds => -begun.holds);
    RETURN NULL;
END
$$;

CREATE FUNCTION public.judge_revaluation() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    salt   bigint := tally_salt();
    basis  record; -- of revaluation_basis: a table that a later migration creates than the functions
    since  record;
    weight numeric;
    back   numeric;
BEGIN
    SELECT * INTO basis FROM revaluation_basis WHERE id = NEW.basis_id;
    IF basis.id IS NULL OR basis.currency <> NEW.currency OR basis.month <> NEW.month
        OR NEW.amount <> basis.worth - basis.carried
        OR basis.measured_at < greatest(basis.ends_at, NEW.recorded_at - interval '1 day')
        OR basis.ends_at <= closed_until()
        OR NEW.journal_entry_id IS NOT NULL AND 2 <> (
            SELECT count(*) FROM journal_entry AS entry
            WHERE entry.id IN (NEW.journal_entry_id, NEW.reversal_entry_id)
                AND entry.transaction_id = pg_current_xact_id() AND entry.kind = 'adjustment' AND entry.stripe = 0
                AND entry.reference = 'revaluation:' || NEW.id AND entry.recorded_at = NEW.recorded_at
                AND entry.effective_at = CASE entry.id WHEN NEW.reversal_entry_id THEN basis.ends_at
                    ELSE basis.ends_at - interval '1 microsecond' END)
    THEN
        RAISE EXCEPTION 'revaluation % does not fit what was measured, or its entries', NEW.id
            USING ERRCODE = 'foreign_key_violation', TABLE = 'revaluation', CONSTRAINT = 'revaluation_fits_basis';
    END IF;
    PERFORM pg_advisory_xact_lock_shared(hashtextextended(NEW.currency, 7810759524207391845));
    SELECT due, won, rate_of_month_end(NEW.currency, NEW.month) AS rate_id INTO since
    FROM opened_since(NEW.currency, basis.ends_at, basis.snapshot);
    IF (since.due, since.won, since.rate_id) IS DISTINCT FROM (0, NEW.amount, basis.rate_id) THEN
        RAISE EXCEPTION 'what is open in % at the end of %, or its rate, changed after it was measured', NEW.currency, NEW.month
            USING ERRCODE = 'serialization_failure', TABLE = 'revaluation', CONSTRAINT = 'revaluation_still_fits';
    END IF;
    IF NEW.journal_entry_id IS NOT NULL THEN
        weight := hashtextextended(NEW.journal_entry_id || '/0', salt)::numeric;
        back := hashtextextended(NEW.reversal_entry_id || '/0', salt)::numeric;
        PERFORM add_to_tally(
            more_entries => -(weight + back) * hashtextextended('adjustment/revaluation:' || NEW.id, salt),
            more_facts => (weight - back) * NEW.amount * (
                hashtextextended('fx:clearing:' || NEW.currency || ':KRW', salt)::numeric
                - hashtextextended('fx:unrealised:' || NEW.currency, salt)));
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.judge_reversals() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET debug_print_plan TO 'off'
    AS $$
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

CREATE FUNCTION public.judge_settled_rows() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET debug_print_plan TO 'off'
    AS $$
DECLARE
    salt bigint;
    settled record;
    changed bigint;
BEGIN
    IF is_forgetting() THEN
        RETURN NULL;
    END IF;
    IF NOT EXISTS (SELECT FROM new_row WHERE status = 'settled') THEN
        RETURN NULL;
    END IF;
    salt := tally_salt();
    -- One that was settled before can't be updated at all.
    SELECT min(row.id) FILTER (
            WHERE entry.id IS NULL OR entry.transaction_id <> pg_current_xact_id() OR entry.kind <> 'settlement'
                OR entry.reference <> 'purchase:' || row.purchase_id
                -- What was paid in a foreign currency is settled in it (docs/decisions/0225).
                OR row.foreign_currency IS DISTINCT FROM purchase.foreign_currency
                -- What leaves is the row's own part of the payment, rounded up or down; NULL: it was paid in won.
                OR abs(row.carried::numeric * purchase.foreign_amount - purchase.amount::numeric * row.foreign_gross)
                    >= purchase.foreign_amount) AS misfit,
        count(DISTINCT row.purchase_id) AS purchases,
        sum(hashtextextended(row.journal_entry_id || '/' || entry.stripe, salt)::numeric * (
            CASE WHEN row.foreign_currency IS NULL
                THEN -row.gross * hashtextextended(receivable_of(purchase.gateway), salt)::numeric
                ELSE foreign_settlement_facts(
                    purchase.gateway, row.foreign_currency, row.foreign_gross, row.carried, row.gross, salt) END
            + row.net * hashtextextended('bank', salt)::numeric)) AS facts,
        sum(hashtextextended(entry.id || '/' || entry.stripe, salt)::numeric
            * hashtextextended('settlement/purchase:' || row.purchase_id, salt)) AS entries
        INTO settled
        FROM new_row AS row
        LEFT JOIN journal_entry AS entry ON entry.id = row.journal_entry_id
        LEFT JOIN LATERAL (
            SELECT gateway, foreign_currency, foreign_amount, amount FROM purchase WHERE purchase.id = row.purchase_id OFFSET 0
        ) AS purchase ON true
        WHERE row.status = 'settled';
    -- Constraints of a purchase say which won its settled part is, if it was paid in a foreign currency.
    UPDATE purchase
    SET settled_amount = settled_amount + row.settled,
        foreign_settled = coalesce(foreign_settled, 0) + row.foreign_gross -- NULL: it was paid in won
    FROM (
        SELECT purchase_id, sum(coalesce(carried, gross))::bigint AS settled,
            sum(foreign_gross)::bigint AS foreign_gross
        FROM new_row WHERE status = 'settled' GROUP BY purchase_id
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

CREATE FUNCTION public.judge_settlement_dismissal() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    UPDATE settlement_row SET is_dismissed = true
    WHERE id = NEW.row_id AND payment = NEW.payment AND status = 'unmatched';
    IF NOT FOUND THEN
        RAISE EXCEPTION 'settlement row % is not unmatched, or of another payment', NEW.row_id
            USING ERRCODE = 'check_violation', TABLE = 'settlement_dismissal',
                CONSTRAINT = 'settlement_dismissal_of_unmatched';
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.judge_settlement_dismissal_check() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM settlement_dismissal
        WHERE row_id = NEW.row_id AND payment = NEW.payment
            AND person_of(dismissed_by) <> person_of(NEW.checked_by))
    THEN
        RAISE EXCEPTION 'the dismissal of settlement row % is missing, or of the same person', NEW.row_id
            USING ERRCODE = 'check_violation', TABLE = 'settlement_dismissal_check',
                CONSTRAINT = 'settlement_dismissal_check_of_another';
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.judge_tally() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.judge_top_up() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.judge_top_up_charge() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.judge_user_merge() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
    sent journal_entry;
    received journal_entry;
    moved record;
    salt bigint;
    sent_weight numeric;
    received_weight numeric;
BEGIN
    -- Whoever changes a consent of either waits, and then finds the alias (lock_top_ups).
    PERFORM pg_advisory_xact_lock(hashtextextended('top_up:' || name, 0))
        FROM unnest(ARRAY[NEW.former, NEW.user_id]) AS name ORDER BY name COLLATE "C";
    SELECT * INTO sent FROM journal_entry WHERE id = NEW.sent_entry_id;
    SELECT * INTO received FROM journal_entry WHERE id = NEW.received_entry_id;
    SELECT coalesce(sum(remaining + held), 0)::bigint AS coins, coalesce(sum(held), 0)::bigint AS held INTO moved
        FROM lot WHERE user_id = NEW.former AND is_open;
    IF EXISTS (SELECT FROM user_alias WHERE former IN (NEW.former, NEW.user_id))
        OR NOT is_known_user(NEW.former) OR NEW.is_rename = is_known_user(NEW.user_id, received.id)
        OR moved.coins <> NEW.coins
        OR EXISTS (
            SELECT FROM account
            WHERE owner IN (NEW.former, NEW.user_id) AND code NOT LIKE 'earnings:%' AND code NOT LIKE 'payable:%'
                AND (stripe <> CASE owner WHEN NEW.former THEN NEW.former_stripe ELSE NEW.stripe END
                    OR owner = NEW.former AND balance <> 0))
        OR EXISTS (SELECT FROM top_up_charge WHERE user_id = NEW.former AND status = 'waiting')
        OR EXISTS (SELECT FROM forgetting WHERE user_id IN (NEW.former, NEW.user_id) AND status = 'waiting')
        OR NEW.coins + NEW.debt > 0 AND NOT coalesce(
            sent.transaction_id = pg_current_xact_id() AND received.transaction_id = pg_current_xact_id()
                AND (sent.kind, sent.reference, sent.stripe, sent.reason, sent.recorded_at)
                    = ('merge', 'merge:' || NEW.former, NEW.former_stripe, NEW.reason, NEW.merged_at)
                AND (received.kind, received.reference, received.stripe, received.reason, received.recorded_at)
                    = ('merge', 'merge:' || NEW.former, NEW.stripe, NEW.reason, NEW.merged_at)
                AND sent.id <> received.id, false)
    THEN
        RAISE EXCEPTION 'user % can''t be merged into % as it is said', NEW.former, NEW.user_id
            USING ERRCODE = 'foreign_key_violation', TABLE = 'user_merge', CONSTRAINT = 'user_merge_fits_users';
    END IF;
    -- The user's own consent stays in force. Once there is the alias, the former id means the user.
    IF EXISTS (SELECT FROM top_up WHERE user_id = NEW.user_id AND status <> 'revoked') THEN
        PERFORM revoke_top_up(NEW.former, 'merged', NEW.merged_by);
    END IF;
    IF sent.id IS NOT NULL THEN
        salt := tally_salt();
        sent_weight := hashtextextended(sent.id || '/' || sent.stripe, salt);
        received_weight := hashtextextended(received.id || '/' || received.stripe, salt);
        PERFORM add_to_tally(
            more_entries => -(sent_weight + received_weight) * hashtextextended('merge/merge:' || NEW.former, salt),
            more_lots => (
                SELECT sum(
                    sent_weight * (
                        remaining * hashtextextended('wallet:' || NEW.former || ':' || kind, salt)::numeric
                        + held * hashtextextended('held:' || NEW.former || ':' || kind, salt)::numeric)
                    - received_weight * (
                        remaining * hashtextextended('wallet:' || NEW.user_id || ':' || kind, salt)::numeric
                        + held * hashtextextended('held:' || NEW.user_id || ':' || kind, salt)::numeric))
                FROM lot WHERE user_id = NEW.former AND is_open),
            more_facts => (received_weight - sent_weight) * (NEW.coins - NEW.debt)
                    * hashtextextended('clearing:coins', salt)::numeric
                + moved.held * (sent_weight * hashtextextended('held:' || NEW.former, salt)::numeric
                    - received_weight * hashtextextended('held:' || NEW.user_id, salt)::numeric));
    END IF;
    PERFORM move_campaign_sums(NEW.former, NEW.former_stripe, NEW.stripe);
    UPDATE user_alias SET user_id = NEW.user_id, stripe = NEW.stripe WHERE user_id = NEW.former;
    INSERT INTO user_alias (former, former_stripe, user_id, stripe)
    VALUES (NEW.former, NEW.former_stripe, NEW.user_id, NEW.stripe);
    UPDATE lot SET user_id = NEW.user_id, stripe = NEW.stripe WHERE user_id = NEW.former AND is_open;
    UPDATE refund SET user_id = NEW.user_id, stripe = NEW.stripe
        WHERE purchase_id = ANY (ARRAY(SELECT id FROM purchase WHERE user_id = NEW.former));
    UPDATE dispute SET user_id = NEW.user_id, stripe = NEW.stripe
        WHERE purchase_id = ANY (ARRAY(SELECT id FROM purchase WHERE user_id = NEW.former));
    UPDATE purchase SET user_id = NEW.user_id, stripe = NEW.stripe WHERE user_id = NEW.former;
    UPDATE hold SET user_id = NEW.user_id, stripe = NEW.stripe WHERE user_id = NEW.former;
    -- Both may have named an order by the same key: the user's own stays.
    UPDATE "order" SET user_id = NEW.user_id, idempotency_key = CASE WHEN NOT EXISTS (
            SELECT FROM "order" AS own
            WHERE own.idempotency_key = "order".idempotency_key AND own.user_id = NEW.user_id) THEN idempotency_key END
        WHERE user_id = NEW.former;
    -- A payment that both presented is the user's; the other receipt is kept as it is.
    UPDATE receipt_retry SET user_id = NEW.user_id
        WHERE user_id = NEW.former AND NOT EXISTS (
            SELECT FROM receipt_retry AS own
            WHERE own.user_id = NEW.user_id AND (own.gateway, own.imp_uid, own.merchant_uid)
                = (receipt_retry.gateway, receipt_retry.imp_uid, receipt_retry.merchant_uid));
    UPDATE finding SET user_id = NEW.user_id WHERE user_id = NEW.former;
    UPDATE top_up SET user_id = NEW.user_id WHERE user_id = NEW.former;
    UPDATE top_up_charge SET user_id = NEW.user_id WHERE user_id = NEW.former;
    UPDATE store_account SET user_id = NEW.user_id WHERE user_id = NEW.former;
    UPDATE store_consent SET user_id = NEW.user_id WHERE user_id = NEW.former;
    -- The user's own thresholds stay.
    UPDATE balance_alert SET owner = NEW.user_id
        WHERE owner = NEW.former AND NOT EXISTS (SELECT FROM balance_alert WHERE owner = NEW.user_id);
    DELETE FROM balance_alert WHERE owner = NEW.former;
    -- Whoever gets the former user's events gets the user's.
    UPDATE endpoint SET users = users || NEW.user_id, version = version + 1
        WHERE NEW.former = ANY (users) AND NEW.user_id <> ALL (users) AND status <> 'deleted';
    PERFORM record_occurrence(
        'user.merged', 'user:' || NEW.former, NEW.user_id,
        jsonb_build_object(
            'former_id', NEW.former, 'new_user', NEW.is_rename, 'coins', NEW.coins, 'debt', NEW.debt,
            'merged_by', NEW.merged_by, 'reason', NEW.reason));
    RETURN NULL;
END
$$;

CREATE FUNCTION public.keep_settled_row() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    IF is_forgetting() THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'settlement row % is settled and stays as it is', OLD.id
        USING ERRCODE = 'insufficient_privilege', HINT = 'A row of opposite amounts takes it back.';
END
$$;

CREATE TABLE public.payout (
    id bigint NOT NULL,
    key text NOT NULL,
    cut_off timestamp with time zone NOT NULL,
    asked_cut_off timestamp with time zone,
    providers text[],
    note text,
    proposed_by text NOT NULL,
    proposed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    status text DEFAULT 'proposed'::text NOT NULL,
    CONSTRAINT payout_cut_off_is_over CHECK ((cut_off <= proposed_at)),
    CONSTRAINT payout_status_known CHECK ((status = ANY (ARRAY['proposed'::text, 'approved'::text, 'withdrawn'::text, 'paid'::text])))
);

CREATE FUNCTION public.lock_payouts(ids bigint[]) RETURNS SETOF public.payout
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT * FROM payout WHERE id = ANY (ids) ORDER BY id FOR UPDATE
$$;

CREATE FUNCTION public.lock_top_ups(of_user text) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.lot_vat_breakage(rule text, taxed bigint, taxed_breakage bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT CASE WHEN rule IN ('at_use', 'at_sale')
        THEN greatest(taxed + taxed_breakage, 0) / 11 - greatest(taxed, 0) / 11 ELSE 0 END
$$;

CREATE FUNCTION public.lot_vat_deferred(rule text, taxed bigint, deferred bigint, taxed_breakage bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT CASE rule WHEN 'at_sale' THEN greatest(taxed + deferred + taxed_breakage, 0) / 11
        - greatest(taxed + taxed_breakage, 0) / 11 ELSE 0 END
$$;

CREATE FUNCTION public.lot_vat_payable(rule text, taxed bigint, deferred bigint, taxed_breakage bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT CASE rule WHEN 'at_use' THEN greatest(taxed + taxed_breakage, 0) / 11
        WHEN 'at_sale' THEN greatest(taxed + deferred + taxed_breakage, 0) / 11 ELSE 0 END
$$;

CREATE FUNCTION public.measure_adjustment_basis() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    NEW.ends_at := (make_timestamp(substr(NEW.month, 1, 4)::int, substr(NEW.month, 6, 2)::int, 1, 0, 0, 0)
        + interval '1 month') AT TIME ZONE NEW.zone;
    WITH later AS (
        SELECT posting.account_id, sum(CASE posting.side WHEN 'C' THEN posting.amount ELSE -posting.amount END) AS credited
        FROM journal_entry AS entry
        JOIN posting ON posting.journal_entry_id = entry.id AND posting.journal_entry_id >= (
            SELECT min(id + 0) FROM journal_entry WHERE effective_at >= NEW.ends_at)
        JOIN account ON account.id = posting.account_id AND account.owner IS NULL
            AND account.code LIKE 'coins:deferred-revenue/%'
        WHERE entry.effective_at >= NEW.ends_at
        GROUP BY posting.account_id
    ), expired_later AS (
        SELECT sum(coalesce(moved.breakage, 0) - coalesce(before.breakage, 0)) AS won
        FROM journal_entry AS entry
        JOIN lot_movement AS moved ON moved.journal_entry_id = entry.id
        LEFT JOIN lot_movement AS before ON before.lot_id = moved.lot_id AND before.seq = moved.seq - 1
        WHERE entry.effective_at >= NEW.ends_at
    ), sale AS (
        SELECT count(*) AS purchases, coalesce(sum(lot.amount), 0) AS won
        FROM lot
        JOIN journal_entry AS entry ON entry.id = lot.journal_entry_id
        WHERE lot.kind = 'paid' AND lot.purchase_id IS NOT NULL AND entry.effective_at < NEW.ends_at
    )
    SELECT pg_current_snapshot(), sale.purchases, sale.won,
        (SELECT coalesce(sum(account.balance - coalesce(later.credited, 0)), 0)
            FROM account LEFT JOIN later ON later.account_id = account.id
            WHERE account.owner IS NULL AND account.code LIKE 'coins:deferred-revenue/%'),
        coalesce((SELECT sum(breakage) FROM lot WHERE breakage > 0), 0) - coalesce(expired_later.won, 0)
        INTO NEW.snapshot, NEW.purchases, NEW.sold, NEW.deferred, NEW.expired
        FROM sale, expired_later;
    NEW.id := nextval('record_id');
    RETURN NEW;
END
$$;

CREATE FUNCTION public.measure_revaluation_basis() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    earlier record; -- of revaluation_basis
    quote rate;
BEGIN
    NEW.ends_at := (to_date(NEW.month, 'YYYY-MM')::timestamp + interval '1 month') AT TIME ZONE NEW.zone;
    NEW.measured_at := clock_timestamp();
    -- Without the lock of closings, which would wait for the measurement. The judge of the revaluation has it.
    IF NEW.measured_at < NEW.ends_at OR NEW.ends_at <= (SELECT max(until) FROM closed_period) THEN
        RAISE EXCEPTION '% is not over, or is closed', NEW.month
            USING ERRCODE = 'check_violation', TABLE = 'revaluation_basis', CONSTRAINT = 'revaluation_basis_of_open_month';
    END IF;
    IF NEW.measured_from IS NULL THEN
        SELECT due, won, seen INTO NEW.open, NEW.carried, NEW.snapshot FROM open_before(NEW.currency, NEW.ends_at);
    ELSE
        SELECT * INTO earlier FROM revaluation_basis
        WHERE id = NEW.measured_from AND currency = NEW.currency AND ends_at = NEW.ends_at AND snapshot IS NOT NULL;
        IF earlier.id IS NULL THEN
            RAISE EXCEPTION '% is no measurement of % at the end of %', NEW.measured_from, NEW.currency, NEW.month
                USING ERRCODE = 'foreign_key_violation', TABLE = 'revaluation_basis',
                    CONSTRAINT = 'revaluation_basis_continues_its_own';
        END IF;
        SELECT earlier.open + due, earlier.carried + won, seen INTO NEW.open, NEW.carried, NEW.snapshot
        FROM opened_since(NEW.currency, NEW.ends_at, earlier.snapshot);
    END IF;
    PERFORM pg_advisory_xact_lock_shared(hashtextextended(NEW.currency, 7810759524207391845));
    SELECT * INTO quote FROM rate WHERE id = rate_of_month_end(NEW.currency, NEW.month);
    IF quote.id IS NULL THEN
        RAISE EXCEPTION '% has no rate in the last seven days of %', NEW.currency, NEW.month
            USING ERRCODE = 'check_violation', TABLE = 'revaluation_basis', CONSTRAINT = 'revaluation_basis_has_rate';
    END IF;
    NEW.rate_id := quote.id;
    NEW.last_rate_id := (SELECT max(id) FROM rate WHERE currency = NEW.currency);
    NEW.worth := converted(NEW.open, currency_decimals(NEW.currency), quote.value, quote.scale, quote.per, 0);
    NEW.id := nextval('record_id');
    RETURN NEW;
END
$$;

CREATE FUNCTION public.microseconds(moment timestamp with time zone) RETURNS bigint
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$ SELECT (extract(epoch FROM moment) * 1000000)::bigint $$;

CREATE FUNCTION public.move_campaign_sums(of_user text, from_stripe bigint, to_stripe bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
    part campaign_sum;
BEGIN
    IF from_stripe = to_stripe THEN
        RETURN;
    END IF;
    FOR part IN
        SELECT given.campaign_id, to_stripe, count(*), sum(given.coins), sum(lot.remaining + lot.held), sum(lot.expired),
            coalesce(sum((SELECT sum(coins) FROM grant_void WHERE grant_void.lot_id = given.lot_id)), 0)
        FROM campaign_grant AS given
        CROSS JOIN LATERAL (SELECT * FROM lot WHERE lot.id = given.lot_id OFFSET 0) AS lot
        WHERE given.user_id = ANY (person_ids(of_user))
        GROUP BY given.campaign_id
        ORDER BY given.campaign_id
    LOOP
        UPDATE campaign_sum
        SET users = users - part.users, given = given - part.given, remaining = remaining - part.remaining,
            expired = expired - part.expired, voided = voided - part.voided
        WHERE campaign_id = part.campaign_id AND stripe = from_stripe;
        DELETE FROM campaign_sum WHERE campaign_id = part.campaign_id AND stripe = from_stripe AND users = 0;
        INSERT INTO campaign_sum AS sums SELECT part.*
        ON CONFLICT (campaign_id, stripe) DO UPDATE
        SET users = sums.users + excluded.users, given = sums.given + excluded.given,
            remaining = sums.remaining + excluded.remaining, expired = sums.expired + excluded.expired,
            voided = sums.voided + excluded.voided;
    END LOOP;
END
$$;

CREATE FUNCTION public.new_forgotten_id(of_user text) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    stripes bigint := (SELECT ledger.stripes FROM ledger);
    id text;
BEGIN
    LOOP
        id := 'forgotten-' || encode(substr(
            sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 1, 16), 'hex');
        EXIT WHEN stripe_of_user(id, stripes) = stripe_of_user(of_user, stripes);
    END LOOP;
    RETURN id;
END
$$;

CREATE FUNCTION public.note_reopening() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    NEW.reopened_at := now();
    NEW.ended_by_books := false;
    RETURN NEW;
END
$$;

CREATE FUNCTION public.open_accounts_of_currency(opened text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    WITH block AS MATERIALIZED (SELECT nextval('record_id') AS start)
    INSERT INTO account (id, stripe, code, currency, normal_side)
    SELECT block.start - 1 + row_number() OVER (), number.stripe, new.name || '/' || number.stripe, new.currency,
        new.normal_side
    FROM block, ledger, generate_series(0, ledger.stripes - 1) AS number (stripe),
        (VALUES
            ('gateway:receivable:' || opened, opened, 'D'), ('app-store:receivable:' || opened, opened, 'D'),
            ('google-play:receivable:' || opened, opened, 'D'), ('fx:clearing:' || opened, opened, 'C'),
            ('fx:clearing:' || opened || ':KRW', 'KRW', 'D'), ('fx:gain:' || opened, 'KRW', 'C'),
            ('fx:loss:' || opened, 'KRW', 'D'), ('fx:unrealised:' || opened, 'KRW', 'C')
        ) AS new (name, currency, normal_side)
    WHERE NOT EXISTS (SELECT FROM account WHERE account.code = new.name || '/' || number.stripe);
END
$$;

CREATE FUNCTION public.open_before(of_currency text, moment timestamp with time zone, OUT due bigint, OUT won bigint, OUT seen pg_snapshot) RETURNS record
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    WITH clearing AS (
        SELECT account.id, account.balance, account.normal_side, account.currency
        FROM generate_series(0, (SELECT stripes FROM ledger) - 1) AS number
        CROSS JOIN unnest(ARRAY['', ':KRW']) AS ending
        JOIN account ON account.code = 'fx:clearing:' || of_currency || ending || '/' || number AND account.owner IS NULL
    ), later AS (
        SELECT posting.account_id,
            sum(CASE WHEN posting.side = clearing.normal_side THEN posting.amount ELSE -posting.amount END) AS moved
        FROM journal_entry AS entry
        JOIN posting ON posting.journal_entry_id = entry.id AND posting.journal_entry_id >= (
            SELECT min(id + 0) FROM journal_entry WHERE effective_at >= moment)
        JOIN clearing ON clearing.id = posting.account_id
        WHERE entry.effective_at >= moment
        GROUP BY posting.account_id
    )
    SELECT
        coalesce(sum(clearing.balance - coalesce(later.moved, 0)) FILTER (WHERE clearing.currency <> 'KRW'), 0),
        coalesce(sum(clearing.balance - coalesce(later.moved, 0)) FILTER (WHERE clearing.currency = 'KRW'), 0),
        pg_current_snapshot()
        INTO due, won, seen
        FROM clearing LEFT JOIN later ON later.account_id = clearing.id;
END
$$;

CREATE FUNCTION public.open_currency_of_rate() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    PERFORM open_foreign_currency(NEW.currency);
    RETURN NULL;
END
$$;

CREATE FUNCTION public.open_foreign_currency(opened text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    IF opened = 'KRW' OR currency_decimals(opened) IS NULL THEN
        RAISE EXCEPTION '% is no foreign currency of ISO 4217', opened
            USING ERRCODE = 'check_violation', TABLE = 'foreign_currency', CONSTRAINT = 'foreign_currency_known';
    END IF;
    INSERT INTO foreign_currency (code) VALUES (opened) ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    PERFORM open_accounts_of_currency(opened);
END
$$;

CREATE FUNCTION public.open_of_user(of_user text) RETURNS text[]
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT coalesce(array_agg(name ORDER BY place), '{}')
    FROM (SELECT of_user || ARRAY(SELECT former FROM user_alias WHERE user_id = of_user) AS ids OFFSET 0) AS person
    -- The gateway is asked with the names in an event that waits; one that is off can't be asked.
    CROSS JOIN LATERAL (
        SELECT ARRAY(
            SELECT event.reason = 'gateway_off'
            FROM (
                SELECT gateway, merchant_uid FROM "order" WHERE user_id = ANY (ids)
                UNION ALL SELECT gateway, merchant_uid FROM purchase WHERE user_id = ANY (ids)) AS known
            JOIN webhook_event AS event ON event.gateway = known.gateway
                AND coalesce(event.payment_id, event.merchant_uid) = known.merchant_uid
            WHERE event.status = 'waiting'
            UNION ALL
            SELECT event.reason = 'gateway_off' FROM purchase JOIN webhook_event AS event USING (gateway, imp_uid)
            WHERE user_id = ANY (ids) AND event.status = 'waiting') AS are_off
        OFFSET 0) AS events
    CROSS JOIN LATERAL (
        VALUES
        (1, 'coins', EXISTS (
            SELECT FROM account WHERE owner = ANY (ids) AND code LIKE 'wallet:%' AND code NOT LIKE 'earnings:%' AND balance <> 0)),
        (2, 'held_coins', EXISTS (
            SELECT FROM account WHERE owner = ANY (ids) AND code LIKE 'held:%' AND code NOT LIKE 'earnings:%' AND balance <> 0)),
        (3, 'debt', EXISTS (SELECT FROM account WHERE owner = ANY (ids) AND owes)),
        (4, 'payable', EXISTS (
            SELECT FROM account WHERE owner = ANY (ids) AND code LIKE 'payable:%' AND code NOT LIKE 'earnings:%' AND balance <> 0)),
        (5, 'order', EXISTS (
            SELECT FROM "order"
            WHERE user_id = ANY (ids) AND expires_at > clock_timestamp()
                AND NOT EXISTS (SELECT FROM purchase WHERE purchase.merchant_uid = "order".merchant_uid))),
        (6, 'receipt', EXISTS (SELECT FROM receipt_retry WHERE user_id = ANY (ids) AND status = 'waiting')),
        (7, 'refund', EXISTS (SELECT FROM refund WHERE user_id = ANY (ids) AND status IN ('pending', 'approved'))),
        (8, 'dispute', EXISTS (SELECT FROM dispute WHERE user_id = ANY (ids) AND status = 'open')),
        (9, 'top_up', EXISTS (SELECT FROM top_up WHERE user_id = ANY (ids) AND status <> 'revoked')
            OR EXISTS (SELECT FROM top_up_charge WHERE user_id = ANY (ids) AND status = 'waiting')),
        (10, 'bank_account', EXISTS (SELECT FROM provider_account WHERE provider = ANY (ids) AND account IS NOT NULL)),
        (11, 'approval', EXISTS (SELECT FROM approval WHERE user_id = ANY (ids) AND status IN ('waiting', 'approved'))),
        (12, 'finding', EXISTS (
            SELECT FROM finding WHERE (user_id = ANY (ids) OR named_user = ANY (ids)) AND resolved_at IS NULL)),
        -- Its coins would be for nobody. What is reserved is still given when the campaign has ended. A claim waits for nothing:
        -- forget_user frees it.
        (13, 'campaign', EXISTS (
            SELECT FROM campaign_user AS listed JOIN campaign ON campaign.id = campaign_id
            WHERE listed.user_id = ANY (ids) AND number IS NOT NULL AND refusal IS NULL
                AND (status IN ('waiting', 'active', 'paused')
                    OR status = 'ended' AND number > done_to AND number <= taken_to)
                AND NOT EXISTS (
                    SELECT FROM campaign_grant
                    WHERE campaign_grant.campaign_id = listed.campaign_id AND campaign_grant.user_id = ANY (ids)))),
        (14, 'webhook', false = ANY (are_off)),
        (15, 'gateway_off', true = ANY (are_off))
    ) AS thing (place, name, is_open)
    WHERE is_open
$$;

CREATE FUNCTION public.opened_since(of_currency text, moment timestamp with time zone, known_to pg_snapshot, OUT due bigint, OUT won bigint, OUT seen pg_snapshot) RETURNS record
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    SELECT
        coalesce(sum(moved.amount) FILTER (WHERE clearing.currency <> 'KRW'), 0),
        coalesce(sum(moved.amount) FILTER (WHERE clearing.currency = 'KRW'), 0),
        pg_current_snapshot()
        INTO due, won, seen
        FROM generate_series(0, (SELECT stripes FROM ledger) - 1) AS number
        CROSS JOIN unnest(ARRAY['', ':KRW']) AS ending
        JOIN account AS clearing
            ON clearing.code = 'fx:clearing:' || of_currency || ending || '/' || number AND clearing.owner IS NULL
        LEFT JOIN LATERAL (
            SELECT posting.seq FROM posting
            WHERE posting.account_id = clearing.id AND (
                -- PostgreSQL counts a transaction as known to its own snapshots.
                SELECT pg_visible_in_snapshot(entry.transaction_id, known_to)
                    AND entry.transaction_id IS DISTINCT FROM pg_current_xact_id_if_assigned()
                FROM journal_entry AS entry WHERE entry.id = posting.journal_entry_id)
            ORDER BY posting.seq DESC LIMIT 1
        ) AS known ON true
        CROSS JOIN LATERAL (
            SELECT CASE WHEN posting.side = clearing.normal_side THEN posting.amount ELSE -posting.amount END AS amount
            FROM posting
            WHERE posting.account_id = clearing.id AND posting.seq > coalesce(known.seq, 0) AND moment > (
                SELECT entry.effective_at FROM journal_entry AS entry WHERE entry.id = posting.journal_entry_id)
        ) AS moved;
END
$$;

CREATE FUNCTION public.pause_campaign(of_campaign bigint, why text, caller text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    UPDATE campaign
    SET status = CASE WHEN why IS NULL THEN 'active' ELSE 'paused' END, status_reason = why, changed_by = caller
    WHERE id = of_campaign AND CASE WHEN why IS NULL
        THEN status = 'paused' ELSE status = 'active' OR status = 'paused' AND changed_by IS NULL END;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    UPDATE campaign_run SET next_attempt_at = now() WHERE id = of_campaign AND status = 'waiting';
    RETURN true;
END
$$;

CREATE FUNCTION public.pause_top_up(of_user text, why text, caller text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.payout_detail(of_payout bigint, by text, paid_at timestamp with time zone, bank_reference text) RETURNS jsonb
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT jsonb_build_object(
        'id', of_payout, 'cut_off', microseconds((SELECT cut_off FROM payout WHERE id = of_payout)), 'by', by,
        'providers', count(*), 'amount', coalesce(sum(amount), 0)::bigint,
        'withheld', coalesce(sum(income_tax + local_tax), 0)::bigint, 'paid_at', microseconds(paid_at),
        'bank_reference', bank_reference)
    FROM payout_item WHERE payout_id = of_payout
$$;

CREATE FUNCTION public.person_ids(of_user text) RETURNS text[]
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT ARRAY(
        SELECT of_user
        UNION SELECT user_id FROM user_alias WHERE former = of_user
        UNION SELECT former FROM user_alias WHERE user_id = of_user
        UNION SELECT other.former FROM user_alias AS mine JOIN user_alias AS other USING (user_id) WHERE mine.former = of_user)
$$;

CREATE FUNCTION public.person_of(caller text) RETURNS text
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT lower(regexp_replace(caller, '^(console:)?(terminal:)?', ''))
$$;

CREATE FUNCTION public.personal_columns(of_table text, declared jsonb) RETURNS TABLE(column_name text, content text, kind text)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT attname::text, declaration.key, typname::text
    FROM jsonb_each(declared) AS declaration
    CROSS JOIN LATERAL jsonb_array_elements_text(declaration.value) AS element (name)
    JOIN pg_attribute ON attrelid = format('%I', of_table)::regclass AND attname = element.name AND attgenerated = ''
    JOIN pg_type ON pg_type.oid = atttypid
$$;

CREATE FUNCTION public.personal_tables() RETURNS TABLE(name text, condition text, columns jsonb)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $_$
    VALUES
    ('account', '(owner = ANY($1)) AND (account.owner IS NOT NULL AND account.code NOT LIKE ''earnings:%'' AND account.code NOT LIKE ''payable:%'')', '{"user": ["owner"], "naming": ["code"], "impersonal": ["currency", "normal_side"]}'::jsonb),
    ('account_day', NULL, '{"impersonal": ["zone", "class", "currency"]}'::jsonb),
    ('account_day_progress', NULL, '{"impersonal": ["zone"]}'::jsonb),
    ('account_salt', '((account_id) IN (SELECT id FROM "account" WHERE (owner = ANY($1)) AND (account.owner IS NOT NULL AND account.code NOT LIKE ''earnings:%'' AND account.code NOT LIKE ''payable:%'')))', '{"impersonal": ["salt", "code"]}'::jsonb),
    ('accounting_policy', NULL, '{"staff": ["set_by"], "impersonal": ["subject", "method", "month"]}'::jsonb),
    ('adjustment', NULL, '{"staff": ["adjusted_by"], "impersonal": ["subject", "month"]}'::jsonb),
    ('adjustment_basis', NULL, '{"impersonal": ["month", "zone"]}'::jsonb),
    ('adjustment_cohort', NULL, '{"impersonal": ["sold_in"]}'::jsonb),
    ('approval', '(user_id = ANY($1))', '{"user": ["user_id"], "naming": ["target", "parameters", "seen", "outcome"], "words": ["reason", "decision_reason"], "bankAccount": ["account"], "key": ["key"], "staff": ["proposed_by", "proposed_name", "decided_by", "decided_name", "withdrawn_by"], "impersonal": ["act", "status"]}'::jsonb),
    ('audit', '(user_id = ANY($1))', '{"user": ["user_id"], "naming": ["target", "seen"], "words": ["reason"], "key": ["key"], "staff": ["subject", "name", "role"], "impersonal": ["act"]}'::jsonb),
    ('audit_outcome', '((audit_id) IN (SELECT id FROM "audit" WHERE (user_id = ANY($1))))', '{"naming": ["detail"], "impersonal": ["outcome"]}'::jsonb),
    ('balance_alert', '(owner = ANY($1))', '{"user": ["owner"], "staff": ["set_by"]}'::jsonb),
    ('campaign', NULL, '{"words": ["status_reason", "reason", "note"], "label": ["name", "code"], "staff": ["created_by", "approved_by", "changed_by"], "impersonal": ["status"]}'::jsonb),
    ('campaign_grant', '(user_id = ANY($1))', '{"user": ["user_id"]}'::jsonb),
    ('campaign_run', NULL, '{"impersonal": ["status", "reason"]}'::jsonb),
    ('campaign_user', '(user_id = ANY($1))', '{"user": ["user_id"], "impersonal": ["refusal"]}'::jsonb),
    ('chain_link', NULL, '{"impersonal": ["previous_hash", "hash", "totals"]}'::jsonb),
    ('claw_back_reversal', '((purchase_id) IN (SELECT id FROM "purchase" WHERE (user_id = ANY($1))))', '{}'::jsonb),
    ('closed_period', NULL, '{"staff": ["closed_by"]}'::jsonb),
    ('closing_proposal', NULL, '{"words": ["reason"], "key": ["key"], "staff": ["proposed_by", "proposed_name", "decided_by", "decided_name"], "impersonal": ["status"]}'::jsonb),
    ('coin_freeze', '((purchase_id) IN (SELECT id FROM "purchase" WHERE (user_id = ANY($1))))', '{"impersonal": ["act"]}'::jsonb),
    ('coin_return', '((lot_id) IN (SELECT id FROM "lot" WHERE (user_id = ANY($1))))', '{}'::jsonb),
    ('console_session', NULL, '{"staff": ["subject", "name", "role"], "impersonal": ["token_sha256"]}'::jsonb),
    ('custody_balance', NULL, '{"words": ["note"], "key": ["key"], "staff": ["entered_by"], "impersonal": ["custodian", "method"]}'::jsonb),
    ('customer_note', '(user_id = ANY($1))', '{"user": ["user_id"], "words": ["text"], "key": ["key"], "staff": ["written_by", "written_name"]}'::jsonb),
    ('debt_bank_payment', '(user_id = ANY($1))', '{"user": ["user_id"], "words": ["bank_reference"]}'::jsonb),
    ('difference_act', '((gateway, imp_uid) IN (SELECT gateway, imp_uid FROM "purchase" WHERE (user_id = ANY($1))))', '{"words": ["reason"], "payment": ["imp_uid"], "staff": ["by", "whom"], "impersonal": ["gateway", "act"]}'::jsonb),
    ('dispute', '(user_id = ANY($1))', '{"user": ["user_id"], "words": ["reason"], "payment": ["gateway_id"], "impersonal": ["status"]}'::jsonb),
    ('dispute_decision', '((dispute_id) IN (SELECT id FROM "dispute" WHERE (user_id = ANY($1))))', '{"words": ["reason"], "staff": ["decided_by"], "impersonal": ["outcome"]}'::jsonb),
    ('dispute_win', '((dispute_id) IN (SELECT id FROM "dispute" WHERE (user_id = ANY($1))))', '{}'::jsonb),
    ('endpoint', NULL, '{"users": ["users"], "words": ["description"], "key": ["idempotency_key", "rotation_key"], "digest": ["fingerprint"], "staff": ["created_by"], "impersonal": ["url", "types", "status", "status_reason", "secret_key_id", "secret_salt", "former_key_id", "former_salt"]}'::jsonb),
    ('endpoint_attempt', NULL, '{"words": ["answer"], "impersonal": ["outcome"]}'::jsonb),
    ('endpoint_lane', '(lane = ANY($1))', '{"user": ["lane"]}'::jsonb),
    ('endpoint_reader', NULL, '{"key": ["idempotency_key"], "digest": ["fingerprint"], "staff": ["requested_by"]}'::jsonb),
    ('entry_kind', NULL, '{"impersonal": ["kind", "fact", "debt"]}'::jsonb),
    ('entry_salt', '((entry_id) IN (SELECT id FROM "journal_entry" WHERE ((id) IN (SELECT journal_entry_id FROM "posting" WHERE ((account_id) IN (SELECT id FROM "account" WHERE (owner = ANY($1)) AND (account.owner IS NOT NULL AND account.code NOT LIKE ''earnings:%'' AND account.code NOT LIKE ''payable:%'')))))))', '{"impersonal": ["salt", "reference", "reason"]}'::jsonb),
    ('event', '(user_id = ANY($1))', '{"user": ["user_id"], "impersonal": ["type"]}'::jsonb),
    ('finding', '(user_id = ANY($1) OR named_user = ANY($1) OR (gateway, merchant_uid) IN (SELECT gateway, merchant_uid FROM "order" WHERE (user_id = ANY($1))) OR (gateway, imp_uid) IN (SELECT gateway, imp_uid FROM "purchase" WHERE (user_id = ANY($1))))', '{"user": ["user_id", "named_user"], "payment": ["imp_uid", "merchant_uid", "payment_id"], "staff": ["assigned_to"], "impersonal": ["gateway", "currency", "kinds"]}'::jsonb),
    ('finding_act', '((finding_id) IN (SELECT id FROM "finding" WHERE (user_id = ANY($1) OR named_user = ANY($1) OR (gateway, merchant_uid) IN (SELECT gateway, merchant_uid FROM "order" WHERE (user_id = ANY($1))) OR (gateway, imp_uid) IN (SELECT gateway, imp_uid FROM "purchase" WHERE (user_id = ANY($1))))))', '{"naming": ["whom"], "words": ["reason"], "staff": ["by"], "impersonal": ["act"]}'::jsonb),
    ('gift', '(from_user = ANY($1) OR to_user = ANY($1))', '{"user": ["from_user", "to_user"]}'::jsonb),
    ('gift_lot', '((gift_id) IN (SELECT id FROM "gift" WHERE (from_user = ANY($1) OR to_user = ANY($1))))', '{}'::jsonb),
    ('foreign_currency', NULL, '{"impersonal": ["code"]}'::jsonb),
    ('forgetting', '(user_id = ANY($1))', '{"user": ["user_id"], "words": ["note"], "staff": ["asked_by", "cancelled_by"], "impersonal": ["status", "reason", "kept_id", "kept_with"]}'::jsonb),
    ('forgotten_payment', '((purchase_id) IN (SELECT id FROM "purchase" WHERE (user_id = ANY($1))))', '{"impersonal": ["digest", "hashed_with"]}'::jsonb),
    ('grant_counted', NULL, '{"key": ["key"], "staff": ["caller"]}'::jsonb),
    ('grant_day', NULL, '{"staff": ["caller"]}'::jsonb),
    ('grant_void', '((lot_id) IN (SELECT id FROM "lot" WHERE (user_id = ANY($1))))', '{}'::jsonb),
    ('hold', '(user_id = ANY($1))', '{"user": ["user_id"], "words": ["reference"], "impersonal": ["status"]}'::jsonb),
    ('hold_event', '((hold_id) IN (SELECT id FROM "hold" WHERE (user_id = ANY($1))))', '{"impersonal": ["status"]}'::jsonb),
    ('hold_lot', '((hold_id) IN (SELECT id FROM "hold" WHERE (user_id = ANY($1))))', '{}'::jsonb),
    ('idempotency', NULL, '{"naming": ["outcome"], "key": ["key"], "digest": ["fingerprint"], "staff": ["caller"], "impersonal": ["command"]}'::jsonb),
    ('journal_entry', '((id) IN (SELECT journal_entry_id FROM "posting" WHERE ((account_id) IN (SELECT id FROM "account" WHERE (owner = ANY($1)) AND (account.owner IS NOT NULL AND account.code NOT LIKE ''earnings:%'' AND account.code NOT LIKE ''payable:%'')))))', '{"naming": ["reference"], "words": ["reason"], "impersonal": ["kind"]}'::jsonb),
    ('judge_file', NULL, '{"impersonal": ["name", "checksum"]}'::jsonb),
    ('lot', '(user_id = ANY($1))', '{"user": ["user_id"], "label": ["issuer"], "impersonal": ["kind", "currency", "vat"]}'::jsonb),
    ('lot_movement', '((lot_id) IN (SELECT id FROM "lot" WHERE (user_id = ANY($1))))', '{}'::jsonb),
    ('migration', NULL, '{"impersonal": ["name", "checksum"]}'::jsonb),
    ('notification_walk', NULL, '{"impersonal": ["gateway", "list"]}'::jsonb),
    ('occurrence', '(user_id = ANY($1))', '{"user": ["user_id"], "naming": ["subject", "detail"], "impersonal": ["type"]}'::jsonb),
    ('order', '(user_id = ANY($1))', '{"user": ["user_id"], "payment": ["merchant_uid"], "key": ["idempotency_key"], "impersonal": ["gateway", "product", "currency", "vat"]}'::jsonb),
    ('payment_name', '((purchase_id) IN (SELECT id FROM "purchase" WHERE (user_id = ANY($1))))', '{"payment": ["imp_uid", "merchant_uid"], "impersonal": ["gateway"]}'::jsonb),
    ('payout', NULL, '{"users": ["providers"], "words": ["note"], "key": ["key"], "staff": ["proposed_by"], "impersonal": ["status"]}'::jsonb),
    ('payout_decision', NULL, '{"words": ["reason", "bank_reference"], "staff": ["decided_by"], "impersonal": ["decision"]}'::jsonb),
    ('payout_entry', '(provider = ANY($1))', '{"user": ["provider"]}'::jsonb),
    ('payout_item', '(provider = ANY($1))', '{"user": ["provider"]}'::jsonb),
    ('payout_part', '(provider = ANY($1))', '{"user": ["provider"]}'::jsonb),
    ('posting', '((account_id) IN (SELECT id FROM "account" WHERE (owner = ANY($1)) AND (account.owner IS NOT NULL AND account.code NOT LIKE ''earnings:%'' AND account.code NOT LIKE ''payable:%'')))', '{"impersonal": ["currency", "side"]}'::jsonb),
    ('product', NULL, '{"impersonal": ["code", "title", "currency", "vat"]}'::jsonb),
    ('product_price', NULL, '{"impersonal": ["product", "currency"]}'::jsonb),
    ('provider_account', '(provider = ANY($1))', '{"user": ["provider"], "bankAccount": ["account"], "staff": ["proposed_by", "approved_by", "ended_by"], "impersonal": ["status"]}'::jsonb),
    ('provider_repayment', '(provider = ANY($1))', '{"user": ["provider"], "words": ["bank_reference"]}'::jsonb),
    ('provider_share', '(provider = ANY($1))', '{"user": ["provider"], "impersonal": ["product"]}'::jsonb),
    ('provider_terms', '(provider = ANY($1))', '{"user": ["provider"], "staff": ["set_by"], "impersonal": ["role", "withholding", "product"]}'::jsonb),
    ('purchase', '(user_id = ANY($1))', '{"user": ["user_id"], "payment": ["imp_uid", "merchant_uid", "payment_id"], "impersonal": ["status", "gateway", "product", "currency", "foreign_currency"]}'::jsonb),
    ('purchase_reversal', '((purchase_id) IN (SELECT id FROM "purchase" WHERE (user_id = ANY($1))))', '{}'::jsonb),
    ('rate', NULL, '{"staff": ["set_by", "approved_by"], "impersonal": ["currency", "source"]}'::jsonb),
    ('rate_proposal', NULL, '{"staff": ["proposed_by", "decided_by"], "impersonal": ["currency", "source", "status"]}'::jsonb),
    ('receipt_refusal', '(user_id = ANY($1))', '{"user": ["user_id"]}'::jsonb),
    ('receipt_retry', '(user_id = ANY($1))', '{"user": ["user_id"], "words": ["reason"], "payment": ["imp_uid", "merchant_uid", "payment_id"], "impersonal": ["gateway", "status"]}'::jsonb),
    ('reconciliation_item', '((gateway, merchant_uid) IN (SELECT gateway, merchant_uid FROM "order" WHERE (user_id = ANY($1))) OR (purchase_id) IN (SELECT id FROM "purchase" WHERE (user_id = ANY($1))))', '{"payment": ["imp_uid", "merchant_uid", "payment_id"], "impersonal": ["kind", "outcome", "gateway", "paid_status", "paid_currency", "credited_currency"]}'::jsonb),
    ('reconciliation_run', NULL, '{"words": ["failure"], "payment": ["place"], "key": ["idempotency_key"], "staff": ["requested_by"], "impersonal": ["gateways", "status", "stage", "counts", "lease"]}'::jsonb),
    ('refund', '(user_id = ANY($1))', '{"user": ["user_id"], "words": ["explanation", "reason", "refusal", "fee_waiver", "bank_reference", "repayment_reference"], "bankAccount": ["refund_account"], "payment": ["cancellation_id"], "impersonal": ["status", "currency", "refusal_code", "method", "taken", "fee_rule", "foreign_currency"]}'::jsonb),
    ('refund_decision', '((refund_id) IN (SELECT id FROM "refund" WHERE (user_id = ANY($1))))', '{"words": ["refusal", "bank_reference", "repayment_reference"], "payment": ["cancellation_id"], "impersonal": ["status", "refusal_code"]}'::jsonb),
    ('refund_question', '((purchase_id) IN (SELECT id FROM "purchase" WHERE (user_id = ANY($1))))', '{"words": ["overruled_why"], "staff": ["overruled_by"], "impersonal": ["gateway", "token", "store_reason", "status", "reason", "preference", "overruled_to", "outcome"]}'::jsonb),
    ('revaluation', NULL, '{"staff": ["revalued_by"], "impersonal": ["currency", "month"]}'::jsonb),
    ('revaluation_basis', NULL, '{"impersonal": ["currency", "month", "zone"]}'::jsonb),
    ('seal', NULL, '{"impersonal": ["statement", "public_key", "signature"]}'::jsonb),
    ('settlement_columns', NULL, '{"staff": ["saved_by"], "impersonal": ["gateway", "payment_id", "gross", "fee", "tax", "net", "paid_out_at", "payment_currency", "payout_rate", "payout_won"]}'::jsonb),
    ('settlement_dismissal', '((row_id) IN (SELECT id FROM "settlement_row" WHERE ((purchase_id) IN (SELECT id FROM "purchase" WHERE (user_id = ANY($1))))))', '{"words": ["reason"], "payment": ["payment"], "staff": ["dismissed_by"], "impersonal": ["kind"]}'::jsonb),
    ('settlement_dismissal_check', '((row_id) IN (SELECT id FROM "settlement_row" WHERE ((purchase_id) IN (SELECT id FROM "purchase" WHERE (user_id = ANY($1))))))', '{"payment": ["payment"], "staff": ["checked_by"]}'::jsonb),
    ('settlement_file', NULL, '{"words": ["name"], "staff": ["imported_by"], "impersonal": ["sha256"]}'::jsonb),
    ('settlement_row', '((purchase_id) IN (SELECT id FROM "purchase" WHERE (user_id = ANY($1))))', '{"payment": ["payment"], "impersonal": ["status", "reason", "foreign_currency"]}'::jsonb),
    ('store_account', '(user_id = ANY($1))', '{"user": ["user_id"]}'::jsonb),
    ('store_consent', '(user_id = ANY($1))', '{"user": ["user_id"], "staff": ["set_by"]}'::jsonb),
    ('store_delivery', '((purchase_id) IN (SELECT id FROM "purchase" WHERE (user_id = ANY($1))))', '{"impersonal": ["status", "reason"]}'::jsonb),
    ('store_product', NULL, '{"staff": ["set_by"], "impersonal": ["store", "app", "product_id", "product"]}'::jsonb),
    ('top_up', '(user_id = ANY($1))', '{"user": ["user_id"], "words": ["reason"], "bankAccount": ["billing_key"], "staff": ["set_by", "changed_by"], "impersonal": ["status", "gateway", "product"]}'::jsonb),
    ('top_up_charge', '(user_id = ANY($1))', '{"user": ["user_id"], "payment": ["name", "merchant_uid"], "impersonal": ["status", "reason"]}'::jsonb),
    ('user_alias', '(former = ANY($1) OR user_id = ANY($1))', '{"user": ["former", "user_id"]}'::jsonb),
    ('user_merge', '(former = ANY($1) OR user_id = ANY($1))', '{"user": ["former", "user_id"], "words": ["reason"], "staff": ["merged_by"]}'::jsonb),
    ('webhook_event', '((gateway, coalesce(payment_id, merchant_uid)) IN (SELECT gateway, merchant_uid FROM "order" WHERE (user_id = ANY($1))) OR (gateway, coalesce(payment_id, merchant_uid)) IN (SELECT gateway, merchant_uid FROM "purchase" WHERE (user_id = ANY($1))) OR (gateway, imp_uid) IN (SELECT gateway, imp_uid FROM "purchase" WHERE (user_id = ANY($1))))', '{"words": ["reason"], "payment": ["imp_uid", "merchant_uid", "payment_id"], "impersonal": ["gateway", "event_id", "type", "status", "source", "question_token", "question_reason"]}'::jsonb)
$_$;

CREATE FUNCTION public.places_of_id(id text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $_$
DECLARE
    -- Letters that are of no word: %3D of percent form, \n and \u0001 of JSON, \x of bytes.
    escapes CONSTANT text := '%[0-9a-fA-F]{2}|\\[bfnrtx]|\\u[0-9a-fA-F]{4}';
    bytes bytea := convert_to(id, 'UTF8');
    base64 text := rtrim(replace(encode(bytes, 'base64'), E'\n', ''), '=');
    percent text := '';
    upper_percent text := '';
    byte int;
    form text;
    short text[] := '{}';
    long text[] := '{}';
    letters text := 'a-zA-Z0-9_';
BEGIN
    FOR place IN 0 .. octet_length(bytes) - 1 LOOP
        byte := get_byte(bytes, place);
        percent := percent || CASE WHEN byte < 128 AND chr(byte) ~ '[A-Za-z0-9._~-]' THEN chr(byte)
            ELSE '%' || lpad(to_hex(byte), 2, '0') END;
        upper_percent := upper_percent || CASE WHEN byte < 128 AND chr(byte) ~ '[A-Za-z0-9._~-]' THEN chr(byte)
            ELSE '%' || upper(lpad(to_hex(byte), 2, '0')) END;
    END LOOP;
    FOREACH form IN ARRAY ARRAY[
        id, percent, upper_percent, substr(to_json(id)::text, 2, length(to_json(id)::text) - 2), base64, translate(base64, '+/', '-_'),
        encode(bytes, 'hex'), encode(sha256(bytes), 'hex'), rtrim(replace(encode(sha256(bytes), 'base64'), E'\n', ''), '=')
    ] LOOP
        IF length(form) >= 8 AND form ~ '[^0-9]' THEN
            long := long || regexp_replace(form, '([^[:alnum:]])', '\\\1', 'g');
        ELSE
            short := short || regexp_replace(form, '([^[:alnum:]])', '\\\1', 'g');
        END IF;
    END LOOP;
    -- In Korean, a particle follows an id without a space; a short id that is Korean may be a syllable of a word.
    IF octet_length(id) > length(id) THEN
        letters := '[:alnum:]_';
    END IF;
    RETURN format('(^|[^a-zA-Z0-9]|%s)(?:%s)(?![a-zA-Z0-9])', escapes, array_to_string(long, '|'))
        || CASE WHEN short = '{}' THEN '' ELSE format(
            '|(^|[^%s:]|(?:^|[^a-z_]):|(?:user|provider|merge|wallet|held|debt|earnings|payable):|%s)(?:%s)(?![%1$s])',
            letters, escapes, array_to_string(short, '|')) END;
END
$_$;

CREATE FUNCTION public.posting_seq_as_of(of_account bigint, moment timestamp with time zone) RETURNS bigint
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.posting_seq_at_event(of_account bigint, event_seq bigint) RETURNS bigint
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.purge_console_sessions(most bigint) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    WITH gone AS (
        DELETE FROM public.console_session
        WHERE token_sha256 IN (
            SELECT token_sha256 FROM public.console_session WHERE ends_at < now() - interval '1 day'
            ORDER BY ends_at LIMIT least(most, 10000) FOR UPDATE SKIP LOCKED)
        RETURNING 1
    )
    SELECT count(*) FROM gone
$$;

CREATE FUNCTION public.purge_endpoint_attempts(older_than interval, most bigint) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    WITH gone AS (
        DELETE FROM public.endpoint_attempt
        WHERE id IN (
            SELECT id FROM public.endpoint_attempt
            WHERE recorded_at < now() - greatest(older_than, interval '1 day')
            ORDER BY recorded_at LIMIT least(most, 10000) FOR UPDATE SKIP LOCKED)
        RETURNING 1
    )
    SELECT count(*) FROM gone
$$;

CREATE FUNCTION public.purge_receipt_refusals(most bigint) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    WITH gone AS (
        DELETE FROM public.receipt_refusal
        WHERE user_id IN (
            SELECT user_id FROM public.receipt_refusal WHERE window_ends_at < now()
            ORDER BY window_ends_at LIMIT least(most, 10000) FOR UPDATE SKIP LOCKED)
        RETURNING 1
    )
    SELECT count(*) FROM gone
$$;

CREATE FUNCTION public.purge_webhook_events(older_than interval, most bigint) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.rate_needs_second_person(of_currency text, of_day date, new_value bigint, new_scale bigint, new_per bigint, moment timestamp with time zone, before_id bigint) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT coalesce(bool_or(
        20 * abs(new_value * 10::numeric ^ last.scale * last.per - last.value * 10::numeric ^ new_scale * new_per)
            > last.value * 10::numeric ^ new_scale * new_per), true)
    FROM (
        (SELECT rate.value, rate.scale, rate.per FROM rate
        WHERE rate.currency = of_currency AND rate.day < of_day AND rate.id < before_id
            AND (rate.approved_by IS NOT NULL OR rate.published_at <= moment - interval '20 hours')
        ORDER BY rate.day DESC, rate.version DESC LIMIT 1)
        UNION ALL
        (SELECT rate.value, rate.scale, rate.per FROM rate
        WHERE rate.currency = of_currency AND rate.day = of_day AND rate.id < before_id AND rate.approved_by IS NOT NULL
        ORDER BY rate.version DESC LIMIT 1)
    ) AS last
$$;

CREATE FUNCTION public.rate_of_month_end(of_currency text, of_month text) RETURNS bigint
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    next_month CONSTANT date := (to_date(of_month, 'YYYY-MM') + interval '1 month')::date;
BEGIN
    RETURN (
        SELECT id FROM rate
        WHERE currency = of_currency AND day >= next_month - 7 AND day < next_month
        ORDER BY day DESC, version DESC LIMIT 1);
END
$$;

CREATE FUNCTION public.rate_of_payment(of_currency text, paid_at timestamp with time zone, credited_at timestamp with time zone, today date) RETURNS bigint
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    RETURN coalesce(
        (SELECT id FROM rate
        WHERE currency = of_currency AND day <= today AND published_at <= least(paid_at, credited_at)
        ORDER BY day DESC, version DESC LIMIT 1),
        (SELECT id FROM rate
        WHERE currency = of_currency AND day <= today AND published_at <= credited_at
        ORDER BY day DESC, version DESC LIMIT 1));
END
$$;

CREATE FUNCTION public.receivable_of(gateway text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    RETURN CASE WHEN gateway IN ('app-store', 'google-play') THEN gateway || ':receivable' ELSE 'gateway:receivable' END;
END
$$;

CREATE FUNCTION public.record_balance_crossings() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET enable_nestloop TO 'on'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
    -- Most ledgers have no thresholds, and pay for this look alone.
    IF NOT EXISTS (SELECT FROM balance_alert) THEN
        RETURN NULL;
    END IF;
    INSERT INTO occurrence (recorded_at, type, subject, user_id, detail)
    WITH step AS MATERIALIZED (
        SELECT account.owner, posting.journal_entry_id AS entry,
            coalesce(sum(posting.amount * CASE posting.side WHEN 'C' THEN 1 ELSE -1 END) FILTER (WHERE NOT is_debt), 0)
                AS moved,
            coalesce(sum(posting.amount * CASE posting.side WHEN 'C' THEN -1 ELSE 1 END) FILTER (WHERE is_debt), 0) AS owed
        FROM new_posting AS posting
        CROSS JOIN LATERAL (
            SELECT owner, code, code LIKE 'debt:%' AS is_debt FROM account WHERE account.id = posting.account_id OFFSET 0
        ) AS account
        WHERE account.owner IS NOT NULL AND (account.code LIKE 'wallet:%' OR is_debt)
        GROUP BY account.owner, posting.journal_entry_id
    ), line AS (
        SELECT owner, entry, moved, owed, coalesce(sum(moved) OVER later, 0) AS later_moved,
            coalesce(sum(owed) OVER later, 0) AS later_owed
        FROM step
        WINDOW later AS (PARTITION BY owner ORDER BY entry DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    ), change AS (
        -- What comes after an entry is taken from the balance after all. Nothing can be spent while there is a debt.
        -- Thresholds and balances are looked up for each entry: writers plan without hashes, so a join with the users' would
        -- compare each with each.
        SELECT owner, entry, below, above,
            CASE WHEN debt - later_owed - owed > 0 THEN 0 ELSE coins - later_moved - moved END::bigint AS before,
            CASE WHEN debt - later_owed > 0 THEN 0 ELSE coins - later_moved END::bigint AS available
        FROM line
        CROSS JOIN LATERAL (
            SELECT below, above FROM balance_alert WHERE balance_alert.owner = ANY (ARRAY[line.owner, ''])
            ORDER BY balance_alert.owner = '' LIMIT 1
        ) AS alert
        CROSS JOIN LATERAL (
            SELECT coalesce(sum(balance) FILTER (WHERE code LIKE 'wallet:%'), 0) AS coins,
                coalesce(sum(balance) FILTER (WHERE code LIKE 'debt:%'), 0) AS debt
            FROM account WHERE account.owner = line.owner AND code NOT LIKE 'earnings:%'
        ) AS present
    )
    SELECT told.recorded_at, crossing.type, 'user:' || owner, owner,
        jsonb_build_object(
            'threshold', crossing.threshold, 'before', before, 'available', available, 'journal_entry_id', entry)
    FROM change
    CROSS JOIN LATERAL (
        SELECT 'balance.fell_below' AS type, threshold FROM unnest(below) AS threshold
        WHERE before >= threshold AND available < threshold
        UNION ALL
        SELECT 'balance.rose_above', threshold FROM unnest(above) AS threshold
        WHERE before <= threshold AND available > threshold
    ) AS crossing
    CROSS JOIN LATERAL (
        -- A former id has no coins any more, and nobody has to top them up.
        SELECT recorded_at FROM journal_entry
        WHERE journal_entry.id = entry AND NOT (kind = 'merge' AND reference = 'merge:' || owner) OFFSET 0
    ) AS told
    ORDER BY entry, owner, CASE WHEN available < before THEN -threshold ELSE threshold END;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.record_campaign() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    type text := CASE
        WHEN TG_OP = 'INSERT' THEN 'campaign.created'
        WHEN NEW.status <> OLD.status THEN CASE NEW.status
            WHEN 'active' THEN CASE OLD.status WHEN 'waiting' THEN 'campaign.approved' ELSE 'campaign.resumed' END
            WHEN 'paused' THEN 'campaign.paused'
            WHEN 'ended' THEN 'campaign.ended'
            WHEN 'voided' THEN 'campaign.voided' END END;
BEGIN
    IF type IS NOT NULL THEN
        PERFORM record_occurrence(
            type, 'campaign:' || NEW.id, NULL,
            jsonb_build_object(
                'id', NEW.id, 'name', NEW.name, 'status', NEW.status, 'reason', NEW.status_reason, 'coins', NEW.coins,
                'budget', NEW.budget)
            || (SELECT jsonb_build_object(
                    'given', coalesce(sum(given), 0), 'voided', coalesce(sum(voided), 0), 'users', coalesce(sum(users), 0))
                FROM campaign_sum WHERE campaign_id = NEW.id));
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.record_closing() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    PERFORM record_occurrence(
        'period.closed', 'period:' || NEW.id, NULL,
        jsonb_build_object('until', microseconds(NEW.until), 'closed_by', NEW.closed_by));
    RETURN NULL;
END
$$;

CREATE FUNCTION public.record_endpoint() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    PERFORM record_occurrence(
        'endpoint.' || NEW.status, 'endpoint:' || NEW.id, NULL,
        jsonb_build_object('id', NEW.id, 'url', NEW.url, 'reason', NEW.status_reason));
    IF NEW.status_reason IS NOT DISTINCT FROM 'failing' THEN
        INSERT INTO finding (kinds, endpoint_id) VALUES ('{endpoint_failing}', NEW.id)
        ON CONFLICT (endpoint_id) WHERE endpoint_id IS NOT NULL DO UPDATE SET resolved_at = NULL;
    ELSE
        -- num_nulls as in judge_dispute_decision.
        UPDATE finding SET resolved_at = now() WHERE endpoint_id = NEW.id AND num_nulls(resolved_at) = 1;
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.record_expired_orders(most bigint) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    told_until timestamptz;
    expired record;
BEGIN
    SELECT until INTO told_until FROM order_expiry FOR UPDATE;
    WITH due AS MATERIALIZED (
        SELECT * FROM "order" WHERE expires_at > told_until AND expires_at <= now()
        ORDER BY expires_at FETCH FIRST (least(most, 10000)) ROWS WITH TIES
    ), told AS (
        INSERT INTO occurrence (type, subject, user_id, detail)
        SELECT 'order.expired', 'order:' || id, user_id,
            jsonb_build_object(
                'id', id, 'gateway', gateway, 'merchant_uid', merchant_uid, 'product', product, 'amount', amount,
                'currency', currency, 'expires_at', microseconds(expires_at))
        FROM due
        WHERE NOT EXISTS (SELECT FROM purchase WHERE purchase.merchant_uid = due.merchant_uid)
        ORDER BY expires_at, id
    )
    SELECT count(*) AS count, max(expires_at) AS until INTO expired FROM due;
    UPDATE order_expiry SET until = expired.until WHERE expired.count > 0;
    RETURN expired.count;
END
$$;

CREATE FUNCTION public.record_finding() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    PERFORM record_occurrence(
        CASE WHEN NEW.resolved_at IS NULL THEN 'finding.opened' ELSE 'finding.closed' END, 'finding:' || NEW.id,
        NEW.user_id,
        jsonb_build_object(
            'id', NEW.id, 'kinds', NEW.kinds, 'gateway', NEW.gateway, 'imp_uid', NEW.imp_uid,
            'merchant_uid', NEW.merchant_uid, 'payment_id', NEW.payment_id, 'amount', NEW.amount,
            'currency', NEW.currency, 'endpoint_id', NEW.endpoint_id, 'hour', microseconds(NEW.hour),
            'measured', NEW.measured, 'limit', NEW.hour_limit));
    RETURN NULL;
END
$$;

CREATE FUNCTION public.record_occurrence(type text, subject text, user_id text, detail jsonb) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    INSERT INTO occurrence (type, subject, user_id, detail) VALUES (type, subject, user_id, jsonb_strip_nulls(detail))
$$;

CREATE FUNCTION public.record_receipt() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.record_reconciliation() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    PERFORM record_occurrence(
        'reconciliation.' || NEW.status, 'reconciliation:' || NEW.id, NULL,
        jsonb_build_object(
            'id', NEW.id, 'from', microseconds(NEW.period_from), 'to', microseconds(NEW.period_to), 'counts', NEW.counts,
            'failure', NEW.failure));
    RETURN NULL;
END
$$;

CREATE FUNCTION public.record_seal() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    PERFORM record_occurrence(
        'seal.made', 'seal:' || NEW.id, NULL,
        jsonb_build_object('id', NEW.id, 'statement', NEW.statement));
    RETURN NULL;
END
$$;

CREATE FUNCTION public.record_top_up() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.record_top_up_charge() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND is_forgetting() THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION '% of % is forbidden: the journal is append-only', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege', HINT = 'Post a reversal instead.';
END
$$;

CREATE FUNCTION public.refuse_forgotten_payments(digests bytea[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
    IF EXISTS (SELECT FROM forgotten_payment WHERE digest = ANY (digests)) THEN
        RAISE EXCEPTION 'a user who was forgotten had the payment' USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
END
$$;

CREATE FUNCTION public.refuse_settled_rows() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    IF EXISTS (SELECT FROM new_row WHERE status = 'settled' OR is_dismissed) THEN
        RAISE EXCEPTION 'a row of a statement begins as one that is settled or dismissed'
            USING ERRCODE = 'check_violation', TABLE = 'settlement_row', CONSTRAINT = 'settlement_row_begins_waiting';
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION public.renamed(name text, id text, replacement text) RETURNS text
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $_$
    SELECT CASE WHEN strpos(name, id) = 0 THEN name WHEN name = id THEN replacement
        ELSE regexp_replace(name,
            '^((?:user|provider|merge|wallet|held|debt|earnings|payable):)' || regexp_replace(id, '([^[:alnum:]])', '\\\1', 'g')
                || '((?::paid|:bonus|/[0-9]+)?)$', '\1' || replacement || '\2') END
$_$;

CREATE FUNCTION public.revoke_top_up(of_user text, why text, caller text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.set_provider_terms() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    stripes bigint := (SELECT ledger.stripes FROM ledger);
BEGIN
    -- `id + 0`: no index has this order, so a plan of an empty table does not read all accounts in the order of their ids.
    PERFORM FROM account
        WHERE code = ANY (ARRAY(
            SELECT 'coins:deferred-revenue/' || stripe FROM generate_series(0, stripes - 1) AS stripe))
        ORDER BY id + 0 FOR NO KEY UPDATE;
    -- What is withheld from payouts is the same for all products.
    IF NEW.product IS NOT NULL THEN
        SELECT withholding INTO NEW.withholding FROM provider_terms
            WHERE provider = NEW.provider ORDER BY id DESC LIMIT 1;
        IF NOT FOUND THEN
            RAISE EXCEPTION '% has no terms of all products', NEW.provider
                USING ERRCODE = 'foreign_key_violation', TABLE = 'provider_terms',
                    CONSTRAINT = 'provider_terms_of_all_products';
        END IF;
    END IF;
    NEW.id := (SELECT coalesce(max(id), 0) + 1 FROM provider_terms);
    NEW.set_at := greatest(clock_timestamp(), (
        SELECT set_at + interval '1 microsecond' FROM provider_terms WHERE provider = NEW.provider
        ORDER BY id DESC LIMIT 1));
    IF NOT EXISTS (SELECT FROM account WHERE code = 'payable:' || NEW.provider || '/0') THEN
        INSERT INTO account (id, stripe, code, owner, currency, normal_side)
        SELECT block.start + stripe, stripe, 'payable:' || NEW.provider || '/' || stripe, NEW.provider, 'KRW', 'C'
        FROM (SELECT nextval('record_id') AS start) AS block, generate_series(0, stripes - 1) AS stripe;
    END IF;
    RETURN NEW;
END
$$;

CREATE FUNCTION public.start_top_ups() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET enable_nestloop TO 'on'
    SET enable_seqscan TO 'off'
    AS $$
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

CREATE FUNCTION public.stop_top_up(consent bigint, why text) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    UPDATE top_up SET status = 'paused', reason = why, changed_by = NULL WHERE id = consent AND status = 'active'
$$;

CREATE FUNCTION public.stripe_of_user(of_user text, stripes bigint) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    id bytea := convert_to(of_user, 'UTF8');
    hash numeric := 14695981039346656037;
    low bigint;
BEGIN
    FOR place IN 0 .. octet_length(id) - 1 LOOP
        low := mod(hash, 256);
        hash := mod((hash - low + (low # get_byte(id, place))) * 1099511628211, 18446744073709551616);
    END LOOP;
    RETURN mod(hash, stripes);
END
$$;

CREATE FUNCTION public.summarise_block_ranges() RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET lock_timeout TO '100ms'
    AS $$
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

CREATE FUNCTION public.tally_recorded_at() RETURNS timestamp with time zone
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    RETURN (current_tally()).recorded_at;
END
$$;

CREATE FUNCTION public.tally_salt() RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    RETURN (current_tally()).salt;
END
$$;

CREATE FUNCTION public.targets_alike(target text) RETURNS text[]
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    present text := user_behind(substr(target, 6));
BEGIN
    IF target NOT LIKE 'user:%' THEN
        RETURN ARRAY[target];
    END IF;
    RETURN ARRAY['user:' || present]
        || ARRAY(SELECT 'user:' || former FROM user_alias WHERE user_id = present ORDER BY former COLLATE "C");
END
$$;

CREATE FUNCTION public.tell_of_work() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    PERFORM pg_notify('ledgerd_work', TG_TABLE_NAME);
    RETURN NULL;
END
$$;

CREATE FUNCTION public.user_as_of(of_entry bigint, told text, until_before timestamp with time zone, recorded_by timestamp with time zone) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    called text := entry_user(of_entry, told);
    later  text;
BEGIN
    LOOP
        SELECT user_id INTO later FROM user_merge
            WHERE former = called AND (until_before IS NULL OR merged_at < until_before)
                AND (recorded_by IS NULL OR merged_at <= recorded_by);
        EXIT WHEN later IS NULL;
        called := later;
    END LOOP;
    RETURN called;
END
$$;

CREATE FUNCTION public.user_behind(asked text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    RETURN coalesce((SELECT user_id FROM user_alias WHERE former = asked), asked);
END
$$;

CREATE FUNCTION public.void_campaign(of_campaign bigint, why text, caller text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    -- Waits for grants that are being posted, which have a share of this lock (campaign_shares): the voids see them.
    PERFORM FROM campaign WHERE id = of_campaign FOR UPDATE;
    UPDATE campaign
    SET status = 'voiding', status_reason = why, changed_by = caller, void_pass = void_pass + 1, voided_to = 0
    WHERE id = of_campaign AND status <> 'voiding';
    -- One more attempt: a process that saw the run over before does not end it (WorkList.decide).
    UPDATE campaign_run SET status = 'waiting', decided_at = NULL, next_attempt_at = now(), attempts = attempts + 1
    WHERE id = of_campaign;
    RETURN FOUND;
END
$$;

CREATE FUNCTION public.withdraw_top_up(of_charge bigint, announced timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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

CREATE FUNCTION public.without_id(words text, places text, replacement text) RETURNS text
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT regexp_replace(words, places, '\1\2' || replacement, 'g')
$$;

CREATE TABLE public.account (
    id bigint NOT NULL,
    stripe bigint NOT NULL,
    code text NOT NULL,
    owner text,
    currency text NOT NULL,
    normal_side text NOT NULL,
    debits bigint DEFAULT 0 NOT NULL,
    credits bigint DEFAULT 0 NOT NULL,
    seq bigint DEFAULT 0 NOT NULL,
    posted_at timestamp with time zone,
    balance bigint GENERATED ALWAYS AS (
CASE normal_side
    WHEN 'D'::text THEN (debits - credits)
    ELSE (credits - debits)
END) STORED NOT NULL,
    row_lock boolean,
    owes boolean GENERATED ALWAYS AS (((owner IS NOT NULL) AND (normal_side = 'D'::text) AND (debits > credits))) STORED NOT NULL,
    CONSTRAINT account_credits_not_negative CHECK ((credits >= 0)),
    CONSTRAINT account_currency_is_code CHECK ((currency ~ '^[A-Z]{3,4}$'::text)),
    CONSTRAINT account_debits_not_negative CHECK ((debits >= 0)),
    CONSTRAINT account_normal_side_is_d_or_c CHECK ((normal_side = ANY (ARRAY['D'::text, 'C'::text]))),
    CONSTRAINT account_owned_not_overdrawn CHECK (((owner IS NULL) OR (currency = 'KRW'::text) OR (code ~~ 'earnings:%'::text) OR
CASE normal_side
    WHEN 'D'::text THEN (debits >= credits)
    ELSE (credits >= debits)
END)),
    CONSTRAINT account_row_lock_is_null CHECK ((row_lock IS NULL))
)
WITH (fillfactor='60', autovacuum_vacuum_scale_factor='0.02');

CREATE TABLE public.account_day (
    zone text NOT NULL,
    class text NOT NULL,
    currency text NOT NULL,
    day date NOT NULL,
    debits bigint NOT NULL,
    credits bigint NOT NULL
);

CREATE TABLE public.account_day_progress (
    zone text NOT NULL,
    transaction_id xid8 NOT NULL,
    entry_id bigint NOT NULL
);

CREATE TABLE public.account_salt (
    account_id bigint NOT NULL,
    salt bytea DEFAULT uuid_send(gen_random_uuid()),
    code bytea,
    CONSTRAINT account_salt_code_is_sha256 CHECK ((octet_length(code) = 32)),
    CONSTRAINT account_salt_has_16_bytes CHECK ((octet_length(salt) = 16)),
    CONSTRAINT account_salt_or_commitment CHECK ((num_nonnulls(salt, code) = 1))
);

CREATE TABLE public.accounting_policy (
    id bigint NOT NULL,
    subject text NOT NULL,
    method text NOT NULL,
    month text NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    expected bigint,
    highly_probable bigint,
    bonus_price bigint,
    set_by text NOT NULL,
    set_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT accounting_policy_figures_in_range CHECK ((((expected >= 1) AND (expected <= 999)) AND ((highly_probable >= 0) AND (highly_probable <= 999)) AND ((bonus_price >= 1) AND (bonus_price <= 10000)))),
    CONSTRAINT accounting_policy_has_figures_of_method CHECK (((num_nonnulls(expected, highly_probable) =
CASE method
    WHEN 'expected_pattern'::text THEN 2
    ELSE 0
END) AND (num_nonnulls(bonus_price) =
CASE method
    WHEN 'relative_price'::text THEN 1
    ELSE 0
END))),
    CONSTRAINT accounting_policy_method_known CHECK ((((((subject = 'breakage'::text) AND (method = 'at_expiry'::text)) OR ((subject = 'breakage'::text) AND (method = 'expected_pattern'::text))) OR ((subject = 'bonus'::text) AND (method = 'none'::text))) OR ((subject = 'bonus'::text) AND (method = 'relative_price'::text)))),
    CONSTRAINT accounting_policy_month_is_one CHECK ((month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'::text))
);

ALTER TABLE public.accounting_policy ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.accounting_policy_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.adjustment (
    id bigint NOT NULL,
    number bigint NOT NULL,
    subject text NOT NULL,
    month text NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    breakage_policy_id bigint,
    bonus_policy_id bigint,
    target bigint NOT NULL,
    amount bigint NOT NULL,
    journal_entry_id bigint,
    adjusted_by text NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    basis_id bigint,
    CONSTRAINT adjustment_of_month_that_is_over CHECK ((ends_at <= recorded_at)),
    CONSTRAINT adjustment_subject_known CHECK ((subject = ANY (ARRAY['breakage'::text, 'bonus'::text]))),
    CONSTRAINT adjustment_with_entry CHECK (((journal_entry_id IS NULL) = (amount = 0)))
);

CREATE TABLE public.adjustment_basis (
    id bigint NOT NULL,
    month text NOT NULL,
    zone text NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    snapshot pg_snapshot NOT NULL,
    purchases bigint NOT NULL,
    sold bigint NOT NULL,
    deferred bigint NOT NULL,
    expired bigint NOT NULL,
    measured_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT adjustment_basis_month_is_one CHECK ((month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'::text))
);

CREATE TABLE public.adjustment_cohort (
    adjustment_id bigint NOT NULL,
    sold_in text NOT NULL,
    purchases bigint NOT NULL,
    sold bigint NOT NULL,
    refunded bigint NOT NULL,
    used bigint NOT NULL,
    expired bigint NOT NULL,
    deferred bigint NOT NULL,
    allocated bigint,
    target bigint NOT NULL,
    CONSTRAINT adjustment_cohort_adds_up CHECK ((sold = (((refunded + used) + expired) + deferred)))
);

ALTER TABLE public.adjustment ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.adjustment_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.approval (
    id bigint NOT NULL,
    key text NOT NULL,
    act text NOT NULL,
    target text NOT NULL,
    user_id text,
    parameters jsonb NOT NULL,
    account jsonb,
    seen jsonb NOT NULL,
    reason text NOT NULL,
    proposed_by text NOT NULL,
    proposed_name text NOT NULL,
    proposed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    status text DEFAULT 'waiting'::text NOT NULL,
    decided_by text,
    decided_name text,
    decided_at timestamp with time zone,
    decision_reason text,
    ended_at timestamp with time zone,
    outcome jsonb,
    beside bigint,
    withdrawn_by text,
    withdrawn_at timestamp with time zone,
    CONSTRAINT approval_account_is_erased CHECK (((status = ANY (ARRAY['waiting'::text, 'approved'::text])) OR (account IS NULL))),
    CONSTRAINT approval_by_another_person CHECK ((decided_by <> proposed_by)),
    CONSTRAINT approval_decided_has_person CHECK ((num_nulls(decided_by, decided_name, decided_at, decision_reason) =
CASE
    WHEN (status = ANY (ARRAY['waiting'::text, 'withdrawn'::text])) THEN 4
    ELSE 0
END)),
    CONSTRAINT approval_ended_has_outcome CHECK ((num_nulls(ended_at, outcome) =
CASE
    WHEN (status = ANY (ARRAY['done'::text, 'refused'::text])) THEN 0
    ELSE 2
END)),
    CONSTRAINT approval_status_known CHECK ((status = ANY (ARRAY['waiting'::text, 'withdrawn'::text, 'approved'::text, 'declined'::text, 'done'::text, 'refused'::text]))),
    CONSTRAINT approval_withdrawn_by_author CHECK ((withdrawn_by = proposed_by)),
    CONSTRAINT approval_withdrawn_has_person CHECK ((num_nulls(withdrawn_by, withdrawn_at) =
CASE status
    WHEN 'withdrawn'::text THEN 0
    ELSE 2
END))
);

ALTER TABLE public.approval ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.approval_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.audit (
    id bigint NOT NULL,
    key text NOT NULL,
    acted_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    subject text NOT NULL,
    name text NOT NULL,
    role text NOT NULL,
    act text NOT NULL,
    target text NOT NULL,
    user_id text,
    reason text NOT NULL,
    seen jsonb NOT NULL,
    approval_id bigint
);

ALTER TABLE public.audit ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.audit_outcome (
    audit_id bigint NOT NULL,
    ended_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    outcome text NOT NULL,
    detail jsonb NOT NULL,
    CONSTRAINT audit_outcome_known CHECK ((outcome = ANY (ARRAY['done'::text, 'proposed'::text, 'refused'::text, 'unknown'::text])))
);

CREATE TABLE public.balance_alert (
    owner text NOT NULL,
    below bigint[] NOT NULL,
    above bigint[] NOT NULL,
    set_by text NOT NULL,
    set_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT balance_alert_in_range CHECK ((1 <= ALL ((below || above)))),
    CONSTRAINT balance_alert_is_short CHECK (((cardinality(below) <= 10) AND (cardinality(above) <= 10)))
);

CREATE TABLE public.campaign (
    id bigint NOT NULL,
    name text NOT NULL,
    status text NOT NULL,
    status_reason text,
    coins bigint NOT NULL,
    most_per_user bigint NOT NULL,
    budget bigint NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone,
    coins_expire_at timestamp with time zone,
    coin_days bigint,
    reason text NOT NULL,
    note text,
    code text,
    can_be_moved boolean DEFAULT false NOT NULL,
    created_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    approved_by text,
    changed_by text,
    users bigint DEFAULT 0 NOT NULL,
    taken_to bigint DEFAULT 0 NOT NULL,
    done_to bigint DEFAULT 0 NOT NULL,
    asked bigint DEFAULT 0 NOT NULL,
    reserved bigint DEFAULT 0 NOT NULL,
    refused bigint DEFAULT 0 NOT NULL,
    void_pass bigint DEFAULT 0 NOT NULL,
    voided_to bigint DEFAULT 0 NOT NULL,
    CONSTRAINT campaign_code_or_list CHECK (((code IS NULL) OR (users = 0))),
    CONSTRAINT campaign_coin_days_in_range CHECK (((coin_days >= 1) AND (coin_days <= 36500))),
    CONSTRAINT campaign_coins_expire_after_start CHECK ((coins_expire_at > starts_at)),
    CONSTRAINT campaign_coins_have_one_end CHECK (((coins_expire_at IS NULL) OR (coin_days IS NULL))),
    CONSTRAINT campaign_coins_positive CHECK ((coins > 0)),
    CONSTRAINT campaign_ends_after_start CHECK ((ends_at > starts_at)),
    CONSTRAINT campaign_most_within_budget CHECK (((coins <= most_per_user) AND (most_per_user <= budget))),
    CONSTRAINT campaign_numbers_follow CHECK (((0 <= done_to) AND (done_to <= taken_to) AND (taken_to <= users))),
    CONSTRAINT campaign_reserved_is_asked CHECK (((0 <= reserved) AND (reserved <= asked) AND (refused >= 0))),
    CONSTRAINT campaign_status_known CHECK ((status = ANY (ARRAY['waiting'::text, 'active'::text, 'paused'::text, 'ended'::text, 'voiding'::text, 'voided'::text]))),
    CONSTRAINT campaign_stopped_has_reason CHECK (((status = ANY (ARRAY['paused'::text, 'voiding'::text, 'voided'::text])) = (status_reason IS NOT NULL)))
)
WITH (fillfactor='50');

CREATE TABLE public.campaign_grant (
    lot_id bigint NOT NULL,
    campaign_id bigint NOT NULL,
    user_id text NOT NULL,
    journal_entry_id bigint NOT NULL,
    coins bigint NOT NULL
);

ALTER TABLE public.campaign ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.campaign_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.campaign_run (
    id bigint NOT NULL,
    status text DEFAULT 'waiting'::text NOT NULL,
    reason text DEFAULT 'created'::text NOT NULL,
    attempts bigint DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone NOT NULL,
    lease_holder bigint,
    decided_at timestamp with time zone,
    CONSTRAINT campaign_run_over_has_time CHECK (((status = 'waiting'::text) = (decided_at IS NULL))),
    CONSTRAINT campaign_run_status_known CHECK ((status = ANY (ARRAY['waiting'::text, 'over'::text])))
)
WITH (fillfactor='50');

CREATE TABLE public.campaign_sum (
    campaign_id bigint NOT NULL,
    stripe bigint NOT NULL,
    users bigint NOT NULL,
    given bigint NOT NULL,
    remaining bigint NOT NULL,
    expired bigint NOT NULL,
    voided bigint NOT NULL,
    CONSTRAINT campaign_sum_within_given CHECK (((remaining >= 0) AND (expired >= 0) AND (voided >= 0) AND (((remaining + expired) + voided) <= given)))
)
WITH (fillfactor='50');

CREATE TABLE public.campaign_user (
    campaign_id bigint NOT NULL,
    user_id text NOT NULL,
    number bigint,
    coins bigint NOT NULL,
    refusal text,
    CONSTRAINT campaign_user_coins_positive CHECK ((coins > 0))
);

CREATE TABLE public.chain_link (
    id bigint NOT NULL,
    first_position bigint NOT NULL,
    last_position bigint NOT NULL,
    transaction_id xid8 NOT NULL,
    entry_id bigint NOT NULL,
    previous_hash bytea NOT NULL,
    hash bytea NOT NULL,
    totals jsonb NOT NULL,
    linked_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    format bigint DEFAULT 1 NOT NULL,
    CONSTRAINT chain_link_has_entries CHECK (((first_position >= 1) AND (first_position <= last_position))),
    CONSTRAINT chain_link_hash_is_sha256 CHECK ((octet_length(hash) = 32)),
    CONSTRAINT chain_link_id_positive CHECK ((id > 0)),
    CONSTRAINT chain_link_previous_hash_is_sha256 CHECK ((octet_length(previous_hash) = 32))
);

CREATE TABLE public.claw_back_reversal (
    journal_entry_id bigint NOT NULL,
    claw_back_id bigint NOT NULL,
    purchase_id bigint NOT NULL,
    told_at timestamp with time zone NOT NULL
);

CREATE TABLE public.closed_period (
    id bigint NOT NULL,
    until timestamp with time zone NOT NULL,
    closed_by text NOT NULL,
    closed_at timestamp with time zone NOT NULL,
    CONSTRAINT closed_period_is_over CHECK ((until <= closed_at))
);

ALTER TABLE public.closed_period ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.closed_period_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.closing_proposal (
    id bigint NOT NULL,
    key text NOT NULL,
    until timestamp with time zone NOT NULL,
    open_items bigint NOT NULL,
    reason text NOT NULL,
    proposed_by text NOT NULL,
    proposed_name text NOT NULL,
    proposed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    status text DEFAULT 'waiting'::text NOT NULL,
    decided_by text,
    decided_name text,
    decided_at timestamp with time zone,
    CONSTRAINT closing_proposal_decided_by_somebody CHECK ((num_nonnulls(decided_by, decided_name, decided_at) =
CASE status
    WHEN 'waiting'::text THEN 0
    ELSE 3
END)),
    CONSTRAINT closing_proposal_has_second_person CHECK (((status <> 'closed'::text) OR (decided_by <> proposed_by))),
    CONSTRAINT closing_proposal_open_items_not_negative CHECK ((open_items >= 0)),
    CONSTRAINT closing_proposal_status_known CHECK ((status = ANY (ARRAY['waiting'::text, 'closed'::text, 'withdrawn'::text])))
);

ALTER TABLE public.closing_proposal ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.closing_proposal_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.coin_freeze (
    journal_entry_id bigint NOT NULL,
    purchase_id bigint NOT NULL,
    act text NOT NULL,
    coins bigint NOT NULL,
    bonus_coins bigint NOT NULL,
    CONSTRAINT coin_freeze_act_known CHECK ((act = ANY (ARRAY['hold'::text, 'release'::text]))),
    CONSTRAINT coin_freeze_bonus_coins_not_negative CHECK ((bonus_coins >= 0)),
    CONSTRAINT coin_freeze_coins_not_negative CHECK ((coins >= 0)),
    CONSTRAINT coin_freeze_of_coins CHECK (((coins + bonus_coins) > 0))
);

CREATE TABLE public.coin_return (
    journal_entry_id bigint NOT NULL,
    lot_id bigint NOT NULL,
    redemption_id bigint NOT NULL,
    coins bigint NOT NULL,
    amount bigint NOT NULL,
    expires_at timestamp with time zone,
    expired_at timestamp with time zone,
    CONSTRAINT coin_return_amount_not_negative CHECK ((amount >= 0)),
    CONSTRAINT coin_return_coins_positive CHECK ((coins > 0)),
    CONSTRAINT coin_return_expiry_is_later CHECK ((((expires_at IS NULL) = (expired_at IS NULL)) AND COALESCE((expires_at > expired_at), true)))
);

CREATE TABLE public.console_session (
    token_sha256 bytea NOT NULL,
    subject text NOT NULL,
    name text NOT NULL,
    role text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    seen_at timestamp with time zone DEFAULT now() NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT console_session_role_known CHECK ((role = ANY (ARRAY['viewer'::text, 'support'::text, 'finance'::text, 'administrator'::text])))
);

CREATE TABLE public.custody_balance (
    id bigint NOT NULL,
    key text NOT NULL,
    custodian text NOT NULL,
    method text NOT NULL,
    balance bigint NOT NULL,
    held_at timestamp with time zone NOT NULL,
    note text,
    entered_by text NOT NULL,
    entered_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT custody_balance_is_of_the_past CHECK ((held_at <= (entered_at + '1 day'::interval))),
    CONSTRAINT custody_balance_method_known CHECK ((method = ANY (ARRAY['trust'::text, 'deposit'::text, 'guarantee_insurance'::text]))),
    CONSTRAINT custody_balance_not_negative CHECK ((balance >= 0))
);

ALTER TABLE public.custody_balance ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.custody_balance_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.customer_note (
    id bigint NOT NULL,
    key text NOT NULL,
    user_id text NOT NULL,
    text text NOT NULL,
    written_by text NOT NULL,
    written_name text NOT NULL,
    written_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

ALTER TABLE public.customer_note ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.customer_note_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.debt_bank_payment (
    journal_entry_id bigint NOT NULL,
    user_id text NOT NULL,
    coins bigint NOT NULL,
    amount bigint NOT NULL,
    paid_at timestamp with time zone NOT NULL,
    bank_reference text NOT NULL,
    vat bigint DEFAULT 0 NOT NULL,
    CONSTRAINT debt_bank_payment_amount_positive CHECK ((amount > 0)),
    CONSTRAINT debt_bank_payment_coins_positive CHECK ((coins > 0))
);

CREATE TABLE public.difference_act (
    id bigint NOT NULL,
    gateway text NOT NULL,
    imp_uid text NOT NULL,
    act text NOT NULL,
    by text NOT NULL,
    whom text,
    reason text,
    acted_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT difference_act_has_note CHECK (((act = 'note'::text) = (reason IS NOT NULL))),
    CONSTRAINT difference_act_known CHECK ((act = ANY (ARRAY['assign'::text, 'unassign'::text, 'note'::text]))),
    CONSTRAINT difference_act_names_whom CHECK (((act = 'assign'::text) = (whom IS NOT NULL)))
);

ALTER TABLE public.difference_act ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.difference_act_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.dispute (
    id bigint NOT NULL,
    stripe bigint NOT NULL,
    purchase_id bigint NOT NULL,
    user_id text NOT NULL,
    gateway_id text,
    opened_at timestamp with time zone NOT NULL,
    reason text NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    status text DEFAULT 'open'::text NOT NULL,
    decided_at timestamp with time zone,
    CONSTRAINT dispute_decided_or_open CHECK (((status = 'open'::text) = (decided_at IS NULL))),
    CONSTRAINT dispute_status_known CHECK ((status = ANY (ARRAY['open'::text, 'won'::text, 'lost'::text])))
);

CREATE TABLE public.dispute_decision (
    dispute_id bigint NOT NULL,
    outcome text NOT NULL,
    decided_at timestamp with time zone NOT NULL,
    decided_by text,
    reason text,
    amount bigint NOT NULL,
    journal_entry_id bigint,
    recorded_at timestamp with time zone NOT NULL,
    seq bigint NOT NULL,
    CONSTRAINT dispute_decision_amount_not_negative CHECK ((amount >= 0)),
    CONSTRAINT dispute_decision_has_reason CHECK (((reason IS NULL) = (decided_by IS NULL))),
    CONSTRAINT dispute_decision_moves_by_caller CHECK ((((journal_entry_id IS NULL) = (amount = 0)) AND ((amount = 0) OR (decided_by IS NOT NULL)))),
    CONSTRAINT dispute_decision_outcome_known CHECK ((outcome = ANY (ARRAY['won'::text, 'lost'::text])))
);

ALTER TABLE public.dispute_decision ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.dispute_decision_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.dispute_win (
    dispute_id bigint NOT NULL,
    resolved_at timestamp with time zone NOT NULL,
    recorded_at timestamp with time zone NOT NULL
);

CREATE TABLE public.endpoint (
    id bigint NOT NULL,
    url text NOT NULL,
    description text NOT NULL,
    types text[] NOT NULL,
    users text[] NOT NULL,
    status text DEFAULT 'enabled'::text NOT NULL,
    status_reason text,
    secret_key_id text NOT NULL,
    secret_salt bytea NOT NULL,
    former_key_id text,
    former_salt bytea,
    former_until timestamp with time zone,
    rotation_key text,
    failures bigint DEFAULT 0 NOT NULL,
    failing_since timestamp with time zone,
    paused_until timestamp with time zone,
    turn bigint DEFAULT 0 NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    created_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    idempotency_key text NOT NULL,
    fingerprint text NOT NULL,
    CONSTRAINT endpoint_disabled_has_reason CHECK (((status = 'enabled'::text) = (status_reason IS NULL))),
    CONSTRAINT endpoint_failing_counts CHECK (((failures = 0) = (failing_since IS NULL))),
    CONSTRAINT endpoint_former_secret_whole CHECK ((num_nulls(former_key_id, former_salt, former_until) = ANY (ARRAY[0, 3]))),
    CONSTRAINT endpoint_status_known CHECK ((status = ANY (ARRAY['enabled'::text, 'disabled'::text, 'deleted'::text])))
);

CREATE TABLE public.endpoint_attempt (
    id bigint NOT NULL,
    endpoint_id bigint NOT NULL,
    recorded_at timestamp with time zone DEFAULT now() NOT NULL,
    outcome text NOT NULL,
    seqs bigint[] NOT NULL,
    statuses bigint[] NOT NULL,
    latencies bigint[] NOT NULL,
    answer text,
    CONSTRAINT endpoint_attempt_is_even CHECK (((cardinality(seqs) > 0) AND (cardinality(seqs) = ALL (ARRAY[cardinality(statuses), cardinality(latencies)]))))
);

ALTER TABLE public.endpoint_attempt ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.endpoint_attempt_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.endpoint_failure (
    endpoint_id bigint NOT NULL,
    seq bigint NOT NULL,
    failed_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE public.endpoint ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.endpoint_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.endpoint_lane (
    reader_id bigint NOT NULL,
    lane text NOT NULL,
    seq bigint NOT NULL,
    attempts bigint NOT NULL,
    next_attempt_at timestamp with time zone NOT NULL,
    waiting_since timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.endpoint_reader (
    id bigint NOT NULL,
    endpoint_id bigint NOT NULL,
    "position" bigint NOT NULL,
    until bigint,
    only_failed boolean DEFAULT false NOT NULL,
    requested_by text,
    requested_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone,
    idempotency_key text,
    fingerprint text,
    CONSTRAINT endpoint_reader_failed_is_replay CHECK (((until IS NOT NULL) OR (NOT only_failed)))
);

ALTER TABLE public.endpoint_reader ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.endpoint_reader_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.entry_kind (
    kind text NOT NULL,
    fact text,
    reverses boolean NOT NULL,
    returns_coins boolean NOT NULL,
    debt text,
    CONSTRAINT entry_kind_debt_known CHECK ((debt = ANY (ARRAY['makes'::text, 'ends'::text, 'moves'::text])))
);

CREATE TABLE public.entry_salt (
    entry_id bigint NOT NULL,
    salt bytea DEFAULT uuid_send(gen_random_uuid()),
    reference bytea,
    reason bytea,
    CONSTRAINT entry_salt_has_16_bytes CHECK ((octet_length(salt) = 16)),
    CONSTRAINT entry_salt_or_commitments CHECK (((salt IS NULL) = (num_nonnulls(reference, reason) > 0))),
    CONSTRAINT entry_salt_reason_is_sha256 CHECK ((octet_length(reason) = 32)),
    CONSTRAINT entry_salt_reference_is_sha256 CHECK ((octet_length(reference) = 32))
);

CREATE TABLE public.event (
    seq bigint NOT NULL,
    id bigint NOT NULL,
    type text NOT NULL,
    user_id text,
    snapshot pg_snapshot
);

CREATE TABLE public.finding (
    id bigint NOT NULL,
    gateway text,
    imp_uid text,
    merchant_uid text,
    payment_id text,
    user_id text,
    amount bigint,
    currency text,
    found_at timestamp with time zone DEFAULT now() NOT NULL,
    resolved_at timestamp with time zone,
    kinds text[] NOT NULL,
    paid_at timestamp with time zone,
    endpoint_id bigint,
    assigned_to text,
    cancelled_amount bigint,
    reopened_at timestamp with time zone,
    named_user text,
    ended_by_books boolean DEFAULT false NOT NULL,
    hour timestamp with time zone,
    measured bigint,
    hour_limit bigint,
    CONSTRAINT finding_cancelled_not_negative CHECK ((cancelled_amount >= 0)),
    CONSTRAINT finding_has_kind CHECK ((cardinality(kinds) > 0)),
    CONSTRAINT finding_hour_is_above_limit CHECK ((measured > hour_limit)),
    CONSTRAINT finding_hour_is_whole CHECK ((num_nulls(hour, measured, hour_limit) = ANY (ARRAY[0, 3]))),
    CONSTRAINT finding_is_of_one_thing CHECK ((num_nulls(gateway, imp_uid, merchant_uid, amount, currency) =
CASE
    WHEN ((endpoint_id IS NULL) AND (hour IS NULL) AND (kinds <> '{custody_short}'::text[])) THEN 0
    ELSE 5
END))
);

CREATE TABLE public.finding_act (
    id bigint NOT NULL,
    finding_id bigint NOT NULL,
    act text NOT NULL,
    by text NOT NULL,
    whom text,
    reason text,
    acted_at timestamp with time zone DEFAULT now() NOT NULL,
    cancelled_amount bigint,
    CONSTRAINT finding_act_has_reason CHECK (((act <> ALL (ARRAY['note'::text, 'resolve'::text, 'claim'::text, 'refund'::text])) OR (reason IS NOT NULL))),
    CONSTRAINT finding_act_known CHECK ((act = ANY (ARRAY['assign'::text, 'unassign'::text, 'note'::text, 'resolve'::text, 'claim'::text, 'refund'::text]))),
    CONSTRAINT finding_act_names_whom CHECK (((act = ANY (ARRAY['assign'::text, 'claim'::text])) = (whom IS NOT NULL)))
);

ALTER TABLE public.finding_act ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.finding_act_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE public.finding ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.finding_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.foreign_currency (
    code text NOT NULL,
    opened_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT foreign_currency_is_code CHECK ((code ~ '^[A-Z]{3}$'::text))
);

CREATE TABLE public.forgetting (
    id bigint NOT NULL,
    user_id text NOT NULL,
    status text DEFAULT 'waiting'::text NOT NULL,
    reason text DEFAULT 'asked'::text NOT NULL,
    note text,
    asked_by text NOT NULL,
    asked_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    due_at timestamp with time zone NOT NULL,
    attempts bigint DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone NOT NULL,
    lease_holder bigint,
    cancelled_by text,
    decided_at timestamp with time zone,
    under_way xid8,
    kept_id bytea,
    kept_with text,
    kept_until timestamp with time zone,
    CONSTRAINT forgetting_cancelled_by_somebody CHECK (((status = 'cancelled'::text) = (cancelled_by IS NOT NULL))),
    CONSTRAINT forgetting_decided_has_time CHECK (((status = 'waiting'::text) = (decided_at IS NULL))),
    CONSTRAINT forgetting_keeps_whole CHECK (((num_nonnulls(kept_id, kept_with, kept_until) = ANY (ARRAY[0, 3])) AND ((status = 'forgotten'::text) OR (kept_id IS NULL)))),
    CONSTRAINT forgetting_replaces_id CHECK (((status <> 'forgotten'::text) OR (user_id ~ '^forgotten-[0-9a-f]{32}$'::text))),
    CONSTRAINT forgetting_status_known CHECK ((status = ANY (ARRAY['waiting'::text, 'cancelled'::text, 'forgotten'::text]))),
    CONSTRAINT forgetting_waits_a_day CHECK ((due_at >= (asked_at + '24:00:00'::interval)))
)
WITH (fillfactor='80');

ALTER TABLE public.forgetting ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.forgetting_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.forgotten_payment (
    digest bytea NOT NULL,
    purchase_id bigint NOT NULL,
    hashed_with text NOT NULL,
    CONSTRAINT forgotten_payment_digest_is_sha256 CHECK ((octet_length(digest) = 32))
);

CREATE TABLE public.gift (
    id bigint NOT NULL,
    from_user text NOT NULL,
    to_user text NOT NULL,
    coins bigint NOT NULL,
    amount bigint NOT NULL,
    sent_entry_id bigint NOT NULL,
    received_entry_id bigint NOT NULL,
    purchase_id bigint,
    recorded_at timestamp with time zone NOT NULL,
    CONSTRAINT gift_amount_not_negative CHECK ((amount >= 0)),
    CONSTRAINT gift_coins_not_negative CHECK ((coins >= 0)),
    CONSTRAINT gift_moves_coins CHECK (((coins > 0) OR ((amount > 0) AND (purchase_id IS NOT NULL)))),
    CONSTRAINT gift_to_another CHECK (((from_user <> to_user) OR (purchase_id IS NOT NULL)))
);

CREATE TABLE public.gift_lot (
    gift_id bigint NOT NULL,
    from_lot_id bigint NOT NULL,
    to_lot_id bigint NOT NULL,
    coins bigint NOT NULL,
    amount bigint NOT NULL,
    recognised bigint DEFAULT 0 NOT NULL,
    CONSTRAINT gift_lot_amount_not_negative CHECK ((amount >= 0)),
    CONSTRAINT gift_lot_coins_not_negative CHECK ((coins >= 0)),
    CONSTRAINT gift_lot_recognised_not_negative CHECK ((recognised >= 0))
);

CREATE TABLE public.grant_counted (
    caller text NOT NULL,
    key text NOT NULL,
    day date NOT NULL,
    coins bigint NOT NULL,
    CONSTRAINT grant_counted_coins_positive CHECK ((coins > 0))
);

CREATE TABLE public.grant_day (
    caller text NOT NULL,
    day date NOT NULL,
    coins bigint NOT NULL,
    CONSTRAINT grant_day_coins_positive CHECK ((coins > 0))
);

CREATE TABLE public.grant_void (
    journal_entry_id bigint NOT NULL,
    lot_id bigint NOT NULL,
    coins bigint NOT NULL,
    is_whole boolean NOT NULL,
    reversal_id bigint,
    CONSTRAINT grant_void_coins_positive CHECK ((coins > 0)),
    CONSTRAINT grant_void_is_asked_or_follows CHECK (((NOT is_whole) OR (reversal_id IS NULL)))
);

CREATE TABLE public.hold (
    id bigint NOT NULL,
    stripe bigint NOT NULL,
    user_id text NOT NULL,
    status text NOT NULL,
    coins bigint NOT NULL,
    captured bigint NOT NULL,
    released bigint NOT NULL,
    reference text,
    placed_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    closed_at timestamp with time zone,
    journal_entry_id bigint NOT NULL,
    CONSTRAINT hold_captured_not_negative CHECK ((captured >= 0)),
    CONSTRAINT hold_closed_has_time CHECK (((status = 'open'::text) = (closed_at IS NULL))),
    CONSTRAINT hold_coins_positive CHECK ((coins > 0)),
    CONSTRAINT hold_left_within_coins CHECK (((captured + released) <= coins)),
    CONSTRAINT hold_open_while_coins_are_left CHECK (((status = 'open'::text) = ((captured + released) < coins))),
    CONSTRAINT hold_released_not_negative CHECK ((released >= 0)),
    CONSTRAINT hold_status_known CHECK ((status = ANY (ARRAY['open'::text, 'captured'::text, 'voided'::text, 'expired'::text])))
)
WITH (fillfactor='80');

CREATE TABLE public.hold_event (
    journal_entry_id bigint NOT NULL,
    hold_id bigint NOT NULL,
    captured bigint NOT NULL,
    released bigint NOT NULL,
    status text NOT NULL,
    CONSTRAINT hold_event_captured_is_captured CHECK (((captured = 0) OR (status = ANY (ARRAY['open'::text, 'captured'::text])))),
    CONSTRAINT hold_event_captured_not_negative CHECK ((captured >= 0)),
    CONSTRAINT hold_event_moves_coins CHECK (((captured + released) > 0)),
    CONSTRAINT hold_event_released_not_negative CHECK ((released >= 0)),
    CONSTRAINT hold_event_status_known CHECK ((status = ANY (ARRAY['open'::text, 'captured'::text, 'voided'::text, 'expired'::text])))
);

CREATE TABLE public.hold_lot (
    hold_id bigint NOT NULL,
    place bigint NOT NULL,
    lot_id bigint NOT NULL,
    coins bigint NOT NULL,
    held bigint NOT NULL,
    CONSTRAINT hold_lot_coins_positive CHECK ((coins > 0)),
    CONSTRAINT hold_lot_held_within_coins CHECK (((held >= 0) AND (held <= coins)))
)
WITH (fillfactor='80');

CREATE TABLE public.idempotency (
    key text NOT NULL,
    command text NOT NULL,
    fingerprint text NOT NULL,
    outcome jsonb NOT NULL,
    journal_entry_id bigint,
    recorded_at timestamp with time zone NOT NULL,
    caller text NOT NULL
);

CREATE TABLE public.judge_file (
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE public.ledger (
    is_only boolean DEFAULT true NOT NULL,
    stripes bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    counts_whole_days boolean DEFAULT true NOT NULL,
    CONSTRAINT ledger_is_one_row CHECK (is_only),
    CONSTRAINT ledger_stripes_in_range CHECK (((stripes >= 1) AND (stripes <= 64)))
);

CREATE TABLE public.lot (
    id bigint NOT NULL,
    stripe bigint NOT NULL,
    user_id text NOT NULL,
    kind text NOT NULL,
    coins bigint NOT NULL,
    remaining bigint NOT NULL,
    amount bigint NOT NULL,
    deferred bigint NOT NULL,
    currency text NOT NULL,
    acquired_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    purchase_id bigint,
    journal_entry_id bigint NOT NULL,
    held bigint DEFAULT 0 NOT NULL,
    seq bigint DEFAULT 0 NOT NULL,
    issuer text,
    expired bigint DEFAULT 0 NOT NULL,
    breakage bigint DEFAULT 0 NOT NULL,
    returned_at timestamp with time zone,
    is_open boolean GENERATED ALWAYS AS (((remaining + held) > 0)) STORED NOT NULL,
    vat text,
    taxed bigint DEFAULT 0 NOT NULL,
    taxed_breakage bigint DEFAULT 0 NOT NULL,
    is_voided boolean DEFAULT false NOT NULL,
    origin_id bigint,
    origin_purchase_id bigint,
    began_taxed bigint DEFAULT 0 NOT NULL,
    CONSTRAINT lot_amount_by_kind CHECK (
CASE kind
    WHEN 'paid'::text THEN ((amount > 0) OR ((amount = 0) AND (origin_id IS NOT NULL)))
    ELSE (amount = 0)
END),
    CONSTRAINT lot_breakage_not_negative CHECK ((breakage >= 0)),
    CONSTRAINT lot_coins_positive CHECK ((coins > 0)),
    CONSTRAINT lot_deferred_within_amount CHECK (((deferred >= 0) AND ((deferred + breakage) <= amount))),
    CONSTRAINT lot_expired_not_negative CHECK ((expired >= 0)),
    CONSTRAINT lot_held_not_negative CHECK ((held >= 0)),
    CONSTRAINT lot_kind_known CHECK ((kind = ANY (ARRAY['paid'::text, 'bonus'::text]))),
    CONSTRAINT lot_left_within_coins CHECK ((((remaining + held) + expired) <= coins)),
    CONSTRAINT lot_remaining_not_negative CHECK ((remaining >= 0)),
    CONSTRAINT lot_spent_is_recognised CHECK ((((remaining + held) > 0) OR (deferred = 0))),
    CONSTRAINT lot_taxed_breakage_within_breakage CHECK ((((taxed_breakage >= 0) AND (taxed_breakage <= breakage)) AND ((vat IS NOT NULL) OR (taxed_breakage = 0)))),
    CONSTRAINT lot_vat_of_paid_coins CHECK (
CASE kind
    WHEN 'paid'::text THEN COALESCE((vat = ANY (ARRAY['exempt'::text, 'at_use'::text, 'at_sale'::text])), (taxed = 0))
    ELSE ((vat IS NULL) AND (taxed = 0))
END)
)
WITH (fillfactor='80');

CREATE TABLE public.migration (
    version bigint NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL,
    compatible_from bigint
);

CREATE TABLE public.notification_walk (
    gateway text NOT NULL,
    list text NOT NULL,
    walked_until timestamp with time zone NOT NULL
);

CREATE SEQUENCE public.record_id
    START WITH 1
    INCREMENT BY 4096
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.occurrence (
    id bigint DEFAULT nextval('public.record_id'::regclass) NOT NULL,
    transaction_id xid8 DEFAULT pg_current_xact_id() NOT NULL,
    recorded_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    type text NOT NULL,
    subject text NOT NULL,
    user_id text,
    detail jsonb NOT NULL
);

CREATE TABLE public."order" (
    id bigint NOT NULL,
    merchant_uid text NOT NULL,
    user_id text NOT NULL,
    gateway text NOT NULL,
    product text NOT NULL,
    amount bigint NOT NULL,
    currency text NOT NULL,
    coins bigint NOT NULL,
    bonus_coins bigint NOT NULL,
    idempotency_key text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    coin_days bigint,
    bonus_coin_days bigint,
    vat text,
    CONSTRAINT order_amount_in_range CHECK ((amount <=
CASE currency
    WHEN 'KRW'::text THEN '1000000000000'::bigint
    ELSE '100000000000000'::bigint
END)),
    CONSTRAINT order_amount_positive CHECK ((amount > 0)),
    CONSTRAINT order_bonus_coins_not_negative CHECK ((bonus_coins >= 0)),
    CONSTRAINT order_coins_positive CHECK ((coins > 0)),
    CONSTRAINT order_currency_is_code CHECK ((currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT order_expires_after_creation CHECK ((expires_at > created_at))
);

CREATE TABLE public.order_expiry (
    is_only boolean DEFAULT true NOT NULL,
    until timestamp with time zone NOT NULL,
    CONSTRAINT order_expiry_is_one_row CHECK (is_only)
);

ALTER TABLE public."order" ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.order_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.payment_name (
    imp_uid text NOT NULL,
    gateway text NOT NULL,
    merchant_uid text NOT NULL,
    purchase_id bigint NOT NULL,
    noted_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.payout_decision (
    payout_id bigint NOT NULL,
    decision text NOT NULL,
    decided_by text NOT NULL,
    decided_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    reason text,
    paid_at timestamp with time zone,
    bank_reference text,
    CONSTRAINT payout_decision_known CHECK ((decision = ANY (ARRAY['approved'::text, 'withdrawn'::text, 'paid'::text]))),
    CONSTRAINT payout_decision_names_payment CHECK ((((decision = 'paid'::text) = (paid_at IS NOT NULL)) AND ((decision = 'paid'::text) = (bank_reference IS NOT NULL))))
);

CREATE TABLE public.payout_entry (
    journal_entry_id bigint NOT NULL,
    payout_id bigint NOT NULL,
    provider text NOT NULL,
    stripe bigint NOT NULL,
    amount bigint NOT NULL,
    tax bigint NOT NULL,
    CONSTRAINT payout_entry_tax_not_negative CHECK ((tax >= 0))
);

ALTER TABLE public.payout ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.payout_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.payout_item (
    payout_id bigint NOT NULL,
    provider text NOT NULL,
    amount bigint NOT NULL,
    income_tax bigint NOT NULL,
    local_tax bigint NOT NULL,
    shares bigint,
    CONSTRAINT payout_item_amount_positive CHECK ((amount > 0)),
    CONSTRAINT payout_item_income_tax_not_negative CHECK ((income_tax >= 0)),
    CONSTRAINT payout_item_local_tax_not_negative CHECK ((local_tax >= 0)),
    CONSTRAINT payout_item_taxes_within_amount CHECK (((income_tax + local_tax) <= amount))
);

CREATE TABLE public.payout_part (
    payout_id bigint NOT NULL,
    provider text NOT NULL,
    stripe bigint NOT NULL,
    amount bigint NOT NULL,
    CONSTRAINT payout_part_amount_not_zero CHECK ((amount <> 0))
);

CREATE TABLE public.posting (
    account_id bigint NOT NULL,
    seq bigint NOT NULL,
    journal_entry_id bigint NOT NULL,
    stripe bigint NOT NULL,
    amount bigint NOT NULL,
    balance bigint NOT NULL,
    currency text NOT NULL,
    side text NOT NULL,
    CONSTRAINT posting_amount_positive CHECK ((amount > 0)),
    CONSTRAINT posting_seq_positive CHECK ((seq > 0)),
    CONSTRAINT posting_side_is_d_or_c CHECK ((side = ANY (ARRAY['D'::text, 'C'::text])))
);

CREATE TABLE public.product (
    id bigint NOT NULL,
    code text NOT NULL,
    title text NOT NULL,
    price bigint NOT NULL,
    currency text NOT NULL,
    coins bigint NOT NULL,
    bonus_coins bigint NOT NULL,
    active_from timestamp with time zone DEFAULT now() NOT NULL,
    active_until timestamp with time zone,
    coin_days bigint,
    bonus_coin_days bigint,
    vat text DEFAULT 'at_use'::text NOT NULL,
    CONSTRAINT product_active_in_order CHECK ((active_until >= active_from)),
    CONSTRAINT product_bonus_coin_days_in_range CHECK (((bonus_coin_days >= 0) AND (bonus_coin_days <= 36500))),
    CONSTRAINT product_bonus_coins_not_negative CHECK ((bonus_coins >= 0)),
    CONSTRAINT product_code_is_plain CHECK ((code ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$'::text)),
    CONSTRAINT product_coin_days_in_range CHECK (((coin_days >= 0) AND (coin_days <= 36500))),
    CONSTRAINT product_coins_positive CHECK ((coins > 0)),
    CONSTRAINT product_currency_is_krw CHECK ((currency = 'KRW'::text)),
    CONSTRAINT product_price_positive CHECK ((price > 0)),
    CONSTRAINT product_title_in_range CHECK (((char_length(title) >= 1) AND (char_length(title) <= 40))),
    CONSTRAINT product_vat_known CHECK ((vat = ANY (ARRAY['exempt'::text, 'at_use'::text, 'at_sale'::text])))
);

ALTER TABLE public.product ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.product_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.product_price (
    id bigint NOT NULL,
    product text NOT NULL,
    currency text NOT NULL,
    amount bigint NOT NULL,
    active_from timestamp with time zone DEFAULT now() NOT NULL,
    active_until timestamp with time zone,
    CONSTRAINT product_price_active_in_order CHECK ((active_until >= active_from)),
    CONSTRAINT product_price_in_range CHECK (((amount >= 1) AND (amount <= '100000000000000'::bigint)))
);

ALTER TABLE public.product_price ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.product_price_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.provider_account (
    id bigint NOT NULL,
    provider text NOT NULL,
    account jsonb,
    status text DEFAULT 'proposed'::text NOT NULL,
    proposed_by text NOT NULL,
    proposed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    approved_by text,
    approved_at timestamp with time zone,
    ended_by text,
    ended_at timestamp with time zone,
    CONSTRAINT provider_account_approved_by_somebody CHECK ((num_nulls(approved_by, approved_at) =
CASE
    WHEN (status = ANY (ARRAY['approved'::text, 'erased'::text])) THEN 0
    ELSE 2
END)),
    CONSTRAINT provider_account_by_another_person CHECK ((approved_by <> proposed_by)),
    CONSTRAINT provider_account_ended_by_somebody CHECK ((num_nulls(ended_by, ended_at) =
CASE
    WHEN (status = ANY (ARRAY['withdrawn'::text, 'erased'::text])) THEN 0
    ELSE 2
END)),
    CONSTRAINT provider_account_is_erased CHECK (((status = ANY (ARRAY['proposed'::text, 'approved'::text])) = (account IS NOT NULL))),
    CONSTRAINT provider_account_status_known CHECK ((status = ANY (ARRAY['proposed'::text, 'withdrawn'::text, 'approved'::text, 'erased'::text])))
);

ALTER TABLE public.provider_account ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.provider_account_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.provider_repayment (
    journal_entry_id bigint NOT NULL,
    provider text NOT NULL,
    stripe bigint NOT NULL,
    amount bigint NOT NULL,
    paid_at timestamp with time zone NOT NULL,
    bank_reference text NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    payout_id bigint,
    CONSTRAINT provider_repayment_amount_positive CHECK ((amount > 0))
);

CREATE TABLE public.provider_share (
    journal_entry_id bigint NOT NULL,
    capture_id bigint NOT NULL,
    provider text NOT NULL,
    stripe bigint NOT NULL,
    terms_id bigint NOT NULL,
    amount bigint NOT NULL,
    share bigint NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    payout_id bigint,
    vat bigint DEFAULT 0 NOT NULL,
    product text,
    CONSTRAINT provider_share_amount_not_negative CHECK ((amount >= 0)),
    CONSTRAINT provider_share_within_amount CHECK (((share >= 0) AND (share <= amount)))
);

CREATE VIEW public.provider_due AS
 SELECT provider_share.journal_entry_id,
    provider_share.provider,
    provider_share.stripe,
        CASE
            WHEN (provider_share.journal_entry_id = provider_share.capture_id) THEN provider_share.share
            ELSE (- provider_share.share)
        END AS amount,
    provider_share.recorded_at,
    provider_share.payout_id
   FROM public.provider_share
UNION ALL
 SELECT provider_repayment.journal_entry_id,
    provider_repayment.provider,
    provider_repayment.stripe,
    provider_repayment.amount,
    provider_repayment.recorded_at,
    provider_repayment.payout_id
   FROM public.provider_repayment;

CREATE TABLE public.provider_terms (
    id bigint NOT NULL,
    provider text NOT NULL,
    share bigint NOT NULL,
    role text NOT NULL,
    withholding text NOT NULL,
    set_by text NOT NULL,
    set_at timestamp with time zone NOT NULL,
    product text,
    CONSTRAINT provider_terms_role_known CHECK ((role = ANY (ARRAY['agent'::text, 'principal'::text]))),
    CONSTRAINT provider_terms_share_in_range CHECK (((share >= 0) AND (share <= 10000))),
    CONSTRAINT provider_terms_withholding_known CHECK ((withholding = ANY (ARRAY['none'::text, 'business_income'::text])))
);

ALTER TABLE public.provider_terms ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.provider_terms_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.purchase_reversal (
    journal_entry_id bigint NOT NULL,
    purchase_id bigint NOT NULL,
    amount bigint NOT NULL,
    coins bigint NOT NULL,
    bonus_coins bigint NOT NULL,
    charged_coins bigint NOT NULL,
    is_transfer boolean DEFAULT false NOT NULL,
    foreign_amount bigint,
    CONSTRAINT purchase_reversal_foreign_same_way CHECK (((foreign_amount <> 0) AND ((foreign_amount > 0) = (amount >= 0)))),
    CONSTRAINT purchase_reversal_goes_one_way CHECK (((((amount > 0) OR ((amount = 0) AND (foreign_amount IS NOT NULL))) AND (coins >= 0) AND (bonus_coins >= 0) AND (charged_coins >= 0)) OR ((amount < 0) AND (coins <= 0) AND (bonus_coins <= 0) AND (charged_coins <= 0))))
);

CREATE TABLE public.rate (
    id bigint NOT NULL,
    currency text NOT NULL,
    day date NOT NULL,
    version bigint NOT NULL,
    value bigint NOT NULL,
    scale bigint NOT NULL,
    per bigint NOT NULL,
    source text NOT NULL,
    set_by text NOT NULL,
    set_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    approved_by text,
    published_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT rate_by_another_person CHECK ((approved_by <> set_by)),
    CONSTRAINT rate_currency_is_code CHECK ((currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT rate_day_has_begun CHECK ((day <= (((published_at AT TIME ZONE 'UTC'::text) + '14:00:00'::interval))::date)),
    CONSTRAINT rate_per_known CHECK ((per = ANY (ARRAY[(1)::bigint, (100)::bigint]))),
    CONSTRAINT rate_scale_in_range CHECK (((scale >= 0) AND (scale <= 8))),
    CONSTRAINT rate_set_before_published CHECK ((set_at <= published_at)),
    CONSTRAINT rate_value_in_range CHECK (((value >= 1) AND (value <= '999999999999'::bigint)))
);

ALTER TABLE public.rate ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.rate_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.rate_proposal (
    id bigint NOT NULL,
    currency text NOT NULL,
    day date NOT NULL,
    value bigint NOT NULL,
    scale bigint NOT NULL,
    per bigint NOT NULL,
    source text NOT NULL,
    proposed_by text NOT NULL,
    proposed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    status text DEFAULT 'waiting'::text NOT NULL,
    version bigint,
    decided_by text,
    decided_at timestamp with time zone,
    CONSTRAINT rate_proposal_currency_is_code CHECK ((currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT rate_proposal_decided_by_somebody CHECK ((num_nulls(decided_by, decided_at) =
CASE status
    WHEN 'waiting'::text THEN 2
    ELSE 0
END)),
    CONSTRAINT rate_proposal_has_second_person CHECK (((status <> 'published'::text) OR (decided_by <> proposed_by))),
    CONSTRAINT rate_proposal_per_known CHECK ((per = ANY (ARRAY[(1)::bigint, (100)::bigint]))),
    CONSTRAINT rate_proposal_published_has_version CHECK (((status = 'published'::text) = (version IS NOT NULL))),
    CONSTRAINT rate_proposal_scale_in_range CHECK (((scale >= 0) AND (scale <= 8))),
    CONSTRAINT rate_proposal_status_known CHECK ((status = ANY (ARRAY['waiting'::text, 'published'::text, 'withdrawn'::text]))),
    CONSTRAINT rate_proposal_value_in_range CHECK (((value >= 1) AND (value <= '999999999999'::bigint)))
);

ALTER TABLE public.rate_proposal ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.rate_proposal_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.receipt_refusal (
    user_id text NOT NULL,
    window_ends_at timestamp with time zone NOT NULL,
    refused bigint NOT NULL,
    CONSTRAINT receipt_refusal_refused_positive CHECK ((refused > 0))
);

CREATE TABLE public.receipt_retry (
    id bigint NOT NULL,
    user_id text NOT NULL,
    gateway text NOT NULL,
    imp_uid text NOT NULL,
    merchant_uid text NOT NULL,
    payment_id text,
    status text NOT NULL,
    reason text NOT NULL,
    attempts bigint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    next_attempt_at timestamp with time zone NOT NULL,
    decided_at timestamp with time zone,
    claimed_at timestamp with time zone DEFAULT now() NOT NULL,
    lease_holder bigint,
    CONSTRAINT receipt_retry_decided_has_time CHECK (((status = 'waiting'::text) = (decided_at IS NULL))),
    CONSTRAINT receipt_retry_status_known CHECK ((status = ANY (ARRAY['waiting'::text, 'credited'::text, 'refused'::text, 'abandoned'::text])))
);

ALTER TABLE public.receipt_retry ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.receipt_retry_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.reconciliation_item (
    id bigint NOT NULL,
    run_id bigint NOT NULL,
    kind text,
    outcome text,
    gateway text NOT NULL,
    imp_uid text NOT NULL,
    merchant_uid text NOT NULL,
    payment_id text,
    paid_status text,
    paid_amount bigint,
    cancelled_amount bigint,
    paid_currency text,
    paid_at timestamp with time zone,
    purchase_id bigint,
    credited_amount bigint,
    refunded_amount bigint,
    credited_currency text,
    pending_refund_amount bigint,
    transferred_amount bigint,
    CONSTRAINT reconciliation_item_kind_known CHECK ((kind = ANY (ARRAY['matched'::text, 'paid_not_credited'::text, 'credited_not_paid'::text, 'amount_differs'::text, 'cancelled_not_clawed_back'::text, 'refunded_not_cancelled'::text, 'refunded_twice'::text, 'won_not_given_back'::text, 'waiting'::text, 'unreadable'::text]))),
    CONSTRAINT reconciliation_item_outcome_known CHECK ((outcome = ANY (ARRAY['credited'::text, 'clawed_back'::text, 'receipt_waits'::text, 'needs_person'::text]))),
    CONSTRAINT reconciliation_item_outcome_of_difference CHECK (((outcome IS NULL) OR (kind <> ALL (ARRAY['matched'::text, 'waiting'::text]))))
);

ALTER TABLE public.reconciliation_item ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.reconciliation_item_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.reconciliation_run (
    id bigint NOT NULL,
    period_from timestamp with time zone NOT NULL,
    period_to timestamp with time zone NOT NULL,
    heals boolean NOT NULL,
    gateways text[] NOT NULL,
    day date,
    requested_by text,
    idempotency_key text,
    status text NOT NULL,
    stage text NOT NULL,
    place text,
    failures bigint DEFAULT 0 NOT NULL,
    failure text,
    counts jsonb,
    lease text,
    leased_until timestamp with time zone DEFAULT now() NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    ended_at timestamp with time zone,
    lease_holder bigint,
    CONSTRAINT reconciliation_run_completed_has_counts CHECK (((status <> 'completed'::text) OR (counts IS NOT NULL))),
    CONSTRAINT reconciliation_run_ended_has_time CHECK (((status = 'running'::text) = (ended_at IS NULL))),
    CONSTRAINT reconciliation_run_period_in_order CHECK ((period_from < period_to)),
    CONSTRAINT reconciliation_run_status_known CHECK ((status = ANY (ARRAY['running'::text, 'completed'::text, 'failed'::text])))
);

ALTER TABLE public.reconciliation_run ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.reconciliation_run_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.refund (
    id bigint NOT NULL,
    stripe bigint NOT NULL,
    purchase_id bigint NOT NULL,
    user_id text NOT NULL,
    status text NOT NULL,
    coins bigint NOT NULL,
    bonus_coins bigint NOT NULL,
    value bigint NOT NULL,
    fee bigint NOT NULL,
    amount bigint NOT NULL,
    currency text NOT NULL,
    explanation text NOT NULL,
    refund_account jsonb,
    believed_balance bigint NOT NULL,
    refusal text,
    refusal_code text,
    cancellation_id text,
    journal_entry_id bigint NOT NULL,
    reversal_entry_id bigint,
    reason text NOT NULL,
    attempts bigint DEFAULT 0 NOT NULL,
    requested_at timestamp with time zone NOT NULL,
    next_attempt_at timestamp with time zone NOT NULL,
    decided_at timestamp with time zone,
    bonus_charged bigint DEFAULT 0 NOT NULL,
    lease_holder bigint,
    asked_at timestamp with time zone,
    method text DEFAULT 'gateway'::text NOT NULL,
    taken jsonb,
    paid_at timestamp with time zone,
    bank_reference text,
    fee_rule text,
    fee_waiver text,
    expired_coins bigint DEFAULT 0 NOT NULL,
    expired_value bigint DEFAULT 0 NOT NULL,
    expired_fee bigint DEFAULT 0 NOT NULL,
    expiry_reversal_id bigint,
    fee_vat bigint,
    expired_won bigint,
    repaid_at timestamp with time zone,
    repayment_reference text,
    tax_free bigint,
    foreign_amount bigint,
    foreign_fee bigint,
    foreign_currency text,
    foreign_balance bigint,
    CONSTRAINT refund_account_is_erased CHECK (((status = 'pending'::text) OR (refund_account IS NULL))),
    CONSTRAINT refund_amount_is_value_less_fee CHECK ((amount = (value - fee))),
    CONSTRAINT refund_amount_positive CHECK ((amount > 0)),
    CONSTRAINT refund_amount_within_balance CHECK ((amount <= believed_balance)),
    CONSTRAINT refund_bonus_charged_within_coins CHECK (((bonus_charged >= 0) AND (bonus_charged < coins))),
    CONSTRAINT refund_bonus_coins_not_negative CHECK ((bonus_coins >= 0)),
    CONSTRAINT refund_by_transfer_has_taken CHECK (((method = 'bank_transfer'::text) = (taken IS NOT NULL))),
    CONSTRAINT refund_coins_positive CHECK ((coins > 0)),
    CONSTRAINT refund_decided_has_time CHECK (((status = ANY (ARRAY['pending'::text, 'approved'::text])) = (decided_at IS NULL))),
    CONSTRAINT refund_expired_has_entry CHECK (((expired_coins > 0) = (expiry_reversal_id IS NOT NULL))),
    CONSTRAINT refund_expired_within_refund CHECK ((((expired_coins >= 0) AND (expired_coins <= coins)) AND ((expired_value >= 0) AND (expired_value <= value)) AND ((expired_fee >= 0) AND (expired_fee <= fee)) AND (expired_fee <= expired_value))),
    CONSTRAINT refund_fee_fits_rule CHECK ((
CASE fee_rule
    WHEN 'waived'::text THEN (fee = 0)
    WHEN 'free_days'::text THEN (fee = expired_fee)
    WHEN 'expired'::text THEN ((fee = expired_fee) AND (coins = expired_coins))
    ELSE true
END AND ((fee_waiver IS NOT NULL) = COALESCE((fee_rule = 'waived'::text), false)))),
    CONSTRAINT refund_fee_not_negative CHECK ((fee >= 0)),
    CONSTRAINT refund_fee_rule_known CHECK ((fee_rule = ANY (ARRAY['waived'::text, 'free_days'::text, 'expired'::text, 'percentage'::text, 'minimum'::text]))),
    CONSTRAINT refund_fee_vat_of_fee CHECK ((((fee > 0) AND ((fee_vat = 0) OR (fee_vat = (fee / 11)))) OR (fee_vat IS NULL))),
    CONSTRAINT refund_foreign_amount_positive CHECK ((foreign_amount > 0)),
    CONSTRAINT refund_foreign_by_gateway CHECK (((foreign_amount IS NULL) OR (method = 'gateway'::text))),
    CONSTRAINT refund_foreign_fee_not_negative CHECK ((foreign_fee >= 0)),
    CONSTRAINT refund_foreign_whole CHECK ((num_nulls(foreign_amount, foreign_fee, foreign_currency, foreign_balance) = ANY (ARRAY[0, 4]))),
    CONSTRAINT refund_foreign_within_balance CHECK ((foreign_amount <= (foreign_balance - foreign_fee))),
    CONSTRAINT refund_paid_has_bank_reference CHECK ((((paid_at IS NULL) = (bank_reference IS NULL)) AND ((repaid_at IS NULL) = (repayment_reference IS NULL)) AND
CASE
    WHEN ((method = 'bank_transfer'::text) AND (status = ANY (ARRAY['completed'::text, 'reversed'::text]))) THEN ((paid_at IS NOT NULL) = ((status = 'completed'::text) OR (repaid_at IS NOT NULL)))
    ELSE ((paid_at IS NULL) AND (repaid_at IS NULL))
END)),
    CONSTRAINT refund_refused_has_refusal CHECK (((status = 'refused'::text) = (refusal IS NOT NULL))),
    CONSTRAINT refund_status_fits_method CHECK (
CASE method
    WHEN 'gateway'::text THEN (status = ANY (ARRAY['pending'::text, 'completed'::text, 'refused'::text]))
    WHEN 'bank_transfer'::text THEN (status = ANY (ARRAY['approved'::text, 'completed'::text, 'reversed'::text]))
    ELSE false
END),
    CONSTRAINT refund_taken_has_reversal CHECK (((status = ANY (ARRAY['approved'::text, 'completed'::text, 'reversed'::text])) = (reversal_entry_id IS NOT NULL))),
    CONSTRAINT refund_tax_free_within_amount CHECK (((tax_free IS NULL) OR (((tax_free >= 0) AND (tax_free <= COALESCE(foreign_amount, amount))) AND (method = 'gateway'::text))))
)
WITH (fillfactor='80');

CREATE TABLE public.refund_decision (
    journal_entry_id bigint NOT NULL,
    refund_id bigint NOT NULL,
    status text NOT NULL,
    refusal text,
    refusal_code text,
    cancellation_id text,
    paid_at timestamp with time zone,
    bank_reference text,
    repaid_at timestamp with time zone,
    repayment_reference text,
    CONSTRAINT refund_decision_paid_has_bank_reference CHECK (((paid_at IS NULL) = (bank_reference IS NULL))),
    CONSTRAINT refund_decision_refused_has_refusal CHECK (((status = 'refused'::text) = (refusal IS NOT NULL))),
    CONSTRAINT refund_decision_repaid_has_reference CHECK (((repaid_at IS NULL) = (repayment_reference IS NULL))),
    CONSTRAINT refund_decision_status_known CHECK ((status = ANY (ARRAY['completed'::text, 'refused'::text, 'reversed'::text])))
);

CREATE TABLE public.refund_question (
    id bigint NOT NULL,
    purchase_id bigint NOT NULL,
    gateway text NOT NULL,
    token text NOT NULL,
    store_reason text,
    asked_at timestamp with time zone NOT NULL,
    deadline timestamp with time zone NOT NULL,
    status text DEFAULT 'waiting'::text NOT NULL,
    reason text DEFAULT 'asked'::text NOT NULL,
    attempts bigint DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone NOT NULL,
    lease_holder bigint,
    decided_at timestamp with time zone,
    preference text,
    percentage bigint,
    overruled_to text,
    overruled_by text,
    overruled_why text,
    overruled_at timestamp with time zone,
    outcome text,
    outcome_at timestamp with time zone,
    CONSTRAINT refund_question_decided_has_time CHECK (((status = 'waiting'::text) = (decided_at IS NULL))),
    CONSTRAINT refund_question_outcome_has_time CHECK (((outcome IS NULL) = (outcome_at IS NULL))),
    CONSTRAINT refund_question_outcome_known CHECK ((outcome = ANY (ARRAY['refunded'::text, 'declined'::text]))),
    CONSTRAINT refund_question_percentage_within_whole CHECK (((percentage >= 0) AND (percentage <= 100000))),
    CONSTRAINT refund_question_preference_known CHECK (((preference = ANY (ARRAY['grant_full'::text, 'grant_prorated'::text, 'decline'::text])) AND (overruled_to = ANY (ARRAY['grant_full'::text, 'grant_prorated'::text, 'decline'::text])))),
    CONSTRAINT refund_question_status_known CHECK ((status = ANY (ARRAY['waiting'::text, 'answered'::text, 'unconsented'::text, 'unanswered'::text, 'ended'::text])))
)
WITH (fillfactor='80');

ALTER TABLE public.refund_question ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.refund_question_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.revaluation (
    id bigint NOT NULL,
    currency text NOT NULL,
    month text NOT NULL,
    basis_id bigint NOT NULL,
    amount bigint NOT NULL,
    journal_entry_id bigint,
    reversal_entry_id bigint,
    revalued_by text NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    CONSTRAINT revaluation_with_entries CHECK ((num_nonnulls(journal_entry_id, reversal_entry_id) =
CASE
    WHEN (amount = 0) THEN 0
    ELSE 2
END))
);

CREATE TABLE public.revaluation_basis (
    id bigint NOT NULL,
    currency text NOT NULL,
    month text NOT NULL,
    zone text NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    rate_id bigint NOT NULL,
    open bigint NOT NULL,
    carried bigint NOT NULL,
    worth bigint NOT NULL,
    measured_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    snapshot pg_snapshot,
    measured_from bigint,
    last_rate_id bigint,
    CONSTRAINT revaluation_basis_month_is_one CHECK ((month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'::text))
);

CREATE TABLE public.seal (
    id bigint NOT NULL,
    statement text NOT NULL,
    public_key bytea NOT NULL,
    signature bytea NOT NULL,
    sealed_at timestamp with time zone NOT NULL,
    CONSTRAINT seal_public_key_is_ed25519 CHECK ((octet_length(public_key) = 32)),
    CONSTRAINT seal_signature_is_ed25519 CHECK ((octet_length(signature) = 64))
);

ALTER TABLE public.seal ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.seal_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.settlement_columns (
    gateway text NOT NULL,
    payment_id text NOT NULL,
    gross text NOT NULL,
    fee text,
    tax text,
    net text NOT NULL,
    paid_out_at text NOT NULL,
    saved_by text NOT NULL,
    saved_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    payment_currency text,
    payout_rate text,
    payout_won text,
    CONSTRAINT settlement_columns_has_gateway CHECK ((gateway <> ''::text))
);

CREATE TABLE public.settlement_dismissal (
    row_id bigint NOT NULL,
    payment text NOT NULL,
    reason text NOT NULL,
    dismissed_by text NOT NULL,
    dismissed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    kind text,
    CONSTRAINT settlement_dismissal_has_reason CHECK ((reason <> ''::text)),
    CONSTRAINT settlement_dismissal_kind_known CHECK ((kind = ANY (ARRAY['other_goods'::text, 'total'::text, 'other'::text])))
);

CREATE TABLE public.settlement_dismissal_check (
    row_id bigint NOT NULL,
    payment text NOT NULL,
    checked_by text NOT NULL,
    checked_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE public.settlement_file (
    id bigint NOT NULL,
    sha256 bytea NOT NULL,
    name text NOT NULL,
    imported_by text NOT NULL,
    imported_at timestamp with time zone DEFAULT now() NOT NULL,
    is_summed boolean DEFAULT true NOT NULL
);

ALTER TABLE public.settlement_file ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.settlement_file_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.settlement_file_sum (
    file_id bigint NOT NULL,
    part bigint NOT NULL,
    waiting bigint NOT NULL,
    settled bigint NOT NULL,
    unmatched bigint NOT NULL,
    dismissed bigint NOT NULL,
    refused bigint NOT NULL,
    gross bigint NOT NULL,
    fee bigint NOT NULL,
    tax bigint NOT NULL,
    net bigint NOT NULL
);

CREATE TABLE public.settlement_row (
    id bigint NOT NULL,
    file_id bigint NOT NULL,
    line bigint NOT NULL,
    payment text NOT NULL,
    gross bigint NOT NULL,
    fee bigint NOT NULL,
    tax bigint NOT NULL,
    net bigint NOT NULL,
    paid_out_on date NOT NULL,
    paid_out_at timestamp with time zone NOT NULL,
    place bigint NOT NULL,
    status text NOT NULL,
    reason text,
    purchase_id bigint,
    journal_entry_id bigint,
    settled_at timestamp with time zone,
    input_vat bigint DEFAULT 0 NOT NULL,
    is_dismissed boolean DEFAULT false NOT NULL,
    foreign_gross bigint,
    foreign_currency text,
    carried bigint,
    foreign_net bigint,
    CONSTRAINT settlement_row_adds_up CHECK ((net = ((gross - fee) - tax))),
    CONSTRAINT settlement_row_carried_when_settled CHECK (((carried IS NOT NULL) = ((status = 'settled'::text) AND (foreign_gross IS NOT NULL)))),
    CONSTRAINT settlement_row_foreign_same_way CHECK ((((sign((foreign_gross)::double precision) * sign((gross)::double precision)) >= (0)::double precision) AND ((foreign_gross <> 0) OR (gross = 0)))),
    CONSTRAINT settlement_row_foreign_whole CHECK (((foreign_gross IS NULL) = (foreign_currency IS NULL))),
    CONSTRAINT settlement_row_refused_has_reason CHECK (((status = 'refused'::text) = (reason IS NOT NULL))),
    CONSTRAINT settlement_row_settled_has_entry CHECK (
CASE
    WHEN (status = 'settled'::text) THEN (num_nulls(purchase_id, journal_entry_id, settled_at) = 0)
    ELSE (num_nonnulls(journal_entry_id, settled_at) = 0)
END),
    CONSTRAINT settlement_row_status_known CHECK ((status = ANY (ARRAY['waiting'::text, 'settled'::text, 'unmatched'::text, 'refused'::text])))
);

ALTER TABLE public.settlement_row ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.settlement_row_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.store_account (
    token uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id text NOT NULL,
    made_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE public.store_consent (
    id bigint NOT NULL,
    user_id text NOT NULL,
    consents boolean NOT NULL,
    set_by text NOT NULL,
    set_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

ALTER TABLE public.store_consent ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.store_consent_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.store_delivery (
    id bigint NOT NULL,
    purchase_id bigint NOT NULL,
    status text DEFAULT 'waiting'::text NOT NULL,
    reason text DEFAULT 'credited'::text NOT NULL,
    attempts bigint DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone DEFAULT now() NOT NULL,
    lease_holder bigint,
    decided_at timestamp with time zone,
    in_a_row bigint DEFAULT 0 NOT NULL,
    CONSTRAINT store_delivery_decided_has_time CHECK (((status = 'waiting'::text) = (decided_at IS NULL))),
    CONSTRAINT store_delivery_status_known CHECK ((status = ANY (ARRAY['waiting'::text, 'finished'::text, 'left'::text, 'abandoned'::text])))
)
WITH (fillfactor='80');

ALTER TABLE public.store_delivery ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.store_delivery_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.store_product (
    id bigint NOT NULL,
    store text NOT NULL,
    app text NOT NULL,
    product_id text NOT NULL,
    product text NOT NULL,
    set_by text NOT NULL,
    set_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT store_product_store_known CHECK ((store = ANY (ARRAY['app-store'::text, 'google-play'::text])))
);

ALTER TABLE public.store_product ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.store_product_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.top_up (
    id bigint NOT NULL,
    user_id text NOT NULL,
    status text DEFAULT 'active'::text NOT NULL,
    gateway text NOT NULL,
    billing_key text,
    product text NOT NULL,
    threshold bigint NOT NULL,
    monthly_limit bigint NOT NULL,
    failures bigint DEFAULT 0 NOT NULL,
    reason text,
    rests_until timestamp with time zone,
    agreed_at timestamp with time zone DEFAULT now() NOT NULL,
    set_by text NOT NULL,
    changed_by text,
    ended_at timestamp with time zone,
    CONSTRAINT top_up_billing_key_in_range CHECK (((char_length(billing_key) >= 1) AND (char_length(billing_key) <= 200))),
    CONSTRAINT top_up_ended_has_time CHECK (((status = 'revoked'::text) = (ended_at IS NOT NULL))),
    CONSTRAINT top_up_key_is_erased CHECK (((status = 'revoked'::text) = (billing_key IS NULL))),
    CONSTRAINT top_up_monthly_limit_positive CHECK ((monthly_limit > 0)),
    CONSTRAINT top_up_status_known CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'revoked'::text]))),
    CONSTRAINT top_up_stopped_has_reason CHECK (((status = 'active'::text) = (reason IS NULL))),
    CONSTRAINT top_up_threshold_positive CHECK ((threshold > 0))
)
WITH (fillfactor='80');

CREATE TABLE public.top_up_charge (
    id bigint NOT NULL,
    top_up_id bigint NOT NULL,
    user_id text NOT NULL,
    status text DEFAULT 'waiting'::text NOT NULL,
    reason text DEFAULT 'started'::text NOT NULL,
    journal_entry_id bigint NOT NULL,
    name text DEFAULT (('topup-'::text || lpad(to_hex(((EXTRACT(epoch FROM clock_timestamp()) * (1000)::numeric))::bigint), 12, '0'::text)) || "right"(replace((gen_random_uuid())::text, '-'::text, ''::text), 20)) NOT NULL,
    merchant_uid text,
    amount bigint,
    attempts bigint DEFAULT 0 NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    next_attempt_at timestamp with time zone DEFAULT now() NOT NULL,
    lease_holder bigint,
    asked_at timestamp with time zone,
    decided_at timestamp with time zone,
    CONSTRAINT top_up_charge_asked_has_order CHECK (((asked_at IS NULL) OR (merchant_uid IS NOT NULL))),
    CONSTRAINT top_up_charge_credited_has_order CHECK (((status <> 'credited'::text) OR (merchant_uid IS NOT NULL))),
    CONSTRAINT top_up_charge_decided_has_time CHECK (((status = 'waiting'::text) = (decided_at IS NULL))),
    CONSTRAINT top_up_charge_dropped_is_not_asked CHECK (((status <> 'dropped'::text) OR (asked_at IS NULL))),
    CONSTRAINT top_up_charge_order_has_amount CHECK (((merchant_uid IS NULL) = (amount IS NULL))),
    CONSTRAINT top_up_charge_order_has_name CHECK ((merchant_uid = name)),
    CONSTRAINT top_up_charge_status_known CHECK ((status = ANY (ARRAY['waiting'::text, 'credited'::text, 'failed'::text, 'dropped'::text])))
)
WITH (fillfactor='80');

ALTER TABLE public.top_up_charge ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.top_up_charge_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE public.top_up ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.top_up_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.user_alias (
    former text NOT NULL,
    former_stripe bigint NOT NULL,
    user_id text NOT NULL,
    stripe bigint NOT NULL
);

CREATE TABLE public.user_merge (
    former text NOT NULL,
    former_stripe bigint NOT NULL,
    user_id text NOT NULL,
    stripe bigint NOT NULL,
    is_rename boolean NOT NULL,
    coins bigint NOT NULL,
    debt bigint NOT NULL,
    sent_entry_id bigint,
    received_entry_id bigint,
    merged_at timestamp with time zone NOT NULL,
    merged_by text NOT NULL,
    reason text NOT NULL,
    CONSTRAINT user_merge_coins_not_negative CHECK ((coins >= 0)),
    CONSTRAINT user_merge_debt_not_negative CHECK ((debt >= 0)),
    CONSTRAINT user_merge_has_entries CHECK ((num_nulls(sent_entry_id, received_entry_id) =
CASE
    WHEN ((coins + debt) > 0) THEN 0
    ELSE 2
END)),
    CONSTRAINT user_merge_into_another CHECK ((former <> user_id))
);

CREATE TABLE public.webhook_event (
    id bigint NOT NULL,
    gateway text NOT NULL,
    event_id text,
    type text NOT NULL,
    imp_uid text,
    merchant_uid text,
    payment_id text,
    status text NOT NULL,
    reason text NOT NULL,
    attempts bigint DEFAULT 0 NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    next_attempt_at timestamp with time zone DEFAULT now() NOT NULL,
    decided_at timestamp with time zone,
    source text,
    urgency smallint DEFAULT 0 NOT NULL,
    repeats bigint DEFAULT 0 NOT NULL,
    lease_holder bigint,
    told_at timestamp with time zone,
    question_token text,
    question_reason text,
    CONSTRAINT webhook_event_decided_has_time CHECK (((status = 'waiting'::text) = (decided_at IS NULL))),
    CONSTRAINT webhook_event_status_known CHECK ((status = ANY (ARRAY['waiting'::text, 'done'::text, 'ignored'::text, 'abandoned'::text])))
);

ALTER TABLE public.webhook_event ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.webhook_event_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_code_unique UNIQUE (code);

ALTER TABLE ONLY public.account_day
    ADD CONSTRAINT account_day_pkey PRIMARY KEY (zone, class, currency, day);

ALTER TABLE ONLY public.account_day_progress
    ADD CONSTRAINT account_day_progress_pkey PRIMARY KEY (zone);

ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.account_salt
    ADD CONSTRAINT account_salt_pkey PRIMARY KEY (account_id);

ALTER TABLE ONLY public.accounting_policy
    ADD CONSTRAINT accounting_policy_pkey PRIMARY KEY (id);

ALTER TABLE public.accounting_policy
    ADD CONSTRAINT accounting_policy_starts_with_month CHECK ((((starts_at - (make_timestamp((substr(month, 1, 4))::integer, (substr(month, 6, 2))::integer, 1, 0, 0, (0)::double precision) AT TIME ZONE 'UTC'::text)) >= '-14:00:00'::interval) AND ((starts_at - (make_timestamp((substr(month, 1, 4))::integer, (substr(month, 6, 2))::integer, 1, 0, 0, (0)::double precision) AT TIME ZONE 'UTC'::text)) <= '12:00:00'::interval))) NOT VALID;

ALTER TABLE ONLY public.adjustment_basis
    ADD CONSTRAINT adjustment_basis_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.adjustment_cohort
    ADD CONSTRAINT adjustment_cohort_pkey PRIMARY KEY (adjustment_id, sold_in);

ALTER TABLE ONLY public.adjustment
    ADD CONSTRAINT adjustment_entry_once UNIQUE (journal_entry_id);

ALTER TABLE ONLY public.adjustment
    ADD CONSTRAINT adjustment_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.approval
    ADD CONSTRAINT approval_once UNIQUE (key);

ALTER TABLE ONLY public.approval
    ADD CONSTRAINT approval_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.audit
    ADD CONSTRAINT audit_once UNIQUE (key);

ALTER TABLE ONLY public.audit_outcome
    ADD CONSTRAINT audit_outcome_pkey PRIMARY KEY (audit_id);

ALTER TABLE ONLY public.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.balance_alert
    ADD CONSTRAINT balance_alert_once PRIMARY KEY (owner);

ALTER TABLE ONLY public.campaign
    ADD CONSTRAINT campaign_code_unique UNIQUE (code);

ALTER TABLE ONLY public.campaign_grant
    ADD CONSTRAINT campaign_grant_once UNIQUE (user_id, campaign_id);

ALTER TABLE ONLY public.campaign_grant
    ADD CONSTRAINT campaign_grant_pkey PRIMARY KEY (lot_id);

ALTER TABLE ONLY public.campaign
    ADD CONSTRAINT campaign_name_unique UNIQUE (name);

ALTER TABLE ONLY public.campaign
    ADD CONSTRAINT campaign_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.campaign_run
    ADD CONSTRAINT campaign_run_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.campaign_sum
    ADD CONSTRAINT campaign_sum_pkey PRIMARY KEY (campaign_id, stripe);

ALTER TABLE ONLY public.campaign_user
    ADD CONSTRAINT campaign_user_pkey PRIMARY KEY (user_id, campaign_id);

ALTER TABLE ONLY public.chain_link
    ADD CONSTRAINT chain_link_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.claw_back_reversal
    ADD CONSTRAINT claw_back_reversal_once UNIQUE (claw_back_id);

ALTER TABLE ONLY public.claw_back_reversal
    ADD CONSTRAINT claw_back_reversal_pkey PRIMARY KEY (journal_entry_id);

ALTER TABLE ONLY public.closed_period
    ADD CONSTRAINT closed_period_once UNIQUE (until);

ALTER TABLE ONLY public.closed_period
    ADD CONSTRAINT closed_period_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.closing_proposal
    ADD CONSTRAINT closing_proposal_key_once UNIQUE (key);

ALTER TABLE ONLY public.closing_proposal
    ADD CONSTRAINT closing_proposal_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.coin_freeze
    ADD CONSTRAINT coin_freeze_pkey PRIMARY KEY (journal_entry_id);

ALTER TABLE ONLY public.coin_return
    ADD CONSTRAINT coin_return_pkey PRIMARY KEY (journal_entry_id, lot_id);

ALTER TABLE ONLY public.console_session
    ADD CONSTRAINT console_session_pkey PRIMARY KEY (token_sha256);

ALTER TABLE ONLY public.custody_balance
    ADD CONSTRAINT custody_balance_once UNIQUE (key);

ALTER TABLE ONLY public.custody_balance
    ADD CONSTRAINT custody_balance_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.customer_note
    ADD CONSTRAINT customer_note_once UNIQUE (key);

ALTER TABLE ONLY public.customer_note
    ADD CONSTRAINT customer_note_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.debt_bank_payment
    ADD CONSTRAINT debt_bank_payment_pkey PRIMARY KEY (journal_entry_id);

ALTER TABLE ONLY public.difference_act
    ADD CONSTRAINT difference_act_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.dispute_decision
    ADD CONSTRAINT dispute_decision_of_one_entry UNIQUE (journal_entry_id);

ALTER TABLE ONLY public.dispute_decision
    ADD CONSTRAINT dispute_decision_pkey PRIMARY KEY (dispute_id, seq);

ALTER TABLE ONLY public.dispute
    ADD CONSTRAINT dispute_once UNIQUE (purchase_id, opened_at);

ALTER TABLE ONLY public.dispute
    ADD CONSTRAINT dispute_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.dispute_win
    ADD CONSTRAINT dispute_win_pkey PRIMARY KEY (dispute_id);

ALTER TABLE ONLY public.endpoint_attempt
    ADD CONSTRAINT endpoint_attempt_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.endpoint_failure
    ADD CONSTRAINT endpoint_failure_pkey PRIMARY KEY (endpoint_id, seq);

ALTER TABLE ONLY public.endpoint_lane
    ADD CONSTRAINT endpoint_lane_pkey PRIMARY KEY (reader_id, lane);

ALTER TABLE ONLY public.endpoint
    ADD CONSTRAINT endpoint_once UNIQUE (idempotency_key, created_by);

ALTER TABLE ONLY public.endpoint
    ADD CONSTRAINT endpoint_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.endpoint_reader
    ADD CONSTRAINT endpoint_reader_once UNIQUE (endpoint_id, idempotency_key, requested_by);

ALTER TABLE ONLY public.endpoint_reader
    ADD CONSTRAINT endpoint_reader_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.entry_kind
    ADD CONSTRAINT entry_kind_pkey PRIMARY KEY (kind);

ALTER TABLE ONLY public.entry_salt
    ADD CONSTRAINT entry_salt_pkey PRIMARY KEY (entry_id);

ALTER TABLE ONLY public.event
    ADD CONSTRAINT event_once UNIQUE (id);

ALTER TABLE ONLY public.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (seq);

ALTER TABLE ONLY public.finding_act
    ADD CONSTRAINT finding_act_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.finding
    ADD CONSTRAINT finding_once UNIQUE (imp_uid, gateway);

ALTER TABLE ONLY public.finding
    ADD CONSTRAINT finding_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.foreign_currency
    ADD CONSTRAINT foreign_currency_pkey PRIMARY KEY (code);

ALTER TABLE ONLY public.forgetting
    ADD CONSTRAINT forgetting_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.forgotten_payment
    ADD CONSTRAINT forgotten_payment_pkey PRIMARY KEY (digest);

ALTER TABLE ONLY public.gift_lot
    ADD CONSTRAINT gift_lot_pkey PRIMARY KEY (gift_id, from_lot_id);

ALTER TABLE ONLY public.gift
    ADD CONSTRAINT gift_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.gift
    ADD CONSTRAINT gift_received_entry_unique UNIQUE (received_entry_id);

ALTER TABLE ONLY public.gift
    ADD CONSTRAINT gift_sent_entry_unique UNIQUE (sent_entry_id);

ALTER TABLE ONLY public.grant_counted
    ADD CONSTRAINT grant_counted_pkey PRIMARY KEY (caller, key);

ALTER TABLE ONLY public.grant_day
    ADD CONSTRAINT grant_day_pkey PRIMARY KEY (caller, day);

ALTER TABLE ONLY public.grant_void
    ADD CONSTRAINT grant_void_pkey PRIMARY KEY (journal_entry_id);

ALTER TABLE ONLY public.hold_event
    ADD CONSTRAINT hold_event_pkey PRIMARY KEY (journal_entry_id);

ALTER TABLE ONLY public.hold_lot
    ADD CONSTRAINT hold_lot_pkey PRIMARY KEY (hold_id, place);

ALTER TABLE ONLY public.hold
    ADD CONSTRAINT hold_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.idempotency
    ADD CONSTRAINT idempotency_pkey PRIMARY KEY (key, caller);

ALTER TABLE ONLY public.journal_entry
    ADD CONSTRAINT journal_entry_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.judge_file
    ADD CONSTRAINT judge_file_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.ledger
    ADD CONSTRAINT ledger_pkey PRIMARY KEY (is_only);

ALTER TABLE ONLY public.lot_movement
    ADD CONSTRAINT lot_movement_pkey PRIMARY KEY (lot_id, seq);

ALTER TABLE ONLY public.lot
    ADD CONSTRAINT lot_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.migration
    ADD CONSTRAINT migration_pkey PRIMARY KEY (version);

ALTER TABLE ONLY public.notification_walk
    ADD CONSTRAINT notification_walk_pkey PRIMARY KEY (gateway, list);

ALTER TABLE ONLY public.occurrence
    ADD CONSTRAINT occurrence_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.order_expiry
    ADD CONSTRAINT order_expiry_pkey PRIMARY KEY (is_only);

ALTER TABLE ONLY public."order"
    ADD CONSTRAINT order_idempotency_key_unique UNIQUE (idempotency_key, user_id);

ALTER TABLE ONLY public."order"
    ADD CONSTRAINT order_merchant_uid_unique UNIQUE (merchant_uid);

ALTER TABLE ONLY public."order"
    ADD CONSTRAINT order_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.payment_name
    ADD CONSTRAINT payment_name_pkey PRIMARY KEY (imp_uid, gateway);

ALTER TABLE ONLY public.payout_decision
    ADD CONSTRAINT payout_decision_pkey PRIMARY KEY (payout_id, decision);

ALTER TABLE ONLY public.payout_entry
    ADD CONSTRAINT payout_entry_once UNIQUE (payout_id, provider, stripe);

ALTER TABLE ONLY public.payout_entry
    ADD CONSTRAINT payout_entry_pkey PRIMARY KEY (journal_entry_id);

ALTER TABLE ONLY public.payout_item
    ADD CONSTRAINT payout_item_pkey PRIMARY KEY (payout_id, provider);

ALTER TABLE ONLY public.payout
    ADD CONSTRAINT payout_key_once UNIQUE (key, proposed_by);

ALTER TABLE ONLY public.payout_part
    ADD CONSTRAINT payout_part_pkey PRIMARY KEY (payout_id, provider, stripe);

ALTER TABLE ONLY public.payout
    ADD CONSTRAINT payout_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.posting
    ADD CONSTRAINT posting_pkey PRIMARY KEY (account_id, seq);

ALTER TABLE ONLY public.product
    ADD CONSTRAINT product_code_sold_once EXCLUDE USING gist (public.text_range(code, code, '[]'::text) WITH &&, tstzrange(active_from, active_until) WITH &&);

ALTER TABLE ONLY public.product
    ADD CONSTRAINT product_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.product_price
    ADD CONSTRAINT product_price_once EXCLUDE USING gist (public.text_range(product, product, '[]'::text) WITH &&, public.text_range(currency, currency, '[]'::text) WITH &&, tstzrange(active_from, active_until) WITH &&);

ALTER TABLE ONLY public.product_price
    ADD CONSTRAINT product_price_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.product
    ADD CONSTRAINT product_price_sold_once EXCLUDE USING gist (public.text_range(currency, currency, '[]'::text) WITH &&, int8range(price, price, '[]'::text) WITH &&, tstzrange(active_from, active_until) WITH &&);

ALTER TABLE ONLY public.provider_account
    ADD CONSTRAINT provider_account_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.provider_repayment
    ADD CONSTRAINT provider_repayment_pkey PRIMARY KEY (journal_entry_id);

ALTER TABLE ONLY public.provider_share
    ADD CONSTRAINT provider_share_pkey PRIMARY KEY (journal_entry_id);

ALTER TABLE ONLY public.provider_terms
    ADD CONSTRAINT provider_terms_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.purchase
    ADD CONSTRAINT purchase_imp_uid_unique UNIQUE (imp_uid, gateway);

ALTER TABLE ONLY public.purchase
    ADD CONSTRAINT purchase_merchant_uid_unique UNIQUE (merchant_uid);

ALTER TABLE ONLY public.purchase
    ADD CONSTRAINT purchase_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.purchase_reversal
    ADD CONSTRAINT purchase_reversal_pkey PRIMARY KEY (journal_entry_id);

ALTER TABLE ONLY public.rate
    ADD CONSTRAINT rate_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.rate_proposal
    ADD CONSTRAINT rate_proposal_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.rate
    ADD CONSTRAINT rate_version_once UNIQUE (currency, day, version);

ALTER TABLE ONLY public.receipt_refusal
    ADD CONSTRAINT receipt_refusal_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY public.receipt_retry
    ADD CONSTRAINT receipt_retry_once_a_user UNIQUE (gateway, imp_uid, merchant_uid, user_id);

ALTER TABLE ONLY public.receipt_retry
    ADD CONSTRAINT receipt_retry_pkey PRIMARY KEY (id);

ALTER TABLE public.reconciliation_item
    ADD CONSTRAINT reconciliation_item_matched_has_payment CHECK (((kind <> 'matched'::text) OR (paid_status IS NOT NULL))) NOT VALID;

ALTER TABLE ONLY public.reconciliation_item
    ADD CONSTRAINT reconciliation_item_once UNIQUE (run_id, imp_uid, gateway);

ALTER TABLE ONLY public.reconciliation_item
    ADD CONSTRAINT reconciliation_item_pkey PRIMARY KEY (run_id, id);

ALTER TABLE ONLY public.reconciliation_run
    ADD CONSTRAINT reconciliation_run_asked_once UNIQUE (idempotency_key, requested_by);

ALTER TABLE ONLY public.reconciliation_run
    ADD CONSTRAINT reconciliation_run_once_a_day UNIQUE (day);

ALTER TABLE ONLY public.reconciliation_run
    ADD CONSTRAINT reconciliation_run_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.refund_decision
    ADD CONSTRAINT refund_decision_pkey PRIMARY KEY (journal_entry_id);

ALTER TABLE ONLY public.refund
    ADD CONSTRAINT refund_one_pending EXCLUDE USING btree (purchase_id WITH =) WHERE ((status = 'pending'::text)) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.refund
    ADD CONSTRAINT refund_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.refund_question
    ADD CONSTRAINT refund_question_once UNIQUE (token, gateway);

ALTER TABLE ONLY public.refund_question
    ADD CONSTRAINT refund_question_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.revaluation_basis
    ADD CONSTRAINT revaluation_basis_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.revaluation
    ADD CONSTRAINT revaluation_once UNIQUE (currency, month);

ALTER TABLE ONLY public.revaluation
    ADD CONSTRAINT revaluation_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.seal
    ADD CONSTRAINT seal_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.settlement_columns
    ADD CONSTRAINT settlement_columns_pkey PRIMARY KEY (gateway);

ALTER TABLE ONLY public.settlement_dismissal_check
    ADD CONSTRAINT settlement_dismissal_check_pkey PRIMARY KEY (row_id, payment);

ALTER TABLE ONLY public.settlement_dismissal
    ADD CONSTRAINT settlement_dismissal_pkey PRIMARY KEY (row_id, payment);

ALTER TABLE ONLY public.settlement_file
    ADD CONSTRAINT settlement_file_once UNIQUE (sha256);

ALTER TABLE ONLY public.settlement_file
    ADD CONSTRAINT settlement_file_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.settlement_file_sum
    ADD CONSTRAINT settlement_file_sum_pkey PRIMARY KEY (file_id, part);

ALTER TABLE ONLY public.settlement_row
    ADD CONSTRAINT settlement_row_of_file UNIQUE (file_id, line);

ALTER TABLE ONLY public.settlement_row
    ADD CONSTRAINT settlement_row_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.store_account
    ADD CONSTRAINT store_account_pkey PRIMARY KEY (token);

ALTER TABLE ONLY public.store_consent
    ADD CONSTRAINT store_consent_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.store_delivery
    ADD CONSTRAINT store_delivery_of_purchase UNIQUE (purchase_id);

ALTER TABLE ONLY public.store_delivery
    ADD CONSTRAINT store_delivery_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.store_product
    ADD CONSTRAINT store_product_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.top_up_charge
    ADD CONSTRAINT top_up_charge_order_unique UNIQUE (merchant_uid);

ALTER TABLE ONLY public.top_up_charge
    ADD CONSTRAINT top_up_charge_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.top_up
    ADD CONSTRAINT top_up_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.transaction_tally
    ADD CONSTRAINT transaction_tally_pkey PRIMARY KEY (transaction_id);

ALTER TABLE ONLY public.user_alias
    ADD CONSTRAINT user_alias_pkey PRIMARY KEY (former);

ALTER TABLE ONLY public.user_merge
    ADD CONSTRAINT user_merge_once PRIMARY KEY (former);

ALTER TABLE ONLY public.webhook_event
    ADD CONSTRAINT webhook_event_once UNIQUE (event_id, gateway);

ALTER TABLE ONLY public.webhook_event
    ADD CONSTRAINT webhook_event_pkey PRIMARY KEY (id);

CREATE INDEX account_by_owner ON public.account USING btree (owner text_pattern_ops) WHERE ((owner IS NOT NULL) AND (code !~~ 'earnings:%'::text));

CREATE INDEX account_in_debt ON public.account USING btree (owner) WHERE owes;

CREATE INDEX account_of_earnings ON public.account USING btree (id) WHERE ((owner IS NOT NULL) AND (code ~~ 'earnings:%'::text));

CREATE INDEX accounting_policy_in_force ON public.accounting_policy USING btree (subject, month, id);

CREATE INDEX adjustment_of_subject ON public.adjustment USING btree (subject, number);

CREATE INDEX approval_by_target ON public.approval USING btree (target, id);

CREATE INDEX approval_by_user ON public.approval USING btree (user_id, id);

CREATE INDEX approval_open ON public.approval USING btree (id) WHERE (status = ANY (ARRAY['waiting'::text, 'approved'::text]));

CREATE INDEX audit_of_act ON public.audit USING btree (act, id);

CREATE INDEX audit_of_person ON public.audit USING btree (subject, id);

CREATE INDEX audit_of_user ON public.audit USING btree (user_id, id) WHERE (user_id IS NOT NULL);

CREATE INDEX campaign_grant_in_order ON public.campaign_grant USING btree (campaign_id, lot_id);

CREATE INDEX campaign_run_due ON public.campaign_run USING btree (next_attempt_at) WHERE (status = 'waiting'::text);

CREATE INDEX campaign_run_leased ON public.campaign_run USING btree (lease_holder) WHERE ((status = 'waiting'::text) AND (lease_holder IS NOT NULL));

CREATE UNIQUE INDEX campaign_user_in_list ON public.campaign_user USING btree (campaign_id, number) WHERE (number IS NOT NULL);

CREATE INDEX claw_back_reversal_of_purchase ON public.claw_back_reversal USING btree (purchase_id, told_at);

CREATE UNIQUE INDEX closing_proposal_waiting_once ON public.closing_proposal USING btree (status) WHERE (status = 'waiting'::text);

CREATE INDEX coin_freeze_of_purchase ON public.coin_freeze USING btree (purchase_id);

CREATE INDEX coin_return_of_lot ON public.coin_return USING btree (lot_id);

CREATE INDEX coin_return_of_redemption ON public.coin_return USING btree (redemption_id, lot_id);

CREATE INDEX console_session_by_end ON public.console_session USING btree (ends_at);

CREATE INDEX console_session_of_person ON public.console_session USING btree (subject) WHERE (ended_at IS NULL);

CREATE INDEX custody_balance_latest ON public.custody_balance USING btree (custodian, held_at, id);

CREATE INDEX customer_note_of_user ON public.customer_note USING btree (user_id, id);

CREATE INDEX difference_act_by_payment ON public.difference_act USING btree (imp_uid, gateway, id);

CREATE INDEX dispute_open ON public.dispute USING btree (id) WHERE (status = 'open'::text);

CREATE INDEX endpoint_attempt_by_age ON public.endpoint_attempt USING btree (recorded_at);

CREATE INDEX endpoint_attempt_by_endpoint ON public.endpoint_attempt USING btree (endpoint_id, id);

CREATE INDEX endpoint_lane_due ON public.endpoint_lane USING btree (reader_id, next_attempt_at);

CREATE INDEX endpoint_lane_oldest ON public.endpoint_lane USING btree (reader_id, waiting_since);

CREATE UNIQUE INDEX endpoint_reader_live ON public.endpoint_reader USING btree (endpoint_id) WHERE (until IS NULL);

CREATE INDEX endpoint_reader_running ON public.endpoint_reader USING btree (endpoint_id) WHERE (finished_at IS NULL);

CREATE INDEX event_by_user ON public.event USING btree (user_id, seq) WHERE (user_id IS NOT NULL);

CREATE INDEX event_of_nobody ON public.event USING btree (seq) WHERE (user_id IS NULL);

CREATE INDEX event_with_snapshot ON public.event USING btree (seq) WHERE (snapshot IS NOT NULL);

CREATE INDEX finding_act_by_finding ON public.finding_act USING btree (finding_id, id);

CREATE INDEX finding_act_of_person ON public.finding_act USING btree (by, finding_id) WHERE (act = ANY (ARRAY['resolve'::text, 'claim'::text, 'refund'::text]));

CREATE INDEX finding_by_assignee ON public.finding USING btree (assigned_to) WHERE (assigned_to IS NOT NULL);

CREATE INDEX finding_by_order ON public.finding USING btree (merchant_uid);

CREATE INDEX finding_by_time ON public.finding USING btree (COALESCE(paid_at, found_at), amount);

CREATE INDEX finding_of_user ON public.finding USING btree (user_id text_pattern_ops) WHERE (user_id IS NOT NULL);

CREATE UNIQUE INDEX finding_once_an_endpoint ON public.finding USING btree (endpoint_id) WHERE (endpoint_id IS NOT NULL);

CREATE UNIQUE INDEX finding_once_an_hour ON public.finding USING btree (kinds, hour) WHERE (hour IS NOT NULL);

CREATE UNIQUE INDEX finding_once_of_custody ON public.finding USING btree (kinds) WHERE (kinds = '{custody_short}'::text[]);

CREATE INDEX finding_open ON public.finding USING btree (id) WHERE (resolved_at IS NULL);

CREATE INDEX forgetting_due ON public.forgetting USING btree (next_attempt_at) WHERE ((status = 'waiting'::text) AND (next_attempt_at IS NOT NULL));

CREATE INDEX forgetting_kept ON public.forgetting USING btree (kept_until) WHERE (kept_until IS NOT NULL);

CREATE INDEX forgetting_leased ON public.forgetting USING btree (lease_holder) WHERE ((status = 'waiting'::text) AND (lease_holder IS NOT NULL));

CREATE UNIQUE INDEX forgetting_of_user ON public.forgetting USING btree (user_id) WHERE (status = 'forgotten'::text);

CREATE UNIQUE INDEX forgetting_under_way ON public.forgetting USING btree (under_way) WHERE (under_way IS NOT NULL);

CREATE UNIQUE INDEX forgetting_waits_once ON public.forgetting USING btree (user_id) WHERE (status = 'waiting'::text);

CREATE INDEX gift_by_giver ON public.gift USING btree (from_user, recorded_at) WHERE (purchase_id IS NULL);

CREATE INDEX gift_by_receiver ON public.gift USING btree (to_user, recorded_at) WHERE (purchase_id IS NULL);

CREATE INDEX grant_void_of_lot ON public.grant_void USING btree (lot_id);

CREATE INDEX hold_by_user ON public.hold USING btree (user_id, id DESC);

CREATE INDEX hold_due ON public.hold USING btree (expires_at, id) WHERE (status = 'open'::text);

CREATE INDEX idempotency_of_entry ON public.idempotency USING btree (journal_entry_id) WHERE (command = ANY (ARRAY['spend'::text, 'capture'::text]));

CREATE INDEX journal_entry_by_effective_at ON public.journal_entry USING brin (effective_at) WITH (autosummarize=off);

CREATE INDEX journal_entry_in_order ON public.journal_entry USING btree (transaction_id, id);

CREATE INDEX journal_entry_reversing_purchase ON public.journal_entry USING btree (reverses) WHERE (kind = ANY (ARRAY['refund'::text, 'claw_back'::text]));

CREATE INDEX lot_expired_or_taxed_by_purchase ON public.lot USING btree (purchase_id) WHERE ((expired > 0) OR (vat IS NOT NULL));

CREATE INDEX lot_expiring ON public.lot USING btree (expires_at, id) WHERE (is_open AND (expires_at IS NOT NULL));

CREATE INDEX lot_given_of_lot ON public.lot USING btree (origin_id) WHERE (origin_id IS NOT NULL);

CREATE INDEX lot_given_of_purchase ON public.lot USING btree (origin_purchase_id) WHERE ((origin_purchase_id IS NOT NULL) AND (is_open OR (vat IS NOT NULL)));

CREATE INDEX lot_open_by_user ON public.lot USING btree (user_id, expires_at, kind, acquired_at, id) WHERE is_open;

CREATE INDEX occurrence_in_order ON public.occurrence USING btree (transaction_id, id);

CREATE INDEX order_by_expiry ON public."order" USING btree (expires_at);

CREATE INDEX order_of_user ON public."order" USING btree (user_id text_pattern_ops, id DESC);

CREATE INDEX payout_entry_of_provider ON public.payout_entry USING btree (provider, journal_entry_id);

CREATE INDEX payout_item_of_provider ON public.payout_item USING btree (provider, payout_id);

CREATE INDEX posting_by_journal_entry ON public.posting USING brin (journal_entry_id) WITH (pages_per_range='16', autosummarize=off);

CREATE INDEX provider_account_of_provider ON public.provider_account USING btree (provider, id);

CREATE UNIQUE INDEX provider_account_once ON public.provider_account USING btree (provider, status) WHERE (status = ANY (ARRAY['proposed'::text, 'approved'::text]));

CREATE INDEX provider_account_waiting ON public.provider_account USING btree (id) WHERE (status = 'proposed'::text);

CREATE INDEX provider_repayment_of_payout ON public.provider_repayment USING btree (payout_id, provider);

CREATE INDEX provider_repayment_of_provider ON public.provider_repayment USING btree (provider, recorded_at, journal_entry_id);

CREATE INDEX provider_share_of_capture ON public.provider_share USING btree (capture_id);

CREATE INDEX provider_share_of_provider ON public.provider_share USING btree (provider, recorded_at, journal_entry_id);

CREATE INDEX provider_share_paid ON public.provider_share USING btree (payout_id, provider, journal_entry_id);

CREATE INDEX provider_terms_of_provider ON public.provider_terms USING btree (provider, id);

CREATE INDEX purchase_at_app_store ON public.purchase USING btree (paid_at, id) WHERE (gateway = 'app-store'::text);

CREATE INDEX purchase_by_paid_at ON public.purchase USING brin (paid_at) WITH (pages_per_range='32', autosummarize=off);

CREATE INDEX purchase_by_play_order ON public.purchase USING btree (payment_id) WHERE (gateway = 'google-play'::text);

CREATE INDEX purchase_by_time ON public.purchase USING btree (paid_at, amount);

CREATE INDEX purchase_by_user ON public.purchase USING btree (user_id, credited_at DESC, id DESC);

CREATE INDEX purchase_in_foreign_currency ON public.purchase USING btree (foreign_currency, paid_at) WHERE (foreign_currency IS NOT NULL);

CREATE INDEX purchase_unsettled_by_time ON public.purchase USING btree (paid_at, id) WHERE (((amount - refunded_amount) + transferred_amount) <> settled_amount);

CREATE INDEX rate_proposal_of_day ON public.rate_proposal USING btree (currency, day, id);

CREATE UNIQUE INDEX rate_proposal_waiting_once ON public.rate_proposal USING btree (currency, day) WHERE (status = 'waiting'::text);

CREATE INDEX receipt_refusal_ended ON public.receipt_refusal USING btree (window_ends_at);

CREATE INDEX receipt_retry_by_order ON public.receipt_retry USING btree (merchant_uid);

CREATE INDEX receipt_retry_due ON public.receipt_retry USING btree (next_attempt_at) WHERE (status = 'waiting'::text);

CREATE INDEX receipt_retry_leased ON public.receipt_retry USING btree (lease_holder) WHERE ((status = 'waiting'::text) AND (lease_holder IS NOT NULL));

CREATE INDEX receipt_retry_of_user ON public.receipt_retry USING btree (user_id text_pattern_ops, id);

CREATE INDEX receipt_retry_waiting ON public.receipt_retry USING btree (id) WHERE (status = 'waiting'::text);

CREATE INDEX receipt_retry_waiting_by_user ON public.receipt_retry USING btree (user_id) WHERE (status = 'waiting'::text);

CREATE INDEX reconciliation_item_unmatched ON public.reconciliation_item USING btree (run_id, id) WHERE ((kind IS NULL) OR (kind <> 'matched'::text));

CREATE INDEX reconciliation_run_due ON public.reconciliation_run USING btree (leased_until) WHERE (status = 'running'::text);

CREATE INDEX refund_approved ON public.refund USING btree (id) WHERE (status = 'approved'::text);

CREATE INDEX refund_by_purchase ON public.refund USING btree (purchase_id, id);

CREATE INDEX refund_by_transfer ON public.refund USING btree (id) WHERE (method = 'bank_transfer'::text);

CREATE INDEX refund_due ON public.refund USING btree (next_attempt_at) WHERE (status = 'pending'::text);

CREATE INDEX refund_leased ON public.refund USING btree (lease_holder) WHERE ((status = 'pending'::text) AND (lease_holder IS NOT NULL));

CREATE INDEX refund_open_of_user ON public.refund USING btree (user_id, id) WHERE ((status = ANY (ARRAY['pending'::text, 'approved'::text])) IS TRUE);

CREATE INDEX refund_pending ON public.refund USING btree (id) WHERE (status = 'pending'::text);

CREATE INDEX refund_question_due ON public.refund_question USING btree (next_attempt_at) WHERE (status = 'waiting'::text);

CREATE INDEX refund_question_leased ON public.refund_question USING btree (lease_holder) WHERE ((status = 'waiting'::text) AND (lease_holder IS NOT NULL));

CREATE INDEX refund_question_of_purchase ON public.refund_question USING btree (purchase_id, id);

CREATE INDEX settlement_row_open ON public.settlement_row USING btree (id) WHERE ((status = 'unmatched'::text) AND (NOT is_dismissed));

CREATE UNIQUE INDEX settlement_row_settled_once ON public.settlement_row USING btree (purchase_id, paid_out_on, ((gross < 0)), place) WHERE (status = 'settled'::text);

CREATE INDEX settlement_row_unmatched ON public.settlement_row USING btree (id) WHERE (status = 'unmatched'::text);

CREATE INDEX store_account_of_user ON public.store_account USING btree (user_id, made_at, token);

CREATE INDEX store_consent_of_user ON public.store_consent USING btree (user_id, set_at, id);

CREATE INDEX store_delivery_due ON public.store_delivery USING btree (next_attempt_at) WHERE (status = 'waiting'::text);

CREATE INDEX store_delivery_leased ON public.store_delivery USING btree (lease_holder) WHERE ((status = 'waiting'::text) AND (lease_holder IS NOT NULL));

CREATE INDEX store_product_by_name ON public.store_product USING btree (product_id, app, store, set_at);

CREATE INDEX top_up_charge_due ON public.top_up_charge USING btree (next_attempt_at) WHERE (status = 'waiting'::text);

CREATE INDEX top_up_charge_leased ON public.top_up_charge USING btree (lease_holder) WHERE ((status = 'waiting'::text) AND (lease_holder IS NOT NULL));

CREATE INDEX top_up_charge_of_user ON public.top_up_charge USING btree (user_id, id DESC);

CREATE UNIQUE INDEX top_up_charge_one_open ON public.top_up_charge USING btree (user_id) WHERE (status = 'waiting'::text);

CREATE INDEX top_up_of_user ON public.top_up USING btree (user_id, id DESC);

CREATE UNIQUE INDEX top_up_one_in_force ON public.top_up USING btree (user_id) WHERE (status <> 'revoked'::text);

CREATE INDEX user_alias_of_user ON public.user_alias USING btree (user_id);

CREATE INDEX webhook_event_by_order ON public.webhook_event USING btree (COALESCE(payment_id, merchant_uid), id);

CREATE INDEX webhook_event_by_payment ON public.webhook_event USING btree (imp_uid, id);

CREATE INDEX webhook_event_decided ON public.webhook_event USING btree (decided_at) WHERE (status <> 'waiting'::text);

CREATE INDEX webhook_event_due ON public.webhook_event USING btree (urgency DESC, next_attempt_at) WHERE (status = 'waiting'::text);

CREATE INDEX webhook_event_leased ON public.webhook_event USING btree (lease_holder) WHERE ((status = 'waiting'::text) AND (lease_holder IS NOT NULL));

CREATE INDEX webhook_event_waiting_by_order ON public.webhook_event USING btree (merchant_uid) WHERE ((status = 'waiting'::text) AND (event_id IS NULL));

CREATE INDEX webhook_event_waiting_by_source ON public.webhook_event USING btree (source, id) WHERE ((status = 'waiting'::text) AND (event_id IS NULL) AND (urgency < 2));

CREATE UNIQUE INDEX webhook_event_waits_once ON public.webhook_event USING btree (imp_uid, gateway) WHERE ((status = 'waiting'::text) AND (event_id IS NULL));

CREATE TRIGGER account_is_judged AFTER INSERT ON public.account REFERENCING NEW TABLE AS new_account FOR EACH STATEMENT WHEN (((current_setting('ledgerd.crediting'::text, true) IS DISTINCT FROM 'on'::text) OR (NOT has_table_privilege(('public.posting'::regclass)::oid, 'TRIGGER'::text)))) EXECUTE FUNCTION public.judge_accounts();

CREATE TRIGGER account_is_kept BEFORE DELETE OR TRUNCATE ON public.account FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER account_salt_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.account_salt FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER accounting_policy_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.accounting_policy FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER accounting_policy_is_judged BEFORE INSERT ON public.accounting_policy FOR EACH ROW EXECUTE FUNCTION public.judge_accounting_policy();

CREATE TRIGGER adjustment_basis_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.adjustment_basis FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER adjustment_basis_is_measured BEFORE INSERT ON public.adjustment_basis FOR EACH ROW EXECUTE FUNCTION public.measure_adjustment_basis();

CREATE TRIGGER adjustment_cohort_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.adjustment_cohort FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER adjustment_cohort_is_judged AFTER INSERT ON public.adjustment_cohort REFERENCING NEW TABLE AS new_cohort FOR EACH STATEMENT EXECUTE FUNCTION public.judge_adjustment_cohorts();

CREATE TRIGGER adjustment_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.adjustment FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER adjustment_is_judged AFTER INSERT ON public.adjustment FOR EACH ROW EXECUTE FUNCTION public.judge_adjustment();

CREATE TRIGGER approval_is_judged BEFORE UPDATE ON public.approval FOR EACH ROW EXECUTE FUNCTION public.judge_approval();

CREATE TRIGGER approval_is_kept BEFORE DELETE OR TRUNCATE ON public.approval FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER approval_proposal_is_judged BEFORE INSERT ON public.approval FOR EACH ROW EXECUTE FUNCTION public.judge_proposal();

CREATE TRIGGER audit_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER audit_outcome_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_outcome FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER campaign_grant_is_judged AFTER INSERT ON public.campaign_grant REFERENCING NEW TABLE AS new_grant FOR EACH STATEMENT EXECUTE FUNCTION public.judge_campaign_grants();

CREATE TRIGGER campaign_is_judged BEFORE UPDATE ON public.campaign FOR EACH ROW EXECUTE FUNCTION public.judge_campaign();

CREATE TRIGGER campaign_is_told_of AFTER INSERT OR UPDATE OF status ON public.campaign FOR EACH ROW EXECUTE FUNCTION public.record_campaign();

CREATE TRIGGER campaign_run_is_told_of AFTER INSERT OR UPDATE OF status, next_attempt_at ON public.campaign_run FOR EACH ROW WHEN (((new.status = 'waiting'::text) AND (new.next_attempt_at <= now()))) EXECUTE FUNCTION public.tell_of_work();

CREATE TRIGGER chain_link_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.chain_link FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER chain_link_is_judged AFTER INSERT ON public.chain_link REFERENCING NEW TABLE AS new_chain_link FOR EACH STATEMENT EXECUTE FUNCTION public.judge_chain_links();

CREATE TRIGGER claw_back_reversal_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.claw_back_reversal FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER claw_back_reversal_is_judged AFTER INSERT ON public.claw_back_reversal FOR EACH ROW EXECUTE FUNCTION public.judge_claw_back_reversal();

CREATE TRIGGER closed_period_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.closed_period FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER closed_period_is_judged BEFORE INSERT ON public.closed_period FOR EACH ROW EXECUTE FUNCTION public.judge_closing();

CREATE TRIGGER closed_period_is_recorded AFTER INSERT ON public.closed_period FOR EACH ROW EXECUTE FUNCTION public.record_closing();

CREATE TRIGGER closing_proposal_is_judged BEFORE UPDATE ON public.closing_proposal FOR EACH ROW EXECUTE FUNCTION public.judge_closing_proposal();

CREATE TRIGGER coin_freeze_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.coin_freeze FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER coin_freeze_is_judged AFTER INSERT ON public.coin_freeze REFERENCING NEW TABLE AS new_freeze FOR EACH STATEMENT EXECUTE FUNCTION public.judge_coin_freezes();

CREATE TRIGGER coin_return_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.coin_return FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER coin_return_is_judged AFTER INSERT ON public.coin_return REFERENCING NEW TABLE AS new_return FOR EACH STATEMENT EXECUTE FUNCTION public.judge_coin_returns();

CREATE TRIGGER custody_balance_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.custody_balance FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER customer_note_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.customer_note FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER debt_bank_payment_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.debt_bank_payment FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER debt_bank_payment_is_judged AFTER INSERT ON public.debt_bank_payment REFERENCING NEW TABLE AS new_payment FOR EACH STATEMENT EXECUTE FUNCTION public.judge_debt_bank_payments();

CREATE TRIGGER difference_act_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.difference_act FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER dispute_decision_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.dispute_decision FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER dispute_decision_is_judged AFTER INSERT ON public.dispute_decision FOR EACH ROW EXECUTE FUNCTION public.judge_dispute_decision();

CREATE TRIGGER dispute_is_judged AFTER INSERT ON public.dispute FOR EACH ROW EXECUTE FUNCTION public.judge_dispute();

CREATE TRIGGER dispute_win_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.dispute_win FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER dispute_win_is_judged AFTER INSERT ON public.dispute_win FOR EACH ROW EXECUTE FUNCTION public.judge_dispute_win();

CREATE TRIGGER endpoint_change_is_recorded AFTER UPDATE ON public.endpoint FOR EACH ROW WHEN ((old.status <> new.status)) EXECUTE FUNCTION public.record_endpoint();

CREATE TRIGGER endpoint_is_told_of AFTER INSERT OR UPDATE OF version ON public.endpoint FOR EACH STATEMENT EXECUTE FUNCTION public.tell_of_work();

CREATE TRIGGER endpoint_reader_is_told_of AFTER INSERT ON public.endpoint_reader FOR EACH STATEMENT EXECUTE FUNCTION public.tell_of_work();

CREATE TRIGGER entry_salt_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.entry_salt FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER event_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.event FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER event_is_judged AFTER INSERT ON public.event REFERENCING NEW TABLE AS new_event FOR EACH STATEMENT EXECUTE FUNCTION public.judge_events();

CREATE TRIGGER finding_act_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.finding_act FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER finding_closed_is_recorded AFTER UPDATE ON public.finding FOR EACH ROW WHEN (((old.resolved_at IS NULL) <> (new.resolved_at IS NULL))) EXECUTE FUNCTION public.record_finding();

CREATE TRIGGER finding_opened_is_recorded AFTER INSERT ON public.finding FOR EACH ROW EXECUTE FUNCTION public.record_finding();

CREATE TRIGGER finding_reopening_is_noted BEFORE UPDATE ON public.finding FOR EACH ROW WHEN (((old.resolved_at IS NOT NULL) AND (new.resolved_at IS NULL))) EXECUTE FUNCTION public.note_reopening();

CREATE TRIGGER foreign_currency_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.foreign_currency FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER forgetting_is_judged BEFORE UPDATE ON public.forgetting FOR EACH ROW EXECUTE FUNCTION public.judge_forgetting();

CREATE TRIGGER forgetting_is_kept BEFORE DELETE OR TRUNCATE ON public.forgetting FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER forgotten_payment_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.forgotten_payment FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER gift_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.gift FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER gift_is_judged AFTER INSERT ON public.gift REFERENCING NEW TABLE AS new_gift FOR EACH STATEMENT EXECUTE FUNCTION public.judge_gifts();

CREATE TRIGGER gift_lot_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.gift_lot FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER gift_lot_is_judged AFTER INSERT ON public.gift_lot REFERENCING NEW TABLE AS new_gift_lot FOR EACH STATEMENT EXECUTE FUNCTION public.judge_gift_lots();

CREATE TRIGGER grant_void_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.grant_void FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER grant_void_is_judged AFTER INSERT ON public.grant_void REFERENCING NEW TABLE AS new_void FOR EACH STATEMENT EXECUTE FUNCTION public.judge_grant_voids();

CREATE TRIGGER grant_void_of_campaign AFTER INSERT ON public.grant_void REFERENCING NEW TABLE AS new_void FOR EACH STATEMENT EXECUTE FUNCTION public.count_campaign_voids();

CREATE TRIGGER hold_event_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.hold_event FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER hold_event_is_judged AFTER INSERT ON public.hold_event REFERENCING NEW TABLE AS new_hold_event FOR EACH STATEMENT EXECUTE FUNCTION public.judge_hold_events();

CREATE TRIGGER hold_is_judged AFTER INSERT ON public.hold REFERENCING NEW TABLE AS new_hold FOR EACH STATEMENT EXECUTE FUNCTION public.judge_holds();

CREATE TRIGGER hold_is_kept BEFORE DELETE OR TRUNCATE ON public.hold FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER hold_lot_is_judged AFTER INSERT ON public.hold_lot REFERENCING NEW TABLE AS new_hold_lot FOR EACH STATEMENT EXECUTE FUNCTION public.judge_hold_lots();

CREATE TRIGGER hold_lot_is_kept BEFORE DELETE OR TRUNCATE ON public.hold_lot FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER idempotency_is_judged AFTER INSERT ON public.idempotency REFERENCING NEW TABLE AS new_outcome FOR EACH STATEMENT EXECUTE FUNCTION public.judge_outcomes();

CREATE TRIGGER journal_entry_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.journal_entry FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER journal_entry_is_judged AFTER INSERT ON public.journal_entry REFERENCING NEW TABLE AS new_entry FOR EACH STATEMENT WHEN (((current_setting('ledgerd.crediting'::text, true) IS DISTINCT FROM 'on'::text) OR (NOT has_table_privilege(('public.posting'::regclass)::oid, 'TRIGGER'::text)))) EXECUTE FUNCTION public.judge_entries();

CREATE TRIGGER lot_is_judged AFTER INSERT ON public.lot REFERENCING NEW TABLE AS new_lot FOR EACH STATEMENT WHEN (((current_setting('ledgerd.crediting'::text, true) IS DISTINCT FROM 'on'::text) OR (NOT has_table_privilege(('public.posting'::regclass)::oid, 'TRIGGER'::text)))) EXECUTE FUNCTION public.judge_lots();

CREATE TRIGGER lot_is_kept BEFORE DELETE OR TRUNCATE ON public.lot FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER lot_movement_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.lot_movement FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER lot_movement_is_judged AFTER INSERT ON public.lot_movement REFERENCING NEW TABLE AS new_lot_movement FOR EACH STATEMENT EXECUTE FUNCTION public.judge_lot_movements();

CREATE TRIGGER lot_movement_of_campaign AFTER INSERT ON public.lot_movement REFERENCING NEW TABLE AS new_lot_movement FOR EACH STATEMENT EXECUTE FUNCTION public.count_campaign_movements();

CREATE TRIGGER occurrence_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.occurrence FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER order_is_judged BEFORE INSERT ON public."order" FOR EACH ROW WHEN ((new.currency <> 'KRW'::text)) EXECUTE FUNCTION public.judge_order();

CREATE TRIGGER payment_name_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.payment_name FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER payment_name_is_judged AFTER INSERT ON public.payment_name FOR EACH ROW EXECUTE FUNCTION public.judge_payment_name();

CREATE CONSTRAINT TRIGGER payout_decision_is_booked AFTER INSERT ON public.payout_decision DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.decision = 'paid'::text)) EXECUTE FUNCTION public.judge_paid_payout();

CREATE TRIGGER payout_decision_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.payout_decision FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER payout_decision_is_judged AFTER INSERT ON public.payout_decision FOR EACH ROW EXECUTE FUNCTION public.judge_payout_decision();

CREATE TRIGGER payout_entry_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.payout_entry FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER payout_entry_is_judged AFTER INSERT ON public.payout_entry REFERENCING NEW TABLE AS new_entry FOR EACH STATEMENT EXECUTE FUNCTION public.judge_payout_entries();

CREATE TRIGGER payout_is_filled AFTER INSERT ON public.payout FOR EACH ROW EXECUTE FUNCTION public.fill_payout();

CREATE TRIGGER payout_is_kept BEFORE DELETE OR TRUNCATE ON public.payout FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER payout_item_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.payout_item FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER payout_part_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.payout_part FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER posting_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.posting FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER posting_is_judged AFTER INSERT ON public.posting REFERENCING NEW TABLE AS new_posting FOR EACH STATEMENT WHEN (((current_setting('ledgerd.crediting'::text, true) IS DISTINCT FROM 'on'::text) OR (NOT has_table_privilege(('public.posting'::regclass)::oid, 'TRIGGER'::text)))) EXECUTE FUNCTION public.judge_postings();

CREATE TRIGGER posting_tells_of_balance AFTER INSERT ON public.posting REFERENCING NEW TABLE AS new_posting FOR EACH STATEMENT EXECUTE FUNCTION public.record_balance_crossings();

CREATE TRIGGER posting_tops_up AFTER INSERT ON public.posting REFERENCING NEW TABLE AS new_posting FOR EACH STATEMENT EXECUTE FUNCTION public.start_top_ups();

CREATE TRIGGER provider_account_is_judged BEFORE UPDATE ON public.provider_account FOR EACH ROW EXECUTE FUNCTION public.judge_provider_account();

CREATE TRIGGER provider_repayment_is_immutable BEFORE UPDATE OF journal_entry_id, provider, stripe, amount, paid_at, bank_reference, recorded_at ON public.provider_repayment FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER provider_repayment_is_judged AFTER INSERT ON public.provider_repayment REFERENCING NEW TABLE AS new_repayment FOR EACH STATEMENT EXECUTE FUNCTION public.judge_provider_repayments();

CREATE TRIGGER provider_repayment_is_kept BEFORE DELETE OR TRUNCATE ON public.provider_repayment FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER provider_share_is_immutable BEFORE UPDATE OF journal_entry_id, capture_id, provider, stripe, terms_id, amount, share, recorded_at ON public.provider_share FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER provider_share_is_judged AFTER INSERT ON public.provider_share REFERENCING NEW TABLE AS new_share FOR EACH STATEMENT EXECUTE FUNCTION public.judge_provider_shares();

CREATE TRIGGER provider_share_is_kept BEFORE DELETE OR TRUNCATE ON public.provider_share FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER provider_share_product_is_immutable BEFORE UPDATE OF product ON public.provider_share FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER provider_terms_are_set BEFORE INSERT ON public.provider_terms FOR EACH ROW EXECUTE FUNCTION public.set_provider_terms();

CREATE TRIGGER provider_terms_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.provider_terms FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER purchase_ends_top_up AFTER INSERT ON public.purchase REFERENCING NEW TABLE AS new_purchase FOR EACH STATEMENT EXECUTE FUNCTION public.credit_top_ups();

CREATE TRIGGER purchase_in_store AFTER INSERT ON public.purchase FOR EACH ROW WHEN ((new.gateway = ANY (ARRAY['app-store'::text, 'google-play'::text]))) EXECUTE FUNCTION public.begin_store_delivery();

CREATE TRIGGER purchase_is_judged AFTER INSERT ON public.purchase REFERENCING NEW TABLE AS new_purchase FOR EACH STATEMENT WHEN (((current_setting('ledgerd.crediting'::text, true) IS DISTINCT FROM 'on'::text) OR (NOT has_table_privilege(('public.posting'::regclass)::oid, 'TRIGGER'::text)))) EXECUTE FUNCTION public.judge_purchases();

CREATE TRIGGER purchase_is_kept BEFORE DELETE OR TRUNCATE ON public.purchase FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER purchase_reversal_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.purchase_reversal FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER purchase_reversal_is_judged AFTER INSERT ON public.purchase_reversal REFERENCING NEW TABLE AS new_reversal FOR EACH STATEMENT EXECUTE FUNCTION public.judge_reversals();

CREATE TRIGGER rate_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.rate FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER rate_is_judged BEFORE INSERT ON public.rate FOR EACH ROW EXECUTE FUNCTION public.judge_rate();

CREATE TRIGGER rate_opens_currency AFTER INSERT ON public.rate FOR EACH ROW EXECUTE FUNCTION public.open_currency_of_rate();

CREATE TRIGGER rate_proposal_is_judged BEFORE UPDATE ON public.rate_proposal FOR EACH ROW EXECUTE FUNCTION public.judge_rate_proposal();

CREATE TRIGGER rate_proposal_is_kept BEFORE DELETE OR TRUNCATE ON public.rate_proposal FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER receipt_retry_decided_is_recorded AFTER UPDATE ON public.receipt_retry FOR EACH ROW WHEN (((new.status <> 'credited'::text) AND (new.status <> old.status))) EXECUTE FUNCTION public.record_receipt();

CREATE TRIGGER receipt_retry_inserted_is_recorded AFTER INSERT ON public.receipt_retry FOR EACH ROW WHEN ((new.status <> 'credited'::text)) EXECUTE FUNCTION public.record_receipt();

CREATE TRIGGER receipt_retry_is_told_of AFTER INSERT OR UPDATE OF status, next_attempt_at ON public.receipt_retry FOR EACH ROW WHEN (((new.status = 'waiting'::text) AND (new.next_attempt_at <= now()))) EXECUTE FUNCTION public.tell_of_work();

CREATE TRIGGER reconciliation_run_ended_is_recorded AFTER UPDATE ON public.reconciliation_run FOR EACH ROW WHEN (((old.status = 'running'::text) AND (new.status <> 'running'::text))) EXECUTE FUNCTION public.record_reconciliation();

CREATE TRIGGER refund_decision_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.refund_decision FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER refund_decision_is_judged AFTER INSERT ON public.refund_decision REFERENCING NEW TABLE AS new_decision FOR EACH STATEMENT EXECUTE FUNCTION public.judge_refund_decisions();

CREATE TRIGGER refund_is_judged AFTER INSERT ON public.refund REFERENCING NEW TABLE AS new_refund FOR EACH STATEMENT EXECUTE FUNCTION public.judge_refunds();

CREATE TRIGGER refund_is_kept BEFORE DELETE OR TRUNCATE ON public.refund FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER refund_is_told_of AFTER INSERT OR UPDATE OF status, next_attempt_at ON public.refund FOR EACH ROW WHEN (((new.status = 'pending'::text) AND (new.next_attempt_at <= now()))) EXECUTE FUNCTION public.tell_of_work();

CREATE TRIGGER refund_question_is_kept BEFORE DELETE OR TRUNCATE ON public.refund_question FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER refund_question_is_told_of AFTER INSERT OR UPDATE OF status, next_attempt_at ON public.refund_question FOR EACH ROW WHEN (((new.status = 'waiting'::text) AND (new.next_attempt_at <= now()))) EXECUTE FUNCTION public.tell_of_work();

CREATE TRIGGER revaluation_basis_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.revaluation_basis FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER revaluation_basis_is_measured BEFORE INSERT ON public.revaluation_basis FOR EACH ROW EXECUTE FUNCTION public.measure_revaluation_basis();

CREATE TRIGGER revaluation_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.revaluation FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER revaluation_is_judged AFTER INSERT ON public.revaluation FOR EACH ROW EXECUTE FUNCTION public.judge_revaluation();

CREATE TRIGGER seal_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.seal FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER seal_is_recorded AFTER INSERT ON public.seal FOR EACH ROW EXECUTE FUNCTION public.record_seal();

CREATE TRIGGER settlement_dismissal_check_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.settlement_dismissal_check FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER settlement_dismissal_check_is_judged AFTER INSERT ON public.settlement_dismissal_check FOR EACH ROW EXECUTE FUNCTION public.judge_settlement_dismissal_check();

CREATE TRIGGER settlement_dismissal_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.settlement_dismissal FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER settlement_dismissal_is_judged AFTER INSERT ON public.settlement_dismissal FOR EACH ROW EXECUTE FUNCTION public.judge_settlement_dismissal();

CREATE TRIGGER settlement_row_begins_waiting AFTER INSERT ON public.settlement_row REFERENCING NEW TABLE AS new_row FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_settled_rows();

CREATE TRIGGER settlement_row_follows_dismissal BEFORE UPDATE ON public.settlement_row FOR EACH ROW WHEN (((new.status = 'unmatched'::text) OR old.is_dismissed)) EXECUTE FUNCTION public.follow_dismissal();

CREATE TRIGGER settlement_row_inserted_is_added_up AFTER INSERT ON public.settlement_row REFERENCING NEW TABLE AS new_row FOR EACH STATEMENT EXECUTE FUNCTION public.add_up_settlement_rows();

CREATE TRIGGER settlement_row_is_judged AFTER UPDATE ON public.settlement_row REFERENCING NEW TABLE AS new_row FOR EACH STATEMENT EXECUTE FUNCTION public.judge_settled_rows();

CREATE TRIGGER settlement_row_is_kept BEFORE DELETE OR TRUNCATE ON public.settlement_row FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER settlement_row_settled_is_immutable BEFORE UPDATE ON public.settlement_row FOR EACH ROW WHEN ((old.status = 'settled'::text)) EXECUTE FUNCTION public.keep_settled_row();

CREATE TRIGGER settlement_row_updated_is_added_up AFTER UPDATE ON public.settlement_row REFERENCING OLD TABLE AS old_row NEW TABLE AS new_row FOR EACH STATEMENT EXECUTE FUNCTION public.add_up_settlement_rows();

CREATE TRIGGER store_account_is_kept BEFORE DELETE OR TRUNCATE ON public.store_account FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER store_consent_is_kept BEFORE DELETE OR TRUNCATE ON public.store_consent FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER store_delivery_is_kept BEFORE DELETE OR TRUNCATE ON public.store_delivery FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER store_delivery_is_told_of AFTER INSERT OR UPDATE OF status, next_attempt_at ON public.store_delivery FOR EACH ROW WHEN (((new.status = 'waiting'::text) AND (new.next_attempt_at <= now()))) EXECUTE FUNCTION public.tell_of_work();

CREATE TRIGGER store_product_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.store_product FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER top_up_charge_is_judged BEFORE UPDATE ON public.top_up_charge FOR EACH ROW EXECUTE FUNCTION public.judge_top_up_charge();

CREATE TRIGGER top_up_charge_is_recorded AFTER UPDATE OF status ON public.top_up_charge FOR EACH ROW WHEN ((new.status <> old.status)) EXECUTE FUNCTION public.record_top_up_charge();

CREATE TRIGGER top_up_charge_is_told_of AFTER INSERT OR UPDATE OF status, next_attempt_at ON public.top_up_charge FOR EACH ROW WHEN (((new.status = 'waiting'::text) AND (new.next_attempt_at <= now()))) EXECUTE FUNCTION public.tell_of_work();

CREATE TRIGGER top_up_is_judged BEFORE UPDATE ON public.top_up FOR EACH ROW EXECUTE FUNCTION public.judge_top_up();

CREATE TRIGGER top_up_is_told_of AFTER INSERT OR UPDATE ON public.top_up FOR EACH ROW EXECUTE FUNCTION public.record_top_up();

CREATE CONSTRAINT TRIGGER transaction_tally_is_judged AFTER INSERT ON public.transaction_tally DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.judge_tally();

CREATE TRIGGER user_merge_is_immutable BEFORE DELETE OR UPDATE OR TRUNCATE ON public.user_merge FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER user_merge_is_judged AFTER INSERT ON public.user_merge FOR EACH ROW EXECUTE FUNCTION public.judge_user_merge();

CREATE TRIGGER webhook_event_is_told_of AFTER INSERT OR UPDATE OF status, next_attempt_at ON public.webhook_event FOR EACH ROW WHEN (((new.status = 'waiting'::text) AND (new.next_attempt_at <= now()))) EXECUTE FUNCTION public.tell_of_work();

ALTER TABLE ONLY public.adjustment_cohort
    ADD CONSTRAINT adjustment_cohort_of_adjustment FOREIGN KEY (adjustment_id) REFERENCES public.adjustment(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.audit_outcome
    ADD CONSTRAINT audit_outcome_has_act FOREIGN KEY (audit_id) REFERENCES public.audit(id);

ALTER TABLE ONLY public.campaign_run
    ADD CONSTRAINT campaign_run_of_campaign FOREIGN KEY (id) REFERENCES public.campaign(id);

ALTER TABLE ONLY public.campaign_user
    ADD CONSTRAINT campaign_user_of_campaign FOREIGN KEY (campaign_id) REFERENCES public.campaign(id);

ALTER TABLE ONLY public.endpoint_attempt
    ADD CONSTRAINT endpoint_attempt_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES public.endpoint(id);

ALTER TABLE ONLY public.endpoint_failure
    ADD CONSTRAINT endpoint_failure_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES public.endpoint(id);

ALTER TABLE ONLY public.endpoint_lane
    ADD CONSTRAINT endpoint_lane_reader_id_fkey FOREIGN KEY (reader_id) REFERENCES public.endpoint_reader(id);

ALTER TABLE ONLY public.endpoint_reader
    ADD CONSTRAINT endpoint_reader_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES public.endpoint(id);

ALTER TABLE ONLY public.finding_act
    ADD CONSTRAINT finding_act_of_finding FOREIGN KEY (finding_id) REFERENCES public.finding(id);

ALTER TABLE ONLY public.finding
    ADD CONSTRAINT finding_endpoint_is_known FOREIGN KEY (endpoint_id) REFERENCES public.endpoint(id);

ALTER TABLE ONLY public.payout_decision
    ADD CONSTRAINT payout_decision_of_payout FOREIGN KEY (payout_id) REFERENCES public.payout(id);

ALTER TABLE ONLY public.payout_item
    ADD CONSTRAINT payout_item_of_payout FOREIGN KEY (payout_id) REFERENCES public.payout(id);

ALTER TABLE ONLY public.payout_part
    ADD CONSTRAINT payout_part_of_payout FOREIGN KEY (payout_id) REFERENCES public.payout(id);

ALTER TABLE ONLY public.product_price
    ADD CONSTRAINT product_price_has_rate FOREIGN KEY (currency) REFERENCES public.foreign_currency(code);

ALTER TABLE ONLY public.provider_repayment
    ADD CONSTRAINT provider_repayment_in_payout FOREIGN KEY (payout_id) REFERENCES public.payout(id);

ALTER TABLE ONLY public.provider_share
    ADD CONSTRAINT provider_share_by_terms FOREIGN KEY (terms_id) REFERENCES public.provider_terms(id);

ALTER TABLE ONLY public.provider_share
    ADD CONSTRAINT provider_share_in_payout FOREIGN KEY (payout_id) REFERENCES public.payout(id);

ALTER TABLE ONLY public.settlement_row
    ADD CONSTRAINT settlement_row_has_file FOREIGN KEY (file_id) REFERENCES public.settlement_file(id);

ALTER TABLE ONLY public.top_up_charge
    ADD CONSTRAINT top_up_charge_of_top_up FOREIGN KEY (top_up_id) REFERENCES public.top_up(id);

GRANT USAGE ON SCHEMA public TO ledgerd_service;

REVOKE ALL ON FUNCTION public.accounting_policy_in_force(of_subject text, in_month text) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.add_campaign_users(of_campaign bigint, asked_users text[], asked_coins bigint[], dry boolean, OUT added bigint, OUT present bigint, OUT added_coins bigint, OUT lacking bigint, OUT refusal text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.add_campaign_users(of_campaign bigint, asked_users text[], asked_coins bigint[], dry boolean, OUT added bigint, OUT present bigint, OUT added_coins bigint, OUT lacking bigint, OUT refusal text) TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.purchase TO ledgerd_service;

REVOKE ALL ON FUNCTION public.add_finding(bought public.purchase, kind text) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.add_to_tally(more_entries numeric, more_lots numeric, more_facts numeric, more_holds numeric, more_purchases numeric) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.add_up_settlement_rows() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.advance_campaign(of_campaign bigint, most bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.advance_campaign(of_campaign bigint, most bigint) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.agree_to_top_up(of_user text, at_gateway text, key text, of_product text, below bigint, a_month bigint, caller text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.agree_to_top_up(of_user text, at_gateway text, key text, of_product text, below bigint, a_month bigint, caller text) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.approve_campaign(of_campaign bigint, caller text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.approve_campaign(of_campaign bigint, caller text) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.ask_for_top_up(of_charge bigint, order_lifetime interval, zone text, most_a_day bigint, OUT vat text, OUT merchant_uid text, OUT amount bigint, OUT title text, OUT billing_key text, OUT asked_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.ask_for_top_up(of_charge bigint, order_lifetime interval, zone text, most_a_day bigint, OUT vat text, OUT merchant_uid text, OUT amount bigint, OUT title text, OUT billing_key text, OUT asked_at timestamp with time zone) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.ask_to_forget(of_user text, wait interval, why text, by text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.ask_to_forget(of_user text, wait interval, why text, by text) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.begin_store_delivery() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.campaign_refusal(of_campaign bigint, moment timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.campaign_room(of_campaign bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.campaign_shares(of_campaigns bigint[], of_users text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.campaign_shares(of_campaigns bigint[], of_users text[]) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.can_name_user(gateway text) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.cancel_forgetting(of_user text, by text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.cancel_forgetting(of_user text, by text) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.chain_commitment(salt bytea, name text, words text) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.claim_campaign(by_code text, for_user text, OUT campaign bigint, OUT refusal text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.claim_campaign(by_code text, for_user text, OUT campaign bigint, OUT refusal text) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.coins_taken(of_lot bigint, by_entry bigint, OUT coins bigint, OUT amount bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.converted(amount bigint, decimals bigint, value bigint, scale bigint, per bigint, decimals_of_books bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.converted(amount bigint, decimals bigint, value bigint, scale bigint, per bigint, decimals_of_books bigint) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.count_campaign_movements() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.count_campaign_voids() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.create_campaign(named text, each_gets bigint, most bigint, of_budget bigint, starts timestamp with time zone, ends timestamp with time zone, expire timestamp with time zone, days bigint, why text, for_users text, by_code text, movable boolean, needs_approval boolean, caller text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.create_campaign(named text, each_gets bigint, most bigint, of_budget bigint, starts timestamp with time zone, ends timestamp with time zone, expire timestamp with time zone, days bigint, why text, for_users text, by_code text, movable boolean, needs_approval boolean, caller text) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.credit_purchase(act bigint, in_stripe bigint, of_user text, at_gateway text, imp text, merchant text, payment text, of_product text, price bigint, coins bigint, bonus bigint, paid_time timestamp with time zone, expiry timestamp with time zone, bonus_expiry timestamp with time zone, rule text, tax_free_part bigint, day_began timestamp with time zone, day_ends timestamp with time zone, OUT paid_at timestamp with time zone, OUT credited_at timestamp with time zone, OUT paid bigint, OUT bonus_left bigint, OUT held bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.credit_purchase(act bigint, in_stripe bigint, of_user text, at_gateway text, imp text, merchant text, payment text, of_product text, price bigint, coins bigint, bonus bigint, paid_time timestamp with time zone, expiry timestamp with time zone, bonus_expiry timestamp with time zone, rule text, tax_free_part bigint, day_began timestamp with time zone, day_ends timestamp with time zone, OUT paid_at timestamp with time zone, OUT credited_at timestamp with time zone, OUT paid bigint, OUT bonus_left bigint, OUT held bigint) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.credit_purchases(ids bigint[], stripes bigint[], users text[], gateways text[], imp_uids text[], merchant_uids text[], payment_ids text[], products text[], amounts bigint[], coins bigint[], bonus_coins bigint[], paid_times timestamp with time zone[], expiries timestamp with time zone[], bonus_expiries timestamp with time zone[], vat_rules text[], tax_free_parts bigint[], day_began timestamp with time zone, day_ends timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.credit_purchases(ids bigint[], stripes bigint[], users text[], gateways text[], imp_uids text[], merchant_uids text[], payment_ids text[], products text[], amounts bigint[], coins bigint[], bonus_coins bigint[], paid_times timestamp with time zone[], expiries timestamp with time zone[], bonus_expiries timestamp with time zone[], vat_rules text[], tax_free_parts bigint[], day_began timestamp with time zone, day_ends timestamp with time zone) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.credit_top_ups() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.currency_decimals(code text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.currency_decimals(code text) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.current_tally() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.end_kept_ids() FROM PUBLIC;
GRANT ALL ON FUNCTION public.end_kept_ids() TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.lot_movement TO ledgerd_service;

REVOKE ALL ON FUNCTION public.entry_movements(of_lot bigint, by_entry bigint, most bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.entry_movements(of_lot bigint, by_entry bigint, most bigint) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.entry_user(of_entry bigint, told text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.entry_user(of_entry bigint, told text) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.fail_top_up(of_charge bigint, why text, rest interval, most bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.fail_top_up(of_charge bigint, why text, rest interval, most bigint) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.fill_payout() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.finish_campaign_users(of_campaign bigint, up_to bigint, refused_users text[], refusals text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.finish_campaign_users(of_campaign bigint, up_to bigint, refused_users text[], refusals text[]) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.finish_campaign_voids(of_campaign bigint, pass bigint, up_to bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.finish_campaign_voids(of_campaign bigint, pass bigint, up_to bigint) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.follow_dismissal() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.foreign_facts(gateway text, currency text, paid bigint, won bigint, salt bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.foreign_settlement_facts(gateway text, currency text, paid bigint, carried bigint, won bigint, salt bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.forget_id(former text, replacement text, ids text[], name_key bytea, key_name text) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.forget_in_journal(former text, replacement text, places text) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.forget_user(request bigint, sealed_id bytea, sealed_with text, name_key bytea, keeps_payments interval, keeps_complaints interval) FROM PUBLIC;
GRANT ALL ON FUNCTION public.forget_user(request bigint, sealed_id bytea, sealed_with text, name_key bytea, keeps_payments interval, keeps_complaints interval) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.forgotten_in(document jsonb, id text, replacement text, places text, is_of_user boolean, member text) FROM PUBLIC;

GRANT SELECT ON TABLE public.journal_entry TO ledgerd_service;

GRANT INSERT(id) ON TABLE public.journal_entry TO ledgerd_service;

GRANT INSERT(stripe) ON TABLE public.journal_entry TO ledgerd_service;

GRANT INSERT(kind) ON TABLE public.journal_entry TO ledgerd_service;

GRANT INSERT(reference) ON TABLE public.journal_entry TO ledgerd_service;

GRANT INSERT(effective_at) ON TABLE public.journal_entry TO ledgerd_service;

GRANT INSERT(recorded_at) ON TABLE public.journal_entry TO ledgerd_service;

GRANT INSERT(reason) ON TABLE public.journal_entry TO ledgerd_service;

GRANT INSERT(reverses) ON TABLE public.journal_entry TO ledgerd_service;

GRANT INSERT(late_for) ON TABLE public.journal_entry TO ledgerd_service;

REVOKE ALL ON FUNCTION public.gives_back_all(moved public.journal_entry, of_user text) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.half_even(numerator numeric, denominator numeric) FROM PUBLIC;
GRANT ALL ON FUNCTION public.half_even(numerator numeric, denominator numeric) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.is_campaign_user_without_coins(of_campaign bigint, of_user text, place bigint, taken_to bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.is_forgetting() FROM PUBLIC;
GRANT ALL ON FUNCTION public.is_forgetting() TO ledgerd_service;

REVOKE ALL ON FUNCTION public.is_known_user(asked text, besides bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.is_known_user(asked text, besides bigint) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.is_reference_of_row(kind text, reference text) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.is_worth_of_payment(bought public.purchase) FROM PUBLIC;
GRANT ALL ON FUNCTION public.is_worth_of_payment(bought public.purchase) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.judge_accounting_policy() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_accounts() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_adjustment() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_adjustment_cohorts() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_approval() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_campaign() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_campaign_grants() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_chain_links() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_claw_back_reversal() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_closing() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_closing_proposal() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_coin_freezes() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_coin_returns() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_debt_bank_payments() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_dispute() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_dispute_decision() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_dispute_win() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_entries() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_events() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_forgetting() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_gift_lots() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_gifts() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_grant_voids() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_hold_events() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_hold_lots() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_holds() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_lot_movements() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_lots() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_order() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_outcomes() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_paid_payout() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_payment_name() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_payout_decision() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_payout_entries() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_postings() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_proposal() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_provider_account() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_provider_repayments() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_provider_shares() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_purchases() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_rate() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_rate_proposal() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_refund_decisions() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_refunds() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_revaluation() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_reversals() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_settled_rows() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_settlement_dismissal() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_settlement_dismissal_check() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_tally() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_top_up() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_top_up_charge() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.judge_user_merge() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.keep_settled_row() FROM PUBLIC;

GRANT SELECT ON TABLE public.payout TO ledgerd_service;

GRANT INSERT(key) ON TABLE public.payout TO ledgerd_service;

GRANT INSERT(cut_off) ON TABLE public.payout TO ledgerd_service;

GRANT INSERT(asked_cut_off) ON TABLE public.payout TO ledgerd_service;

GRANT INSERT(providers) ON TABLE public.payout TO ledgerd_service;

GRANT INSERT(note) ON TABLE public.payout TO ledgerd_service;

GRANT INSERT(proposed_by) ON TABLE public.payout TO ledgerd_service;

REVOKE ALL ON FUNCTION public.lock_payouts(ids bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.lock_payouts(ids bigint[]) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.lock_top_ups(of_user text) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.lot_vat_breakage(rule text, taxed bigint, taxed_breakage bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.lot_vat_breakage(rule text, taxed bigint, taxed_breakage bigint) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.lot_vat_deferred(rule text, taxed bigint, deferred bigint, taxed_breakage bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.lot_vat_deferred(rule text, taxed bigint, deferred bigint, taxed_breakage bigint) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.lot_vat_payable(rule text, taxed bigint, deferred bigint, taxed_breakage bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.lot_vat_payable(rule text, taxed bigint, deferred bigint, taxed_breakage bigint) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.measure_adjustment_basis() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.measure_revaluation_basis() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.microseconds(moment timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.move_campaign_sums(of_user text, from_stripe bigint, to_stripe bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.new_forgotten_id(of_user text) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.note_reopening() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.open_accounts_of_currency(opened text) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.open_before(of_currency text, moment timestamp with time zone, OUT due bigint, OUT won bigint, OUT seen pg_snapshot) FROM PUBLIC;
GRANT ALL ON FUNCTION public.open_before(of_currency text, moment timestamp with time zone, OUT due bigint, OUT won bigint, OUT seen pg_snapshot) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.open_currency_of_rate() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.open_foreign_currency(opened text) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.open_of_user(of_user text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.open_of_user(of_user text) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.opened_since(of_currency text, moment timestamp with time zone, known_to pg_snapshot, OUT due bigint, OUT won bigint, OUT seen pg_snapshot) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.pause_campaign(of_campaign bigint, why text, caller text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.pause_campaign(of_campaign bigint, why text, caller text) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.pause_top_up(of_user text, why text, caller text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.pause_top_up(of_user text, why text, caller text) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.payout_detail(of_payout bigint, by text, paid_at timestamp with time zone, bank_reference text) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.person_ids(of_user text) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.person_of(caller text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.person_of(caller text) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.personal_columns(of_table text, declared jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.personal_tables() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.places_of_id(id text) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.purge_console_sessions(most bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.purge_console_sessions(most bigint) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.purge_endpoint_attempts(older_than interval, most bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.purge_endpoint_attempts(older_than interval, most bigint) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.purge_receipt_refusals(most bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.purge_receipt_refusals(most bigint) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.purge_webhook_events(older_than interval, most bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.purge_webhook_events(older_than interval, most bigint) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.rate_needs_second_person(of_currency text, of_day date, new_value bigint, new_scale bigint, new_per bigint, moment timestamp with time zone, before_id bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.rate_needs_second_person(of_currency text, of_day date, new_value bigint, new_scale bigint, new_per bigint, moment timestamp with time zone, before_id bigint) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.rate_of_month_end(of_currency text, of_month text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.rate_of_month_end(of_currency text, of_month text) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.rate_of_payment(of_currency text, paid_at timestamp with time zone, credited_at timestamp with time zone, today date) FROM PUBLIC;
GRANT ALL ON FUNCTION public.rate_of_payment(of_currency text, paid_at timestamp with time zone, credited_at timestamp with time zone, today date) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.receivable_of(gateway text) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.record_balance_crossings() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.record_campaign() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.record_closing() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.record_endpoint() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.record_expired_orders(most bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.record_expired_orders(most bigint) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.record_finding() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.record_occurrence(type text, subject text, user_id text, detail jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.record_receipt() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.record_reconciliation() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.record_seal() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.record_top_up() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.record_top_up_charge() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.refuse_change() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.refuse_forgotten_payments(digests bytea[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.refuse_forgotten_payments(digests bytea[]) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.refuse_settled_rows() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.renamed(name text, id text, replacement text) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.revoke_top_up(of_user text, why text, caller text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.revoke_top_up(of_user text, why text, caller text) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.set_provider_terms() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.start_top_ups() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.stop_top_up(consent bigint, why text) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.stripe_of_user(of_user text, stripes bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION public.summarise_block_ranges() FROM PUBLIC;
GRANT ALL ON FUNCTION public.summarise_block_ranges() TO ledgerd_service;

REVOKE ALL ON FUNCTION public.tally_recorded_at() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.tally_salt() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.targets_alike(target text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.targets_alike(target text) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.tell_of_work() FROM PUBLIC;

REVOKE ALL ON FUNCTION public.user_as_of(of_entry bigint, told text, until_before timestamp with time zone, recorded_by timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.user_as_of(of_entry bigint, told text, until_before timestamp with time zone, recorded_by timestamp with time zone) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.user_behind(asked text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.user_behind(asked text) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.void_campaign(of_campaign bigint, why text, caller text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.void_campaign(of_campaign bigint, why text, caller text) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.withdraw_top_up(of_charge bigint, announced timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.withdraw_top_up(of_charge bigint, announced timestamp with time zone) TO ledgerd_service;

REVOKE ALL ON FUNCTION public.without_id(words text, places text, replacement text) FROM PUBLIC;

GRANT SELECT ON TABLE public.account TO ledgerd_service;

GRANT INSERT(id) ON TABLE public.account TO ledgerd_service;

GRANT INSERT(stripe) ON TABLE public.account TO ledgerd_service;

GRANT INSERT(code) ON TABLE public.account TO ledgerd_service;

GRANT INSERT(owner) ON TABLE public.account TO ledgerd_service;

GRANT INSERT(currency) ON TABLE public.account TO ledgerd_service;

GRANT INSERT(normal_side) ON TABLE public.account TO ledgerd_service;

GRANT UPDATE(row_lock) ON TABLE public.account TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.account_day TO ledgerd_service;

GRANT UPDATE(debits) ON TABLE public.account_day TO ledgerd_service;

GRANT UPDATE(credits) ON TABLE public.account_day TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.account_day_progress TO ledgerd_service;

GRANT UPDATE(transaction_id) ON TABLE public.account_day_progress TO ledgerd_service;

GRANT UPDATE(entry_id) ON TABLE public.account_day_progress TO ledgerd_service;

GRANT SELECT ON TABLE public.account_salt TO ledgerd_service;

GRANT INSERT(account_id) ON TABLE public.account_salt TO ledgerd_service;

GRANT SELECT ON TABLE public.accounting_policy TO ledgerd_service;

GRANT INSERT(subject) ON TABLE public.accounting_policy TO ledgerd_service;

GRANT INSERT(method) ON TABLE public.accounting_policy TO ledgerd_service;

GRANT INSERT(month) ON TABLE public.accounting_policy TO ledgerd_service;

GRANT INSERT(starts_at) ON TABLE public.accounting_policy TO ledgerd_service;

GRANT INSERT(expected) ON TABLE public.accounting_policy TO ledgerd_service;

GRANT INSERT(highly_probable) ON TABLE public.accounting_policy TO ledgerd_service;

GRANT INSERT(bonus_price) ON TABLE public.accounting_policy TO ledgerd_service;

GRANT INSERT(set_by) ON TABLE public.accounting_policy TO ledgerd_service;

GRANT SELECT ON TABLE public.adjustment TO ledgerd_service;

GRANT INSERT(id) ON TABLE public.adjustment TO ledgerd_service;

GRANT INSERT(subject) ON TABLE public.adjustment TO ledgerd_service;

GRANT INSERT(month) ON TABLE public.adjustment TO ledgerd_service;

GRANT INSERT(ends_at) ON TABLE public.adjustment TO ledgerd_service;

GRANT INSERT(breakage_policy_id) ON TABLE public.adjustment TO ledgerd_service;

GRANT INSERT(bonus_policy_id) ON TABLE public.adjustment TO ledgerd_service;

GRANT INSERT(target) ON TABLE public.adjustment TO ledgerd_service;

GRANT INSERT(amount) ON TABLE public.adjustment TO ledgerd_service;

GRANT INSERT(journal_entry_id) ON TABLE public.adjustment TO ledgerd_service;

GRANT INSERT(adjusted_by) ON TABLE public.adjustment TO ledgerd_service;

GRANT INSERT(recorded_at) ON TABLE public.adjustment TO ledgerd_service;

GRANT INSERT(basis_id) ON TABLE public.adjustment TO ledgerd_service;

GRANT SELECT ON TABLE public.adjustment_basis TO ledgerd_service;

GRANT INSERT(month) ON TABLE public.adjustment_basis TO ledgerd_service;

GRANT INSERT(zone) ON TABLE public.adjustment_basis TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.adjustment_cohort TO ledgerd_service;

GRANT SELECT ON TABLE public.approval TO ledgerd_service;

GRANT INSERT(key) ON TABLE public.approval TO ledgerd_service;

GRANT INSERT(act) ON TABLE public.approval TO ledgerd_service;

GRANT INSERT(target) ON TABLE public.approval TO ledgerd_service;

GRANT INSERT(user_id) ON TABLE public.approval TO ledgerd_service;

GRANT INSERT(parameters) ON TABLE public.approval TO ledgerd_service;

GRANT INSERT(account),UPDATE(account) ON TABLE public.approval TO ledgerd_service;

GRANT INSERT(seen) ON TABLE public.approval TO ledgerd_service;

GRANT INSERT(reason) ON TABLE public.approval TO ledgerd_service;

GRANT INSERT(proposed_by) ON TABLE public.approval TO ledgerd_service;

GRANT INSERT(proposed_name) ON TABLE public.approval TO ledgerd_service;

GRANT UPDATE(status) ON TABLE public.approval TO ledgerd_service;

GRANT UPDATE(decided_by) ON TABLE public.approval TO ledgerd_service;

GRANT UPDATE(decided_name) ON TABLE public.approval TO ledgerd_service;

GRANT UPDATE(decided_at) ON TABLE public.approval TO ledgerd_service;

GRANT UPDATE(decision_reason) ON TABLE public.approval TO ledgerd_service;

GRANT UPDATE(ended_at) ON TABLE public.approval TO ledgerd_service;

GRANT UPDATE(outcome) ON TABLE public.approval TO ledgerd_service;

GRANT INSERT(beside) ON TABLE public.approval TO ledgerd_service;

GRANT UPDATE(withdrawn_by) ON TABLE public.approval TO ledgerd_service;

GRANT UPDATE(withdrawn_at) ON TABLE public.approval TO ledgerd_service;

GRANT SELECT ON TABLE public.audit TO ledgerd_service;

GRANT INSERT(key) ON TABLE public.audit TO ledgerd_service;

GRANT INSERT(subject) ON TABLE public.audit TO ledgerd_service;

GRANT INSERT(name) ON TABLE public.audit TO ledgerd_service;

GRANT INSERT(role) ON TABLE public.audit TO ledgerd_service;

GRANT INSERT(act) ON TABLE public.audit TO ledgerd_service;

GRANT INSERT(target) ON TABLE public.audit TO ledgerd_service;

GRANT INSERT(user_id) ON TABLE public.audit TO ledgerd_service;

GRANT INSERT(reason) ON TABLE public.audit TO ledgerd_service;

GRANT INSERT(seen) ON TABLE public.audit TO ledgerd_service;

GRANT INSERT(approval_id) ON TABLE public.audit TO ledgerd_service;

GRANT SELECT ON TABLE public.audit_outcome TO ledgerd_service;

GRANT INSERT(audit_id) ON TABLE public.audit_outcome TO ledgerd_service;

GRANT INSERT(outcome) ON TABLE public.audit_outcome TO ledgerd_service;

GRANT INSERT(detail) ON TABLE public.audit_outcome TO ledgerd_service;

GRANT SELECT,INSERT,DELETE ON TABLE public.balance_alert TO ledgerd_service;

GRANT UPDATE(below) ON TABLE public.balance_alert TO ledgerd_service;

GRANT UPDATE(above) ON TABLE public.balance_alert TO ledgerd_service;

GRANT UPDATE(set_by) ON TABLE public.balance_alert TO ledgerd_service;

GRANT UPDATE(set_at) ON TABLE public.balance_alert TO ledgerd_service;

GRANT SELECT ON TABLE public.campaign TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.campaign_grant TO ledgerd_service;

GRANT SELECT ON TABLE public.campaign_run TO ledgerd_service;

GRANT UPDATE(status) ON TABLE public.campaign_run TO ledgerd_service;

GRANT UPDATE(reason) ON TABLE public.campaign_run TO ledgerd_service;

GRANT UPDATE(attempts) ON TABLE public.campaign_run TO ledgerd_service;

GRANT UPDATE(next_attempt_at) ON TABLE public.campaign_run TO ledgerd_service;

GRANT UPDATE(lease_holder) ON TABLE public.campaign_run TO ledgerd_service;

GRANT UPDATE(decided_at) ON TABLE public.campaign_run TO ledgerd_service;

GRANT SELECT ON TABLE public.campaign_sum TO ledgerd_service;

GRANT SELECT ON TABLE public.campaign_user TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.chain_link TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.claw_back_reversal TO ledgerd_service;

GRANT SELECT ON TABLE public.closed_period TO ledgerd_service;

GRANT INSERT(until) ON TABLE public.closed_period TO ledgerd_service;

GRANT INSERT(closed_by) ON TABLE public.closed_period TO ledgerd_service;

GRANT SELECT ON TABLE public.closing_proposal TO ledgerd_service;

GRANT INSERT(key) ON TABLE public.closing_proposal TO ledgerd_service;

GRANT INSERT(until) ON TABLE public.closing_proposal TO ledgerd_service;

GRANT INSERT(open_items) ON TABLE public.closing_proposal TO ledgerd_service;

GRANT INSERT(reason) ON TABLE public.closing_proposal TO ledgerd_service;

GRANT INSERT(proposed_by) ON TABLE public.closing_proposal TO ledgerd_service;

GRANT INSERT(proposed_name) ON TABLE public.closing_proposal TO ledgerd_service;

GRANT UPDATE(status) ON TABLE public.closing_proposal TO ledgerd_service;

GRANT UPDATE(decided_by) ON TABLE public.closing_proposal TO ledgerd_service;

GRANT UPDATE(decided_name) ON TABLE public.closing_proposal TO ledgerd_service;

GRANT UPDATE(decided_at) ON TABLE public.closing_proposal TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.coin_freeze TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.coin_return TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.console_session TO ledgerd_service;

GRANT UPDATE(seen_at) ON TABLE public.console_session TO ledgerd_service;

GRANT UPDATE(ended_at) ON TABLE public.console_session TO ledgerd_service;

GRANT SELECT ON TABLE public.custody_balance TO ledgerd_service;

GRANT INSERT(key) ON TABLE public.custody_balance TO ledgerd_service;

GRANT INSERT(custodian) ON TABLE public.custody_balance TO ledgerd_service;

GRANT INSERT(method) ON TABLE public.custody_balance TO ledgerd_service;

GRANT INSERT(balance) ON TABLE public.custody_balance TO ledgerd_service;

GRANT INSERT(held_at) ON TABLE public.custody_balance TO ledgerd_service;

GRANT INSERT(note) ON TABLE public.custody_balance TO ledgerd_service;

GRANT INSERT(entered_by) ON TABLE public.custody_balance TO ledgerd_service;

GRANT SELECT ON TABLE public.customer_note TO ledgerd_service;

GRANT INSERT(key) ON TABLE public.customer_note TO ledgerd_service;

GRANT INSERT(user_id) ON TABLE public.customer_note TO ledgerd_service;

GRANT INSERT(text) ON TABLE public.customer_note TO ledgerd_service;

GRANT INSERT(written_by) ON TABLE public.customer_note TO ledgerd_service;

GRANT INSERT(written_name) ON TABLE public.customer_note TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.debt_bank_payment TO ledgerd_service;

GRANT SELECT ON TABLE public.difference_act TO ledgerd_service;

GRANT INSERT(gateway) ON TABLE public.difference_act TO ledgerd_service;

GRANT INSERT(imp_uid) ON TABLE public.difference_act TO ledgerd_service;

GRANT INSERT(act) ON TABLE public.difference_act TO ledgerd_service;

GRANT INSERT(by) ON TABLE public.difference_act TO ledgerd_service;

GRANT INSERT(whom) ON TABLE public.difference_act TO ledgerd_service;

GRANT INSERT(reason) ON TABLE public.difference_act TO ledgerd_service;

GRANT SELECT ON TABLE public.dispute TO ledgerd_service;

GRANT INSERT(id) ON TABLE public.dispute TO ledgerd_service;

GRANT INSERT(stripe) ON TABLE public.dispute TO ledgerd_service;

GRANT INSERT(purchase_id) ON TABLE public.dispute TO ledgerd_service;

GRANT INSERT(user_id) ON TABLE public.dispute TO ledgerd_service;

GRANT INSERT(gateway_id) ON TABLE public.dispute TO ledgerd_service;

GRANT INSERT(opened_at) ON TABLE public.dispute TO ledgerd_service;

GRANT INSERT(reason) ON TABLE public.dispute TO ledgerd_service;

GRANT INSERT(recorded_at) ON TABLE public.dispute TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.dispute_decision TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.dispute_win TO ledgerd_service;

GRANT SELECT,INSERT,UPDATE ON TABLE public.endpoint TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.endpoint_attempt TO ledgerd_service;

GRANT SELECT,INSERT,DELETE ON TABLE public.endpoint_failure TO ledgerd_service;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.endpoint_lane TO ledgerd_service;

GRANT SELECT,INSERT,UPDATE ON TABLE public.endpoint_reader TO ledgerd_service;

GRANT SELECT ON TABLE public.entry_kind TO ledgerd_service;

GRANT SELECT ON TABLE public.entry_salt TO ledgerd_service;

GRANT INSERT(entry_id) ON TABLE public.entry_salt TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.event TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.finding TO ledgerd_service;

GRANT UPDATE(user_id) ON TABLE public.finding TO ledgerd_service;

GRANT UPDATE(amount) ON TABLE public.finding TO ledgerd_service;

GRANT UPDATE(currency) ON TABLE public.finding TO ledgerd_service;

GRANT UPDATE(resolved_at) ON TABLE public.finding TO ledgerd_service;

GRANT UPDATE(kinds) ON TABLE public.finding TO ledgerd_service;

GRANT UPDATE(paid_at) ON TABLE public.finding TO ledgerd_service;

GRANT UPDATE(assigned_to) ON TABLE public.finding TO ledgerd_service;

GRANT UPDATE(cancelled_amount) ON TABLE public.finding TO ledgerd_service;

GRANT UPDATE(named_user) ON TABLE public.finding TO ledgerd_service;

GRANT UPDATE(ended_by_books) ON TABLE public.finding TO ledgerd_service;

GRANT UPDATE(measured) ON TABLE public.finding TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.finding_act TO ledgerd_service;

GRANT SELECT ON TABLE public.foreign_currency TO ledgerd_service;

GRANT SELECT ON TABLE public.forgetting TO ledgerd_service;

GRANT UPDATE(reason) ON TABLE public.forgetting TO ledgerd_service;

GRANT UPDATE(attempts) ON TABLE public.forgetting TO ledgerd_service;

GRANT UPDATE(next_attempt_at) ON TABLE public.forgetting TO ledgerd_service;

GRANT UPDATE(lease_holder) ON TABLE public.forgetting TO ledgerd_service;

GRANT SELECT ON TABLE public.forgotten_payment TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.gift TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.gift_lot TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.grant_counted TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.grant_day TO ledgerd_service;

GRANT UPDATE(coins) ON TABLE public.grant_day TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.grant_void TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.hold TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.hold_event TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.hold_lot TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.idempotency TO ledgerd_service;

GRANT SELECT ON TABLE public.judge_file TO ledgerd_service;

GRANT SELECT ON TABLE public.ledger TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.lot TO ledgerd_service;

GRANT SELECT ON TABLE public.migration TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.notification_walk TO ledgerd_service;

GRANT UPDATE(walked_until) ON TABLE public.notification_walk TO ledgerd_service;

GRANT USAGE ON SEQUENCE public.record_id TO ledgerd_service;

GRANT SELECT ON TABLE public.occurrence TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public."order" TO ledgerd_service;

GRANT SELECT ON TABLE public.payment_name TO ledgerd_service;

GRANT INSERT(imp_uid) ON TABLE public.payment_name TO ledgerd_service;

GRANT INSERT(gateway) ON TABLE public.payment_name TO ledgerd_service;

GRANT INSERT(merchant_uid) ON TABLE public.payment_name TO ledgerd_service;

GRANT INSERT(purchase_id) ON TABLE public.payment_name TO ledgerd_service;

GRANT SELECT ON TABLE public.payout_decision TO ledgerd_service;

GRANT INSERT(payout_id) ON TABLE public.payout_decision TO ledgerd_service;

GRANT INSERT(decision) ON TABLE public.payout_decision TO ledgerd_service;

GRANT INSERT(decided_by) ON TABLE public.payout_decision TO ledgerd_service;

GRANT INSERT(reason) ON TABLE public.payout_decision TO ledgerd_service;

GRANT INSERT(paid_at) ON TABLE public.payout_decision TO ledgerd_service;

GRANT INSERT(bank_reference) ON TABLE public.payout_decision TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.payout_entry TO ledgerd_service;

GRANT SELECT ON TABLE public.payout_item TO ledgerd_service;

GRANT SELECT ON TABLE public.payout_part TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.posting TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.product TO ledgerd_service;

GRANT UPDATE(active_until) ON TABLE public.product TO ledgerd_service;

GRANT SELECT ON TABLE public.product_price TO ledgerd_service;

GRANT INSERT(product) ON TABLE public.product_price TO ledgerd_service;

GRANT INSERT(currency) ON TABLE public.product_price TO ledgerd_service;

GRANT INSERT(amount) ON TABLE public.product_price TO ledgerd_service;

GRANT INSERT(active_from) ON TABLE public.product_price TO ledgerd_service;

GRANT INSERT(active_until),UPDATE(active_until) ON TABLE public.product_price TO ledgerd_service;

GRANT SELECT ON TABLE public.provider_account TO ledgerd_service;

GRANT INSERT(provider) ON TABLE public.provider_account TO ledgerd_service;

GRANT INSERT(account),UPDATE(account) ON TABLE public.provider_account TO ledgerd_service;

GRANT UPDATE(status) ON TABLE public.provider_account TO ledgerd_service;

GRANT INSERT(proposed_by) ON TABLE public.provider_account TO ledgerd_service;

GRANT UPDATE(approved_by) ON TABLE public.provider_account TO ledgerd_service;

GRANT UPDATE(approved_at) ON TABLE public.provider_account TO ledgerd_service;

GRANT UPDATE(ended_by) ON TABLE public.provider_account TO ledgerd_service;

GRANT UPDATE(ended_at) ON TABLE public.provider_account TO ledgerd_service;

GRANT SELECT ON TABLE public.provider_repayment TO ledgerd_service;

GRANT INSERT(journal_entry_id) ON TABLE public.provider_repayment TO ledgerd_service;

GRANT INSERT(provider) ON TABLE public.provider_repayment TO ledgerd_service;

GRANT INSERT(stripe) ON TABLE public.provider_repayment TO ledgerd_service;

GRANT INSERT(amount) ON TABLE public.provider_repayment TO ledgerd_service;

GRANT INSERT(paid_at) ON TABLE public.provider_repayment TO ledgerd_service;

GRANT INSERT(bank_reference) ON TABLE public.provider_repayment TO ledgerd_service;

GRANT INSERT(recorded_at) ON TABLE public.provider_repayment TO ledgerd_service;

GRANT SELECT ON TABLE public.provider_share TO ledgerd_service;

GRANT INSERT(journal_entry_id) ON TABLE public.provider_share TO ledgerd_service;

GRANT INSERT(capture_id) ON TABLE public.provider_share TO ledgerd_service;

GRANT INSERT(provider) ON TABLE public.provider_share TO ledgerd_service;

GRANT INSERT(stripe) ON TABLE public.provider_share TO ledgerd_service;

GRANT INSERT(terms_id) ON TABLE public.provider_share TO ledgerd_service;

GRANT INSERT(amount) ON TABLE public.provider_share TO ledgerd_service;

GRANT INSERT(share) ON TABLE public.provider_share TO ledgerd_service;

GRANT INSERT(recorded_at) ON TABLE public.provider_share TO ledgerd_service;

GRANT INSERT(vat) ON TABLE public.provider_share TO ledgerd_service;

GRANT INSERT(product) ON TABLE public.provider_share TO ledgerd_service;

GRANT SELECT ON TABLE public.provider_due TO ledgerd_service;

GRANT SELECT ON TABLE public.provider_terms TO ledgerd_service;

GRANT INSERT(provider) ON TABLE public.provider_terms TO ledgerd_service;

GRANT INSERT(share) ON TABLE public.provider_terms TO ledgerd_service;

GRANT INSERT(role) ON TABLE public.provider_terms TO ledgerd_service;

GRANT INSERT(withholding) ON TABLE public.provider_terms TO ledgerd_service;

GRANT INSERT(set_by) ON TABLE public.provider_terms TO ledgerd_service;

GRANT INSERT(product) ON TABLE public.provider_terms TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.purchase_reversal TO ledgerd_service;

GRANT SELECT ON TABLE public.rate TO ledgerd_service;

GRANT INSERT(currency) ON TABLE public.rate TO ledgerd_service;

GRANT INSERT(day) ON TABLE public.rate TO ledgerd_service;

GRANT INSERT(version) ON TABLE public.rate TO ledgerd_service;

GRANT INSERT(value) ON TABLE public.rate TO ledgerd_service;

GRANT INSERT(scale) ON TABLE public.rate TO ledgerd_service;

GRANT INSERT(per) ON TABLE public.rate TO ledgerd_service;

GRANT INSERT(source) ON TABLE public.rate TO ledgerd_service;

GRANT INSERT(set_by) ON TABLE public.rate TO ledgerd_service;

GRANT INSERT(set_at) ON TABLE public.rate TO ledgerd_service;

GRANT INSERT(approved_by) ON TABLE public.rate TO ledgerd_service;

GRANT SELECT ON TABLE public.rate_proposal TO ledgerd_service;

GRANT INSERT(currency) ON TABLE public.rate_proposal TO ledgerd_service;

GRANT INSERT(day) ON TABLE public.rate_proposal TO ledgerd_service;

GRANT INSERT(value) ON TABLE public.rate_proposal TO ledgerd_service;

GRANT INSERT(scale) ON TABLE public.rate_proposal TO ledgerd_service;

GRANT INSERT(per) ON TABLE public.rate_proposal TO ledgerd_service;

GRANT INSERT(source) ON TABLE public.rate_proposal TO ledgerd_service;

GRANT INSERT(proposed_by) ON TABLE public.rate_proposal TO ledgerd_service;

GRANT UPDATE(status) ON TABLE public.rate_proposal TO ledgerd_service;

GRANT UPDATE(version) ON TABLE public.rate_proposal TO ledgerd_service;

GRANT UPDATE(decided_by) ON TABLE public.rate_proposal TO ledgerd_service;

GRANT UPDATE(decided_at) ON TABLE public.rate_proposal TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.receipt_refusal TO ledgerd_service;

GRANT UPDATE(window_ends_at) ON TABLE public.receipt_refusal TO ledgerd_service;

GRANT UPDATE(refused) ON TABLE public.receipt_refusal TO ledgerd_service;

GRANT SELECT,INSERT,UPDATE ON TABLE public.receipt_retry TO ledgerd_service;

GRANT SELECT,INSERT,DELETE ON TABLE public.reconciliation_item TO ledgerd_service;

GRANT UPDATE(kind) ON TABLE public.reconciliation_item TO ledgerd_service;

GRANT UPDATE(outcome) ON TABLE public.reconciliation_item TO ledgerd_service;

GRANT UPDATE(paid_status) ON TABLE public.reconciliation_item TO ledgerd_service;

GRANT UPDATE(paid_amount) ON TABLE public.reconciliation_item TO ledgerd_service;

GRANT UPDATE(cancelled_amount) ON TABLE public.reconciliation_item TO ledgerd_service;

GRANT UPDATE(paid_currency) ON TABLE public.reconciliation_item TO ledgerd_service;

GRANT UPDATE(paid_at) ON TABLE public.reconciliation_item TO ledgerd_service;

GRANT UPDATE(purchase_id) ON TABLE public.reconciliation_item TO ledgerd_service;

GRANT UPDATE(credited_amount) ON TABLE public.reconciliation_item TO ledgerd_service;

GRANT UPDATE(refunded_amount) ON TABLE public.reconciliation_item TO ledgerd_service;

GRANT UPDATE(credited_currency) ON TABLE public.reconciliation_item TO ledgerd_service;

GRANT UPDATE(pending_refund_amount) ON TABLE public.reconciliation_item TO ledgerd_service;

GRANT INSERT(transferred_amount),UPDATE(transferred_amount) ON TABLE public.reconciliation_item TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.reconciliation_run TO ledgerd_service;

GRANT UPDATE(status) ON TABLE public.reconciliation_run TO ledgerd_service;

GRANT UPDATE(stage) ON TABLE public.reconciliation_run TO ledgerd_service;

GRANT UPDATE(place) ON TABLE public.reconciliation_run TO ledgerd_service;

GRANT UPDATE(failures) ON TABLE public.reconciliation_run TO ledgerd_service;

GRANT UPDATE(failure) ON TABLE public.reconciliation_run TO ledgerd_service;

GRANT UPDATE(counts) ON TABLE public.reconciliation_run TO ledgerd_service;

GRANT UPDATE(lease) ON TABLE public.reconciliation_run TO ledgerd_service;

GRANT UPDATE(leased_until) ON TABLE public.reconciliation_run TO ledgerd_service;

GRANT UPDATE(ended_at) ON TABLE public.reconciliation_run TO ledgerd_service;

GRANT UPDATE(lease_holder) ON TABLE public.reconciliation_run TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.refund TO ledgerd_service;

GRANT UPDATE(reason) ON TABLE public.refund TO ledgerd_service;

GRANT UPDATE(attempts) ON TABLE public.refund TO ledgerd_service;

GRANT UPDATE(next_attempt_at) ON TABLE public.refund TO ledgerd_service;

GRANT UPDATE(lease_holder) ON TABLE public.refund TO ledgerd_service;

GRANT UPDATE(asked_at) ON TABLE public.refund TO ledgerd_service;

GRANT UPDATE(tax_free) ON TABLE public.refund TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.refund_decision TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.refund_question TO ledgerd_service;

GRANT UPDATE(status) ON TABLE public.refund_question TO ledgerd_service;

GRANT UPDATE(reason) ON TABLE public.refund_question TO ledgerd_service;

GRANT UPDATE(attempts) ON TABLE public.refund_question TO ledgerd_service;

GRANT UPDATE(next_attempt_at) ON TABLE public.refund_question TO ledgerd_service;

GRANT UPDATE(lease_holder) ON TABLE public.refund_question TO ledgerd_service;

GRANT UPDATE(decided_at) ON TABLE public.refund_question TO ledgerd_service;

GRANT UPDATE(preference) ON TABLE public.refund_question TO ledgerd_service;

GRANT UPDATE(percentage) ON TABLE public.refund_question TO ledgerd_service;

GRANT UPDATE(overruled_to) ON TABLE public.refund_question TO ledgerd_service;

GRANT UPDATE(overruled_by) ON TABLE public.refund_question TO ledgerd_service;

GRANT UPDATE(overruled_why) ON TABLE public.refund_question TO ledgerd_service;

GRANT UPDATE(overruled_at) ON TABLE public.refund_question TO ledgerd_service;

GRANT UPDATE(outcome) ON TABLE public.refund_question TO ledgerd_service;

GRANT UPDATE(outcome_at) ON TABLE public.refund_question TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.revaluation TO ledgerd_service;

GRANT SELECT ON TABLE public.revaluation_basis TO ledgerd_service;

GRANT INSERT(currency) ON TABLE public.revaluation_basis TO ledgerd_service;

GRANT INSERT(month) ON TABLE public.revaluation_basis TO ledgerd_service;

GRANT INSERT(zone) ON TABLE public.revaluation_basis TO ledgerd_service;

GRANT INSERT(measured_from) ON TABLE public.revaluation_basis TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.seal TO ledgerd_service;

GRANT SELECT ON TABLE public.settlement_columns TO ledgerd_service;

GRANT INSERT(gateway) ON TABLE public.settlement_columns TO ledgerd_service;

GRANT INSERT(payment_id),UPDATE(payment_id) ON TABLE public.settlement_columns TO ledgerd_service;

GRANT INSERT(gross),UPDATE(gross) ON TABLE public.settlement_columns TO ledgerd_service;

GRANT INSERT(fee),UPDATE(fee) ON TABLE public.settlement_columns TO ledgerd_service;

GRANT INSERT(tax),UPDATE(tax) ON TABLE public.settlement_columns TO ledgerd_service;

GRANT INSERT(net),UPDATE(net) ON TABLE public.settlement_columns TO ledgerd_service;

GRANT INSERT(paid_out_at),UPDATE(paid_out_at) ON TABLE public.settlement_columns TO ledgerd_service;

GRANT INSERT(saved_by),UPDATE(saved_by) ON TABLE public.settlement_columns TO ledgerd_service;

GRANT UPDATE(saved_at) ON TABLE public.settlement_columns TO ledgerd_service;

GRANT INSERT(payment_currency),UPDATE(payment_currency) ON TABLE public.settlement_columns TO ledgerd_service;

GRANT INSERT(payout_rate),UPDATE(payout_rate) ON TABLE public.settlement_columns TO ledgerd_service;

GRANT INSERT(payout_won),UPDATE(payout_won) ON TABLE public.settlement_columns TO ledgerd_service;

GRANT SELECT ON TABLE public.settlement_dismissal TO ledgerd_service;

GRANT INSERT(row_id) ON TABLE public.settlement_dismissal TO ledgerd_service;

GRANT INSERT(payment) ON TABLE public.settlement_dismissal TO ledgerd_service;

GRANT INSERT(reason) ON TABLE public.settlement_dismissal TO ledgerd_service;

GRANT INSERT(dismissed_by) ON TABLE public.settlement_dismissal TO ledgerd_service;

GRANT INSERT(kind) ON TABLE public.settlement_dismissal TO ledgerd_service;

GRANT SELECT ON TABLE public.settlement_dismissal_check TO ledgerd_service;

GRANT INSERT(row_id) ON TABLE public.settlement_dismissal_check TO ledgerd_service;

GRANT INSERT(payment) ON TABLE public.settlement_dismissal_check TO ledgerd_service;

GRANT INSERT(checked_by) ON TABLE public.settlement_dismissal_check TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.settlement_file TO ledgerd_service;

GRANT SELECT ON TABLE public.settlement_file_sum TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.settlement_row TO ledgerd_service;

GRANT UPDATE(payment) ON TABLE public.settlement_row TO ledgerd_service;

GRANT UPDATE(gross) ON TABLE public.settlement_row TO ledgerd_service;

GRANT UPDATE(fee) ON TABLE public.settlement_row TO ledgerd_service;

GRANT UPDATE(tax) ON TABLE public.settlement_row TO ledgerd_service;

GRANT UPDATE(net) ON TABLE public.settlement_row TO ledgerd_service;

GRANT UPDATE(paid_out_on) ON TABLE public.settlement_row TO ledgerd_service;

GRANT UPDATE(paid_out_at) ON TABLE public.settlement_row TO ledgerd_service;

GRANT UPDATE(place) ON TABLE public.settlement_row TO ledgerd_service;

GRANT UPDATE(status) ON TABLE public.settlement_row TO ledgerd_service;

GRANT UPDATE(reason) ON TABLE public.settlement_row TO ledgerd_service;

GRANT UPDATE(purchase_id) ON TABLE public.settlement_row TO ledgerd_service;

GRANT UPDATE(journal_entry_id) ON TABLE public.settlement_row TO ledgerd_service;

GRANT UPDATE(settled_at) ON TABLE public.settlement_row TO ledgerd_service;

GRANT UPDATE(input_vat) ON TABLE public.settlement_row TO ledgerd_service;

GRANT UPDATE(foreign_gross) ON TABLE public.settlement_row TO ledgerd_service;

GRANT UPDATE(foreign_currency) ON TABLE public.settlement_row TO ledgerd_service;

GRANT UPDATE(carried) ON TABLE public.settlement_row TO ledgerd_service;

GRANT UPDATE(foreign_net) ON TABLE public.settlement_row TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.store_account TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.store_consent TO ledgerd_service;

GRANT SELECT ON TABLE public.store_delivery TO ledgerd_service;

GRANT UPDATE(status) ON TABLE public.store_delivery TO ledgerd_service;

GRANT UPDATE(reason) ON TABLE public.store_delivery TO ledgerd_service;

GRANT UPDATE(attempts) ON TABLE public.store_delivery TO ledgerd_service;

GRANT UPDATE(next_attempt_at) ON TABLE public.store_delivery TO ledgerd_service;

GRANT UPDATE(lease_holder) ON TABLE public.store_delivery TO ledgerd_service;

GRANT UPDATE(decided_at) ON TABLE public.store_delivery TO ledgerd_service;

GRANT UPDATE(in_a_row) ON TABLE public.store_delivery TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.store_product TO ledgerd_service;

GRANT SELECT ON TABLE public.top_up TO ledgerd_service;

GRANT SELECT ON TABLE public.top_up_charge TO ledgerd_service;

GRANT UPDATE(reason) ON TABLE public.top_up_charge TO ledgerd_service;

GRANT UPDATE(attempts) ON TABLE public.top_up_charge TO ledgerd_service;

GRANT UPDATE(next_attempt_at) ON TABLE public.top_up_charge TO ledgerd_service;

GRANT UPDATE(lease_holder) ON TABLE public.top_up_charge TO ledgerd_service;

GRANT SELECT ON TABLE public.user_alias TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.user_merge TO ledgerd_service;

GRANT SELECT,INSERT ON TABLE public.webhook_event TO ledgerd_service;

GRANT UPDATE(status) ON TABLE public.webhook_event TO ledgerd_service;

GRANT UPDATE(reason) ON TABLE public.webhook_event TO ledgerd_service;

GRANT UPDATE(attempts) ON TABLE public.webhook_event TO ledgerd_service;

GRANT UPDATE(next_attempt_at) ON TABLE public.webhook_event TO ledgerd_service;

GRANT UPDATE(decided_at) ON TABLE public.webhook_event TO ledgerd_service;

GRANT UPDATE(urgency) ON TABLE public.webhook_event TO ledgerd_service;

GRANT UPDATE(repeats) ON TABLE public.webhook_event TO ledgerd_service;

GRANT UPDATE(lease_holder) ON TABLE public.webhook_event TO ledgerd_service;
