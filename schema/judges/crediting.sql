-- Purchases that are decided here: who calls says what was paid and what it bought, and the entry, its postings, the lots and
-- the totals follow. Nothing that follows comes from the caller, so the judges have nothing to compare and are not asked
-- (schema/01_journal.sql); what they would refuse of a value is refused by the tables' constraints or below. Who can't be
-- credited here, such as a user in debt or a purchase in a store, is refused as not ready (55000), and planned
-- (docs/decisions/0199).
--
-- An act has six ids in a row: of the purchase, its entry, its lots of paid and of bonus coins, and the wallets that may have
-- to be opened.
--
-- Locks are those of a planned batch, in its order: that of closings, the system accounts by id, which include the lock of each
-- stripe, and then, in statements that see what was committed meanwhile, the users' accounts.
--
-- Lots that count whole days expire at an end of a day, which the caller has looked up in the time zone. It says for which moments:
-- after day_began, and at day_ends at the latest (docs/decisions/0202). At another one the purchases are planned.

-- Many purchases in one statement.
CREATE OR REPLACE FUNCTION credit_purchases(
    ids bigint[], stripes bigint[], users text[], gateways text[], imp_uids text[], merchant_uids text[],
    payment_ids text[], products text[], amounts bigint[], coins bigint[], bonus_coins bigint[],
    paid_times timestamptz[], expiries timestamptz[], bonus_expiries timestamptz[], vat_rules text[],
    tax_free_parts bigint[], day_began timestamptz DEFAULT NULL, day_ends timestamptz DEFAULT NULL
) RETURNS TABLE (paid_at timestamptz, credited_at timestamptz, paid bigint, bonus bigint, held bigint)
LANGUAGE plpgsql SECURITY DEFINER
-- Whatever a session plans with: as many rows are joined as there are acts, and accounts are found by key.
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan SET jit = off
SET enable_hashjoin = on SET enable_nestloop = off SET enable_seqscan = off AS $$
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

-- One purchase: the same in statements of one row each, which take half as long.
CREATE OR REPLACE FUNCTION credit_purchase(
    act bigint, in_stripe bigint, of_user text, at_gateway text, imp text, merchant text, payment text,
    of_product text, price bigint, coins bigint, bonus bigint, paid_time timestamptz, expiry timestamptz,
    bonus_expiry timestamptz, rule text, tax_free_part bigint, day_began timestamptz DEFAULT NULL,
    day_ends timestamptz DEFAULT NULL,
    OUT paid_at timestamptz, OUT credited_at timestamptz, OUT paid bigint, OUT bonus_left bigint, OUT held bigint
) LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
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

REVOKE ALL ON FUNCTION credit_purchases, credit_purchase FROM PUBLIC;
GRANT EXECUTE ON FUNCTION credit_purchases, credit_purchase TO ledgerd_service;
