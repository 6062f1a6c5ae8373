import Postgres

extension WebhookRecord {
    static func insert(_ draft: WebhookRecordDraft) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO webhook_event (gateway, event_id, type, imp_uid, merchant_uid, payment_id, status, reason)
            VALUES ($1, $2, $3, $4, $5, $6, 'waiting', 'received')
            ON CONFLICT (event_id, gateway) DO NOTHING
            """,
            [draft.gateway, draft.eventID, draft.type, draft.impUID, draft.merchantUID, draft.paymentID])
    }
}

extension WebhookRecord: StoredWorkItem {
    static let table = "webhook_event"
    static let columns = "id, gateway, type, imp_uid, merchant_uid, payment_id, attempts, received_at"

    static func decode(_ row: borrowing PostgresRow) throws -> WebhookRecord {
        WebhookRecord(
            id: try row[0], gateway: try row[1], type: try row[2], impUID: try row[3], merchantUID: try row[4],
            paymentID: try row[5], attempts: try row[6], receivedAt: try row[7])
    }
}
