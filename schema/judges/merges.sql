-- Users who become one (docs/decisions/0205).

-- The user that an id refers to.
CREATE OR REPLACE FUNCTION user_behind(asked text) RETURNS text LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    RETURN coalesce((SELECT user_id FROM user_alias WHERE former = asked), asked);
END
$$;

-- Whether anything is known of an id: it has accounts, or something was stored for it, or it refers to another one. An account
-- that this entry was the first to post to does not count.
CREATE OR REPLACE FUNCTION is_known_user(asked text, besides bigint DEFAULT NULL) RETURNS boolean LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
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

-- The user whose accounts an entry posts to, as they are called: what the entry is about may be another user's now.
CREATE OR REPLACE FUNCTION entry_user(of_entry bigint, told text) RETURNS text LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
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

-- Whose the lot or purchase of an entry was before a moment, as far as was recorded by another one, as they were called then; NULL:
-- now.
CREATE OR REPLACE FUNCTION user_as_of(of_entry bigint, told text, until_before timestamptz, recorded_by timestamptz)
RETURNS text LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
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

-- All that is a user's becomes another one's. Coins and debts moved by two entries, through the clearing accounts, which only these
-- entries post to by as much; lots move as they are, with the holds, refunds and disputes that they are in. Facts, such as entries,
-- events and the audit, keep the id that they had. What belongs to nobody any more has an owner again by its alias: a closed lot
-- is found when coins come back into it (judge_lot_movements).
--
-- Whoever posts for either user waits for the locks of both stripes, and so does this for them; a writer that comes later finds the
-- alias. It comes after the postings, so accounts are as the entries leave them.
CREATE OR REPLACE FUNCTION judge_user_merge() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
-- By key, as a plan made on an empty table would not.
SET search_path = pg_catalog, public, pg_temp SET enable_seqscan = off AS $$
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

REVOKE ALL ON FUNCTION user_behind, is_known_user, entry_user, user_as_of, judge_user_merge FROM PUBLIC;
GRANT EXECUTE ON FUNCTION user_behind, is_known_user, entry_user, user_as_of TO ledgerd_service;
