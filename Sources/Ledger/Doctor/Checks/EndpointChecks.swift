extension Doctor.Check {
    /// Endpoints get every event that they want.
    static let endpoints: [Doctor.Check] = [
        Doctor.Check(
            "endpoint_without_reader", proves: "each endpoint reads new events",
            sql: """
                SELECT 'endpoint:' || id AS subject, 'reads no new events' AS detail
                FROM endpoint
                WHERE status <> 'deleted' AND NOT EXISTS (
                    SELECT FROM endpoint_reader AS reader
                    WHERE reader.endpoint_id = endpoint.id AND reader.until IS NULL AND reader.finished_at IS NULL)
                """),
        Doctor.Check(
            "endpoint_replay_unfinished", proves: "a replay is finished when nothing of it is left, and not before",
            sql: """
                SELECT 'endpoint:' || endpoint_id AS subject,
                    'replay ' || id || ' is finished, but stands at event ' || position || ' of ' || until
                    || CASE WHEN EXISTS (SELECT FROM endpoint_lane WHERE reader_id = reader.id)
                        THEN ', and users'' events wait' ELSE '' END AS detail
                FROM endpoint_reader AS reader
                WHERE finished_at IS NOT NULL
                    AND (position < until OR EXISTS (SELECT FROM endpoint_lane WHERE reader_id = reader.id))
                """),
        Doctor.Check(
            "endpoint_event_of_nothing", proves: "what waits for an endpoint or was given up is an event",
            sql: """
                SELECT 'endpoint:' || endpoint_id AS subject,
                    what || ' event ' || owed.seq || ', which does not exist' AS detail
                FROM (
                    SELECT reader.endpoint_id, 'waits for' AS what, lane.seq
                    FROM endpoint_lane AS lane
                    JOIN endpoint_reader AS reader ON reader.id = lane.reader_id
                    WHERE lane.attempts > 0
                    UNION ALL
                    SELECT endpoint_id, 'gave up', seq FROM endpoint_failure
                ) AS owed
                LEFT JOIN event ON event.seq = owed.seq
                WHERE event.seq IS NULL
                """),
        Doctor.Check(
            "endpoint_finding_differs", proves: "an endpoint has an open finding if it was disabled for its failures",
            sql: """
                SELECT 'endpoint:' || endpoint.id AS subject,
                    CASE WHEN finding.id IS NULL THEN 'was disabled for its failures, without a finding'
                        ELSE 'has the open finding ' || finding.id || ', but is ' || endpoint.status
                            || coalesce(' (' || endpoint.status_reason || ')', '') END AS detail
                FROM endpoint
                LEFT JOIN finding ON finding.endpoint_id = endpoint.id AND finding.resolved_at IS NULL
                WHERE (endpoint.status_reason IS NOT DISTINCT FROM 'failing') <> (finding.id IS NOT NULL)
                """),
    ]
}
