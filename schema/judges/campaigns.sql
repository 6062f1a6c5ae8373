-- Campaigns. Campaigns and their users are changed by these functions alone, so no caller gives more than a budget has, or gives a
-- user coins twice. Each locks the campaign first.

-- All ids of the person with this id. Once per user means once per person.
CREATE OR REPLACE FUNCTION person_ids(of_user text) RETURNS text[] LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT ARRAY(
        SELECT of_user
        UNION SELECT user_id FROM user_alias WHERE former = of_user
        UNION SELECT former FROM user_alias WHERE user_id = of_user
        UNION SELECT other.former FROM user_alias AS mine JOIN user_alias AS other USING (user_id) WHERE mine.former = of_user)
$$;

-- What is left of a campaign's budget: what was voided can be given again.
CREATE OR REPLACE FUNCTION campaign_room(of_campaign bigint) RETURNS bigint LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT budget - reserved
        + (SELECT coalesce(sum(voided), 0)::bigint FROM campaign_sum WHERE campaign_id = of_campaign)
    FROM campaign WHERE id = of_campaign
$$;

-- A new campaign, which waits for a second person if it needs one. A repeat of the same returns the same one; NULL: another one has
-- the name or the code.
CREATE OR REPLACE FUNCTION create_campaign(
    named text, each_gets bigint, most bigint, of_budget bigint, starts timestamptz, ends timestamptz, expire timestamptz,
    days bigint, why text, for_users text, by_code text, movable boolean, needs_approval boolean, caller text
) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
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

-- Adds users to the list of a campaign, after those who are on it; who is on it, under whichever id, stays as they are. A dry run
-- only counts.
--
-- refusal: the campaign is unknown, has a code, is over, or gives one of the users less at most.
CREATE OR REPLACE FUNCTION add_campaign_users(
    of_campaign bigint, asked_users text[], asked_coins bigint[], dry boolean,
    OUT added bigint, OUT present bigint, OUT added_coins bigint, OUT lacking bigint, OUT refusal text
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET enable_seqscan = off AS $$
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

-- Why no coins of a campaign may be reserved at a moment; NULL: they may.
CREATE OR REPLACE FUNCTION campaign_refusal(of_campaign bigint, moment timestamptz) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE
        WHEN status IN ('ended', 'voiding', 'voided') OR ends_at <= moment OR coins_expire_at <= moment THEN 'ended'
        WHEN status = 'waiting' OR starts_at > moment THEN 'not_started'
        -- Of its budget, ledgerd paused it.
        WHEN status = 'paused' AND changed_by IS NOT NULL THEN 'paused' END
    FROM campaign WHERE id = of_campaign
$$;

-- The next step of a campaign's run: 'give' to the users between done_to and taken_to, 'void', 'wait', or 'over'.
--
-- The coins of the next users are reserved, at most so many users, as far as the budget reaches. Those whose coins were reserved
-- before a process ended come first.
CREATE OR REPLACE FUNCTION advance_campaign(of_campaign bigint, most bigint) RETURNS text LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET enable_seqscan = off AS $$
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

-- Stores that the users up to a number have their coins, but for those whom the ledger refused: their coins are free again. So are
-- those of further ids of a person who has the coins: users who were merged after they were listed. An id whose turn has not come
-- waits no more. Of a claim (up_to is 0), what is reserved for any id of the person is.
CREATE OR REPLACE FUNCTION finish_campaign_users(of_campaign bigint, up_to bigint, refused_users text[], refusals text[])
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET enable_seqscan = off AS $$
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

-- Whether nobody got what is reserved for a user. A person with several ids gets what is reserved for the id that they have then,
-- or else for the first of the others (campaign_shares).
CREATE OR REPLACE FUNCTION is_campaign_user_without_coins(of_campaign bigint, of_user text, place bigint, taken_to bigint)
RETURNS boolean LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
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

-- Reserves the coins of a user who sends a campaign's code. A repeat changes nothing, unless the ledger refused the coins.
CREATE OR REPLACE FUNCTION claim_campaign(by_code text, for_user text, OUT campaign bigint, OUT refusal text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET enable_seqscan = off AS $$
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

-- Lets a campaign begin that waits for a second person. Returns whether it waited and who asks is another one than its creator.
CREATE OR REPLACE FUNCTION approve_campaign(of_campaign bigint, caller text) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
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

-- Pauses a campaign for a reason, or resumes it (NULL). Returns whether it was active, or paused.
--
-- One that is paused because its budget is met can be paused by a person, too: what is voided then starts it no more.
CREATE OR REPLACE FUNCTION pause_campaign(of_campaign bigint, why text, caller text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
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

-- Begins to void what is left of a campaign's coins; nothing is given any more. Returns whether it is being voided.
--
-- A campaign that was voided can be voided again: coins may have come back from holds.
CREATE OR REPLACE FUNCTION void_campaign(of_campaign bigint, why text, caller text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
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

-- Stores that what is left of the lots up to an id was voided in this pass; NULL: of all.
CREATE OR REPLACE FUNCTION finish_campaign_voids(of_campaign bigint, pass bigint, up_to bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    UPDATE campaign
    SET status = CASE WHEN up_to IS NULL THEN 'voided' ELSE status END, voided_to = greatest(voided_to, up_to)
    WHERE id = of_campaign AND status = 'voiding' AND void_pass = pass
$$;

-- What grants of campaigns need to know. The campaigns are not voided before the transaction ends.
CREATE OR REPLACE FUNCTION campaign_shares(of_campaigns bigint[], of_users text[]) RETURNS TABLE (
    campaign_id bigint, user_id text, is_open boolean, coins bigint, name text, reason text, expires_at timestamptz, days bigint,
    granted_entry bigint, granted_lot bigint, granted_coins bigint
) LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET enable_nestloop = on SET enable_seqscan = off AS $$
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

-- A campaign keeps what was decided about it, and does not come back once it has ended.
CREATE OR REPLACE FUNCTION judge_campaign() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
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

-- A grant of a campaign is the lot that a user of it gets by an entry of this transaction, of as many coins as were reserved.
--
-- It is inserted after the movements of lots, so what the lot has now is what is left: the grant may have paid a debt.
CREATE OR REPLACE FUNCTION judge_campaign_grants() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET enable_nestloop = on SET enable_seqscan = off AS $$
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

-- Adds what became of campaigns' coins to the sums of the stripe in which their user is now: the transaction has its lock, and a
-- merge moves what was counted before (move_campaign_sums).
CREATE OR REPLACE FUNCTION count_campaign_movements() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET enable_nestloop = on SET enable_seqscan = off AS $$
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

CREATE OR REPLACE FUNCTION count_campaign_voids() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET enable_nestloop = on SET enable_seqscan = off AS $$
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

-- Moves a user's part of the sums to another stripe, before the user is merged into one of it. Whoever posts for the user
-- afterwards has the lock of that stripe alone; the merge has both.
CREATE OR REPLACE FUNCTION move_campaign_sums(of_user text, from_stripe bigint, to_stripe bigint) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET enable_seqscan = off AS $$
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

-- What becomes of a campaign is an event. Its code is not told.
CREATE OR REPLACE FUNCTION record_campaign() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
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

REVOKE ALL ON FUNCTION person_ids, campaign_room, create_campaign, add_campaign_users, campaign_refusal, advance_campaign,
    finish_campaign_users, is_campaign_user_without_coins, claim_campaign, approve_campaign, pause_campaign, void_campaign,
    finish_campaign_voids, campaign_shares, judge_campaign, judge_campaign_grants, count_campaign_movements,
    count_campaign_voids, move_campaign_sums, record_campaign FROM PUBLIC;
GRANT EXECUTE ON FUNCTION create_campaign, add_campaign_users, advance_campaign, finish_campaign_users, claim_campaign,
    approve_campaign, pause_campaign, void_campaign, finish_campaign_voids, campaign_shares TO ledgerd_service;
