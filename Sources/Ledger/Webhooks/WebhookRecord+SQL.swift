package import Postgres

extension WebhookRecord {
    /// Stores a signed event once.
    static func insertSigned(_ draft: WebhookRecordDraft) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO webhook_event (
                gateway, event_id, type, imp_uid, merchant_uid, payment_id, status, reason, urgency, told_at, question_token,
                question_reason)
            VALUES ($1, $2, $3, $4, $5, $6, 'waiting', 'received', 2, $7, $8, $9)
            ON CONFLICT (event_id, gateway) DO NOTHING
            """,
            [
                draft.gateway, draft.eventID, draft.type, draft.paymentID, draft.merchantUID, draft.merchantPaymentID,
                draft.toldAt, draft.questionToken, draft.questionReason,
            ])
    }

    /// Stores an unsigned event, which anybody may have sent.
    ///
    /// It is merged with a waiting event of the same payment. Otherwise it is stored only if ledgerd waits for the
    /// payment or there is room.
    ///
    /// Returns how many events of the payment came before while it waited; nil: there is no room.
    static func insertUnsigned(_ draft: WebhookRecordDraft) -> PostgresQuery<Int64?> {
        .first(
            """
            WITH known AS MATERIALIZED (
                SELECT CASE
                    WHEN EXISTS (
                        SELECT FROM receipt_retry
                        WHERE gateway = $1 AND imp_uid = $3 AND merchant_uid = $4 AND status = 'waiting') THEN 2
                    -- A user with an order could invent payments of it.
                    WHEN EXISTS (SELECT FROM "order" WHERE merchant_uid = $4)
                        AND (
                            SELECT count(*) FROM (
                                SELECT FROM webhook_event
                                WHERE merchant_uid = $4 AND status = 'waiting' AND event_id IS NULL LIMIT $7
                            ) AS same) < $7 THEN 2
                    WHEN EXISTS (SELECT FROM purchase WHERE imp_uid = $3 AND gateway = $1) THEN 1
                    ELSE 0 END AS urgency
            )
            INSERT INTO webhook_event AS event (
                gateway, type, imp_uid, merchant_uid, payment_id, status, reason, source, urgency)
            SELECT $1, $2, $3, $4, $5, 'waiting', 'received', $6, urgency FROM known
            WHERE urgency = 2
                OR EXISTS (
                    SELECT FROM webhook_event AS same
                    WHERE same.imp_uid = $3 AND same.gateway = $1 AND same.status = 'waiting'
                        AND same.event_id IS NULL)
                -- Ordered, so that PostgreSQL uses the index and does not scan the table.
                OR NOT EXISTS (
                    SELECT FROM webhook_event
                    WHERE source = $6 AND status = 'waiting' AND event_id IS NULL AND urgency < 2
                    ORDER BY id OFFSET $8 - 1)
                AND NOT EXISTS (
                    SELECT FROM webhook_event
                    WHERE status = 'waiting' AND event_id IS NULL AND urgency < 2
                    ORDER BY source, id OFFSET $9 - 1)
            ON CONFLICT (imp_uid, gateway) WHERE status = 'waiting' AND event_id IS NULL DO UPDATE
            -- A repeated event is processed like the first one.
            SET next_attempt_at = now(), attempts = 0, reason = excluded.reason, repeats = event.repeats + 1,
                urgency = greatest(event.urgency, excluded.urgency)
            RETURNING repeats
            """,
            [
                draft.gateway, draft.type, draft.paymentID, draft.merchantUID, draft.merchantPaymentID, draft.source,
                WebhookRecords.mostPerOrder, WebhookRecords.mostPerSource, WebhookRecords.mostInAll,
            ])
    }

    static func purge(olderThan age: Duration, limit: Int) -> PostgresQuery<Int> {
        .one(
            "SELECT purge_webhook_events($1 * interval '1 millisecond', $2)", [age.milliseconds, Int64(limit)])
    }
}

extension WebhookRecord: StoredWorkItem {
    static let table = "webhook_event"
    static let ordering = "urgency DESC, next_attempt_at"
    static let staysWhenDueAgain = true
    static let columns = """
        id, gateway, type, imp_uid, merchant_uid, payment_id, attempts, received_at, repeats, reason, told_at, question_token,
        question_reason
        """

    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> WebhookRecord {
        try row.make(at: &column, WebhookRecord.init)
    }
}
