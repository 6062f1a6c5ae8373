import Foundation
import Postgres

extension WebhookEvent {
    static func insert(_ draft: WebhookEventDraft) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO webhook_event (gateway, event_id, type, imp_uid, merchant_uid, payment_id, status)
            VALUES ($1, $2, $3, $4, $5, $6, 'waiting')
            ON CONFLICT (event_id, gateway) DO NOTHING
            """,
            [draft.gateway, draft.eventID, draft.type, draft.impUID, draft.merchantUID, draft.paymentID])
    }

    static func takeDue(limit: Int, lease: Duration) -> PostgresQuery<[WebhookEvent]> {
        PostgresQuery(
            """
            UPDATE webhook_event
            SET attempts = attempts + 1, next_attempt_at = now() + $2 * interval '1 millisecond'
            WHERE id IN (
                SELECT id FROM webhook_event
                WHERE status = 'waiting' AND next_attempt_at <= now()
                ORDER BY next_attempt_at
                LIMIT $1
                FOR UPDATE SKIP LOCKED)
            RETURNING id, gateway, type, imp_uid, merchant_uid, payment_id, attempts
            """,
            [Int64(limit), lease.milliseconds], row: decode)
    }

    func postpone(because reason: String, by delay: Duration) -> PostgresQuery<Int> {
        .affected(
            """
            UPDATE webhook_event SET outcome = $2, next_attempt_at = now() + $3 * interval '1 millisecond'
            WHERE id = $1 AND status = 'waiting'
            """,
            [id, reason, delay.milliseconds])
    }

    func decide(_ decision: WebhookEvents.Decision, because outcome: String) -> PostgresQuery<Int> {
        .affected(
            "UPDATE webhook_event SET status = $2, outcome = $3, done_at = now() WHERE id = $1 AND status = 'waiting'",
            [id, decision.rawValue, outcome])
    }

    static let count = PostgresQuery("SELECT count(*) FROM webhook_event WHERE status = 'waiting'") { row in
        Int(try row.decode(0, as: Int64.self))
    }

    private static func decode(_ row: borrowing PostgresRow) throws -> WebhookEvent {
        WebhookEvent(
            id: try row[0], gateway: try row[1], type: try row[2], impUID: try row[3], merchantUID: try row[4],
            paymentID: try row[5], attempts: try row[6])
    }
}
