-- A payment is one finding, with all that is the matter with it: there was one for each kind.

ALTER TABLE finding
    ADD COLUMN kinds   text[], -- all that was found, the last at the end
    ADD COLUMN paid_at timestamptz; -- as the gateway says; NULL: not known

-- Of several the first stays; what is resolved adds nothing to what is not.
UPDATE finding
SET kinds = whole.kinds, user_id = whole.user_id, resolved_at = whole.resolved_at
FROM (
    SELECT min(id) AS id,
        coalesce(
            array_agg(kind ORDER BY found_at, id) FILTER (WHERE resolved_at IS NULL),
            array_agg(kind ORDER BY found_at, id)) AS kinds,
        (array_agg(user_id ORDER BY found_at, id) FILTER (WHERE user_id IS NOT NULL))[1] AS user_id,
        CASE WHEN bool_and(resolved_at IS NOT NULL) THEN max(resolved_at) END AS resolved_at
    FROM finding GROUP BY imp_uid, gateway
) AS whole
WHERE whole.id = finding.id;
DELETE FROM finding WHERE kinds IS NULL;

ALTER TABLE finding
    DROP CONSTRAINT finding_once,
    DROP COLUMN kind,
    ALTER COLUMN kinds SET NOT NULL,
    ADD CONSTRAINT finding_has_kind CHECK (cardinality(kinds) > 0),
    ADD CONSTRAINT finding_once UNIQUE (imp_uid, gateway);
-- One payment may be told of by two APIs, under one name of its order.
CREATE INDEX finding_by_order ON finding (merchant_uid);
GRANT UPDATE (kinds, paid_at) ON finding TO ledgerd_service;
