-- Rates of foreign currencies: their judges, and how an amount is converted.

-- A quotient, rounded to the nearest whole number; of two that are as near, to the even one. round() takes the one that is further
-- from zero.
CREATE OR REPLACE FUNCTION half_even(numerator numeric, denominator numeric) RETURNS numeric LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT whole + CASE WHEN beyond_half > 0 OR beyond_half = 0 AND mod(whole, 2) <> 0
        THEN sign(numerator) * sign(denominator) ELSE 0 END
    FROM (
        SELECT div(numerator, denominator) AS whole,
            2 * abs(mod(numerator, denominator)) - abs(denominator) AS beyond_half
    ) AS cut
$$;

-- An amount of a foreign currency in the books' currency, both in minor units, as Conversion.swift has it: rounded half-even, once.
CREATE OR REPLACE FUNCTION converted(
    amount bigint, decimals bigint, value bigint, scale bigint, per bigint, decimals_of_books bigint
) RETURNS bigint LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT half_even(
        amount::numeric * value * 10::numeric ^ decimals_of_books, per * 10::numeric ^ (scale + decimals))::bigint
$$;

-- Whether a rate is for two people: it is the first of its currency, or more than 5 % away from the last one of an earlier day, or
-- from the last one of its own day on which two people agreed.
-- What one person alone published in the last 20 hours is passed over. So the versions of a day add up, and so do rates of several
-- days that are set one after the other: one person moves a rate by 5 % in 20 hours at most. They are fewer than 24, so that a rate
-- that is set each morning is compared with that of the morning before.
CREATE OR REPLACE FUNCTION rate_needs_second_person(
    of_currency text, of_day date, new_value bigint, new_scale bigint, new_per bigint, moment timestamptz, before_id bigint
) RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
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

-- Versions follow each other, and what is for two people was approved as it was proposed.
CREATE OR REPLACE FUNCTION judge_rate() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
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

-- A proposed rate is published by another person than its proposer, or withdrawn, once.
CREATE OR REPLACE FUNCTION judge_rate_proposal() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
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

REVOKE ALL ON FUNCTION half_even, converted, rate_needs_second_person, judge_rate, judge_rate_proposal FROM PUBLIC;
GRANT EXECUTE ON FUNCTION half_even, converted, rate_needs_second_person TO ledgerd_service;
