-- @compatible-from 0136
-- Rates of foreign currencies, as they are quoted (docs/decisions/0219): so many units of the books' currency for one or 100 units.
-- Of a day's versions the newest counts, from when it was published on.
CREATE TABLE rate (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    currency     text NOT NULL, -- its code in ISO 4217
    day          date NOT NULL, -- for which it is quoted
    version      bigint NOT NULL, -- of the day: 1, 2, 3, …
    value        bigint NOT NULL, -- its digits: 138740 of 1387.40
    scale        bigint NOT NULL, -- how many of them are decimals
    per          bigint NOT NULL, -- of how many units of the currency it is the price
    source       text NOT NULL,
    set_by       text NOT NULL, -- the caller, as in the subject of the token
    set_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    approved_by  text, -- the second person; NULL: none was needed
    published_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT rate_version_once UNIQUE (currency, day, version),
    CONSTRAINT rate_currency_is_code CHECK (currency ~ '^[A-Z]{3}$'),
    CONSTRAINT rate_value_in_range CHECK (value BETWEEN 1 AND 999999999999),
    CONSTRAINT rate_scale_in_range CHECK (scale BETWEEN 0 AND 8),
    CONSTRAINT rate_per_known CHECK (per IN (1, 100)),
    -- In some time zone.
    CONSTRAINT rate_day_has_begun CHECK (day <= (published_at AT TIME ZONE 'UTC' + interval '14 hours')::date),
    CONSTRAINT rate_set_before_published CHECK (set_at <= published_at),
    CONSTRAINT rate_by_another_person CHECK (approved_by <> set_by)
);
GRANT SELECT, INSERT (currency, day, version, value, scale, per, source, set_by, set_at, approved_by)
    ON rate TO ledgerd_service;

-- A rate that one person proposes, and another one approves: it is the first of its currency, or far from the one before.
CREATE TABLE rate_proposal (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    currency    text NOT NULL,
    day         date NOT NULL,
    value       bigint NOT NULL,
    scale       bigint NOT NULL,
    per         bigint NOT NULL,
    source      text NOT NULL,
    proposed_by text NOT NULL, -- the caller, as in the subject of the token
    proposed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    status      text NOT NULL DEFAULT 'waiting'
        CONSTRAINT rate_proposal_status_known CHECK (status IN ('waiting', 'published', 'withdrawn')),
    version     bigint, -- under which it was published
    decided_by  text, -- who approved, withdrew or replaced it
    decided_at  timestamptz,
    CONSTRAINT rate_proposal_currency_is_code CHECK (currency ~ '^[A-Z]{3}$'),
    CONSTRAINT rate_proposal_value_in_range CHECK (value BETWEEN 1 AND 999999999999),
    CONSTRAINT rate_proposal_scale_in_range CHECK (scale BETWEEN 0 AND 8),
    CONSTRAINT rate_proposal_per_known CHECK (per IN (1, 100)),
    CONSTRAINT rate_proposal_decided_by_somebody CHECK (
        num_nulls(decided_by, decided_at) = CASE status WHEN 'waiting' THEN 2 ELSE 0 END),
    CONSTRAINT rate_proposal_published_has_version CHECK ((status = 'published') = (version IS NOT NULL)),
    CONSTRAINT rate_proposal_has_second_person CHECK (status <> 'published' OR decided_by <> proposed_by)
);
CREATE INDEX rate_proposal_of_day ON rate_proposal (currency, day, id);
CREATE UNIQUE INDEX rate_proposal_waiting_once ON rate_proposal (currency, day) WHERE status = 'waiting';
GRANT SELECT, INSERT (currency, day, value, scale, per, source, proposed_by),
    UPDATE (status, version, decided_by, decided_at) ON rate_proposal TO ledgerd_service;

-- @after-judges

CREATE TRIGGER rate_is_judged BEFORE INSERT ON rate FOR EACH ROW EXECUTE FUNCTION judge_rate();
CREATE TRIGGER rate_is_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON rate
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER rate_proposal_is_judged BEFORE UPDATE ON rate_proposal
    FOR EACH ROW EXECUTE FUNCTION judge_rate_proposal();
CREATE TRIGGER rate_proposal_is_kept BEFORE DELETE OR TRUNCATE ON rate_proposal
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
