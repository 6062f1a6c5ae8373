-- Users are forgotten (docs/decisions/0209): texts are erased, and another id takes the place of theirs, in one transaction. What
-- each column has of people is said by personal_tables(), which ledgerd writes from its declaration (TableContent.all).

-- Whether this transaction forgets a user at this moment. Only forget_user says so, and takes it back before it returns: what its
-- caller does in the same transaction is judged.
CREATE OR REPLACE FUNCTION is_forgetting() RETURNS boolean LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET enable_seqscan = off AS $$
BEGIN
    -- Functions are applied before the migration that brings the table.
    IF to_regclass('forgetting') IS NULL THEN
        RETURN false;
    END IF;
    RETURN EXISTS (SELECT FROM forgetting WHERE under_way = pg_current_xact_id_if_assigned());
END
$$;

-- A request is decided once, and nobody who was forgotten comes back. What is kept of the id goes when its time has come.
CREATE OR REPLACE FUNCTION judge_forgetting() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
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

-- Asks for it; a repeat changes nothing.
CREATE OR REPLACE FUNCTION ask_to_forget(of_user text, wait interval, why text, by text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
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

-- Ends a request that waits; NULL: there is none.
CREATE OR REPLACE FUNCTION cancel_forgetting(of_user text, by text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
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

-- What keeps a user from being forgotten, such as {coins,order}, under any id of the person: what a merged user earns as a provider
-- stays where it is.
CREATE OR REPLACE FUNCTION open_of_user(of_user text) RETURNS text[] LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
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

-- The stripe of a user: FNV-1a (64 bits) of the id, modulo the number of stripes, as in Stripe.swift.
CREATE OR REPLACE FUNCTION stripe_of_user(of_user text, stripes bigint) RETURNS bigint LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
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

-- An id that nobody can guess, in the stripe of the one that it replaces.
CREATE OR REPLACE FUNCTION new_forgotten_id(of_user text) RETURNS text LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
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

-- A commitment of the chain (docs/seals.md).
CREATE OR REPLACE FUNCTION chain_commitment(salt bytea, name text, words text) RETURNS bytea LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT sha256(salt || int8send(octet_length(convert_to(name, 'UTF8'))) || convert_to(name, 'UTF8')
        || int8send(octet_length(convert_to(words, 'UTF8'))) || convert_to(words, 'UTF8'))
$$;

-- Whether all that an entry's reference names is a row, as in the chain.
CREATE OR REPLACE FUNCTION is_reference_of_row(kind text, reference text) RETURNS boolean LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT kind <> 'spend' AND reference ~ '^[^:]*:[0-9]+$' AND reference !~ '^(user|provider|merge):'
$$;

-- A regular expression of the places in people's texts where an id stands, also in percent form, in base64, or as its SHA-256;
-- what stands before it is \1 or \2 (without_id). It stands only between other characters than letters and digits: customer1 is
-- not in customer10. One of fewer than eight characters, or of digits alone, is not beside _ either, nor in the name of a row
-- (lot:7).
--
-- Whole tables are read with it, and what looks back costs ten times as much as a group.
CREATE OR REPLACE FUNCTION places_of_id(id text) RETURNS text LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
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
$$;

-- A text with the replacement of an id in all its places.
CREATE OR REPLACE FUNCTION without_id(words text, places text, replacement text) RETURNS text LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT regexp_replace(words, places, '\1\2' || replacement, 'g')
$$;

-- Whether a gateway's names of payments can have a user's id in them, as those of orders that a shop chooses. A store, which has an account
-- of its own, makes all of them: an id in one is there by chance, such as 1234 in GPA.3345-1234-5678-90123, and by them it goes on to
-- tell of refunds and payouts.
CREATE OR REPLACE FUNCTION can_name_user(gateway text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    RETURN receivable_of(gateway) = 'gateway:receivable';
END
$$;

-- What names something of a user: user:ID, wallet:ID:paid, or the id itself.
CREATE OR REPLACE FUNCTION renamed(name text, id text, replacement text) RETURNS text LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE WHEN strpos(name, id) = 0 THEN name WHEN name = id THEN replacement
        ELSE regexp_replace(name,
            '^((?:user|provider|merge|wallet|held|debt|earnings|payable):)' || regexp_replace(id, '([^[:alnum:]])', '\\\1', 'g')
                || '((?::paid|:bonus|/[0-9]+)?)$', '\1' || replacement || '\2') END
$$;

-- A document without an id, and without people's words if it is one of the user. In one of others, names of payments and keys stay.
CREATE OR REPLACE FUNCTION forgotten_in(document jsonb, id text, replacement text, places text, is_of_user boolean, member text)
RETURNS jsonb LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, public, pg_temp AS $$
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
$$;

-- The journal keeps what proves it: before a text goes, so does its salt, and the commitment is stored. False: the chain does not
-- have all of it yet.
CREATE OR REPLACE FUNCTION forget_in_journal(former text, replacement text, places text) RETURNS boolean LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
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

-- Erases what the declared tables have of an id, and puts the replacement in its place. Of a user who was merged, each id is one, and
-- rows that became the other's, such as a purchase, can have it in their texts: they are found by one of the ids.
CREATE OR REPLACE FUNCTION forget_id(former text, replacement text, ids text[], name_key bytea, key_name text) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
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
$$;

-- Forgets a user whose time has come. The caller gives what may be kept of the id, encrypted, for as long as records of payments and of
-- complaints are kept, and the key of the names of payments; nothing else. Returns what the request waits for, or NULL.
CREATE OR REPLACE FUNCTION forget_user(
    request bigint, sealed_id bytea, sealed_with text, name_key bytea, keeps_payments interval, keeps_complaints interval
) RETURNS text LANGUAGE plpgsql SECURITY DEFINER
-- Whatever the session plans with: whole tables are read.
SET search_path = pg_catalog, public, pg_temp SET enable_seqscan = on SET enable_hashjoin = on SET enable_nestloop = on SET jit = off
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

-- Refuses to credit payments of a user who was forgotten as not ready: the plan answers them. Called in the transaction that
-- credits them, afterwards: no name was free before its hash was there.
CREATE OR REPLACE FUNCTION refuse_forgotten_payments(digests bytea[]) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET enable_seqscan = off AS $$
BEGIN
    IF EXISTS (SELECT FROM forgotten_payment WHERE digest = ANY (digests)) THEN
        RAISE EXCEPTION 'a user who was forgotten had the payment' USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
END
$$;

-- The columns of a declared table, with what they have of people and their types.
CREATE OR REPLACE FUNCTION personal_columns(of_table text, declared jsonb)
RETURNS TABLE (column_name text, content text, kind text) LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT attname::text, declaration.key, typname::text
    FROM jsonb_each(declared) AS declaration
    CROSS JOIN LATERAL jsonb_array_elements_text(declaration.value) AS element (name)
    JOIN pg_attribute ON attrelid = format('%I', of_table)::regclass AND attname = element.name AND attgenerated = ''
    JOIN pg_type ON pg_type.oid = atttypid
$$;

-- Ends what was kept of ids whose time has come; returns of how many.
CREATE OR REPLACE FUNCTION end_kept_ids() RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    ended bigint;
BEGIN
    UPDATE forgetting SET kept_id = NULL, kept_with = NULL, kept_until = NULL WHERE kept_until <= clock_timestamp();
    GET DIAGNOSTICS ended = ROW_COUNT;
    RETURN ended;
END
$$;

REVOKE ALL ON FUNCTION is_forgetting, judge_forgetting, ask_to_forget, cancel_forgetting, open_of_user, stripe_of_user,
    new_forgotten_id, chain_commitment, is_reference_of_row, places_of_id, without_id, can_name_user, renamed, forgotten_in, forget_in_journal, forget_id, forget_user,
    refuse_forgotten_payments, personal_columns, end_kept_ids FROM PUBLIC;
GRANT EXECUTE ON FUNCTION is_forgetting, ask_to_forget, cancel_forgetting, open_of_user, forget_user, refuse_forgotten_payments, end_kept_ids
    TO ledgerd_service;
