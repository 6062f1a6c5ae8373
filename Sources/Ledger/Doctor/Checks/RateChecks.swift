extension Doctor.Check {
    /// Rates of foreign currencies were set as two people or the guard say.
    static let rates: [Doctor.Check] = [
        Doctor.Check(
            "rate_version_lost",
            proves: "the versions of a day's rate follow each other, and were published in this order",
            sql: """
                SELECT 'rate:' || id AS subject, 'has version ' || version || ' of ' || currency || ' for ' || day
                    || ', published at ' || published_at || '; before it are ' || before || ', the last published at '
                    || coalesce(last::text, 'no time') AS detail
                FROM (
                    SELECT rate.*, count(*) OVER earlier - 1 AS before, lag(published_at) OVER earlier AS last
                    FROM rate WINDOW earlier AS (PARTITION BY currency, day ORDER BY version)
                ) AS told
                WHERE version <> before + 1 OR published_at < last - interval '1 minute'
                """),
        Doctor.Check(
            "rate_without_second_person",
            proves:
                "two people agreed on the first rate of a currency, and on each that is more than 5 % away from the last",
            sql: """
                SELECT 'rate:' || rate.id AS subject,
                    'version ' || rate.version || ' of ' || currency || ' for ' || day || ' was set by ' || set_by
                        || CASE WHEN approved_by IS NULL THEN ' alone'
                            ELSE ', and no proposal says that ' || approved_by || ' approved it' END AS detail
                FROM rate
                WHERE approved_by IS NULL
                        AND rate_needs_second_person(currency, day, value, scale, per, published_at, id)
                    OR approved_by IS NOT NULL AND NOT EXISTS (
                        SELECT FROM rate_proposal AS proposed
                        WHERE (proposed.currency, proposed.day, proposed.version, proposed.source)
                                = (rate.currency, rate.day, rate.version, rate.source)
                            AND (proposed.value, proposed.scale, proposed.per) = (rate.value, rate.scale, rate.per)
                            AND (proposed.proposed_by, proposed.proposed_at, proposed.decided_by)
                                = (rate.set_by, rate.set_at, rate.approved_by))
                """),
    ]
}
