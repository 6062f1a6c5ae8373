import Foundation
package import Postgres

extension RefundQuestion: StoredWorkItem {
    static let table = "refund_question"
    static let columns = """
        id, purchase_id, gateway, token, store_reason, asked_at, deadline, status, reason, attempts, next_attempt_at, decided_at,
        preference, percentage, overruled_to, overruled_by, overruled_why, overruled_at, outcome, outcome_at
        """

    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> RefundQuestion {
        let id = try Int64.read(row, at: &column)
        let purchaseID = try Int64.read(row, at: &column)
        let gateway = try String.read(row, at: &column)
        let token = try String.read(row, at: &column)
        let storeReason = try String?.read(row, at: &column)
        let askedAt = try Date.read(row, at: &column)
        let deadline = try Date.read(row, at: &column)
        let status = try Status.read(row, at: &column)
        let reason = try String.read(row, at: &column)
        let attempts = try Int64.read(row, at: &column)
        let nextAttemptAt = try Date.read(row, at: &column)
        let decidedAt = try Date?.read(row, at: &column)
        let preference = try RefundPreference?.read(row, at: &column)
        let percentage = try Int64?.read(row, at: &column)
        let overruling = try Overruling.readIfAny(row, at: &column)
        let outcome = try Outcome?.read(row, at: &column)
        let outcomeAt = try Date?.read(row, at: &column)
        return RefundQuestion(
            id: id, purchaseID: purchaseID, gateway: gateway, token: token, storeReason: storeReason, askedAt: askedAt,
            deadline: deadline, status: status, reason: reason, attempts: attempts, nextAttemptAt: nextAttemptAt,
            decidedAt: decidedAt, answer: preference.map { RefundAnswer(preference: $0, percentage: percentage) },
            overruling: overruling, outcome: outcome, outcomeAt: outcomeAt)
    }
}

extension RefundQuestion.Overruling {
    fileprivate static func readIfAny(_ row: borrowing PostgresRow, at column: inout Int) throws -> Self? {
        let preference = try RefundPreference?.read(row, at: &column)
        let by = try String?.read(row, at: &column)
        let reason = try String?.read(row, at: &column)
        let at = try Date?.read(row, at: &column)
        guard let preference, let by, let reason, let at else { return nil }
        return Self(preference: preference, by: by, reason: reason, at: at)
    }
}

extension RefundQuestion.Status: PostgresRawRepresentable {}
extension RefundQuestion.Outcome: PostgresRawRepresentable {}
extension RefundPreference: PostgresRawRepresentable {}

extension RefundQuestion {
    /// Stores a question once; its name there tells them apart.
    static func insert(_ draft: RefundQuestionDraft) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO refund_question (purchase_id, gateway, token, store_reason, asked_at, deadline, next_attempt_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (token, gateway) DO NOTHING
            """,
            [
                draft.purchaseID, draft.gateway, draft.token, draft.storeReason, draft.askedAt, draft.deadline,
                draft.answeredFrom,
            ])
    }

    /// Ends the questions of a purchase that the store has decided since they were asked, by the stored events of its payment.
    ///
    /// So it does not matter which came first, the question or its end. An event without a time is dated when it came.
    static func settle(
        _ purchase: Int64, of payment: PaymentIdentity, by ends: [String: RefundQuestion.Outcome]
    ) -> PostgresQuery<Int> {
        // `OFFSET 0` keeps the look-ups by key (decision 0002).
        .affected(
            """
            WITH told AS MATERIALIZED (
                SELECT question.id, event.type, event.told_at
                FROM (
                    SELECT id, asked_at FROM refund_question WHERE purchase_id = $1 AND outcome IS NULL OFFSET 0
                ) AS question
                CROSS JOIN LATERAL (
                    SELECT type, told_at FROM (
                        SELECT id, gateway, type, coalesce(told_at, received_at) AS told_at FROM webhook_event
                        WHERE imp_uid = $2 OFFSET 0
                    ) AS named
                    WHERE gateway = $3 AND type = ANY($4 || $5) AND told_at >= question.asked_at
                    ORDER BY told_at, id LIMIT 1
                ) AS event
            )
            UPDATE refund_question AS question
            SET outcome = CASE WHEN told.type = ANY($4) THEN 'refunded' ELSE 'declined' END, outcome_at = told.told_at,
                status = CASE status WHEN 'waiting' THEN 'ended' ELSE status END,
                reason = CASE WHEN status <> 'waiting' THEN reason WHEN told.type = ANY($4) THEN 'refunded' ELSE 'declined' END,
                decided_at = coalesce(decided_at, now()), lease_holder = NULL
            FROM told
            WHERE question.purchase_id = $1 AND question.id = told.id AND outcome IS NULL
            """,
            [
                purchase, payment.paymentID, payment.gateway,
                ends.filter { $0.value == .refunded }.keys.sorted(),
                ends.filter { $0.value == .declined }.keys.sorted(),
            ])
    }

    /// Ends a question whose store could not be told; no row if it was overruled, has ended or was taken again since it was read.
    static func giveUp(_ question: RefundQuestion) -> PostgresQuery<Int> {
        .affected(
            """
            UPDATE refund_question SET status = 'unanswered', lease_holder = NULL, decided_at = now()
            WHERE id = $1 AND status = 'waiting' AND attempts = $2
            """, [question.id, question.attempts])
    }

    /// Whether the store could not be told of a purchase, and has not decided since.
    static func isUnanswered(_ purchase: Int64) -> PostgresQuery<Bool> {
        .one(
            """
            SELECT EXISTS (
                SELECT FROM refund_question WHERE purchase_id = $1 AND status = 'unanswered' AND outcome IS NULL)
            """, [purchase])
    }

    /// Keeps the answer that is sent next; no row if the question was overruled or has ended since it was read.
    ///
    /// A worker that comes later finds it.
    static func keep(_ answer: RefundAnswer, to question: RefundQuestion) -> PostgresQuery<Int> {
        .affected(
            """
            UPDATE refund_question SET preference = $2, percentage = $3
            WHERE id = $1 AND status = 'waiting' AND attempts = $4
            """, [question.id, answer.preference.rawValue, answer.percentage, question.attempts])
    }

    /// Overrules the answer of a question that waits.
    ///
    /// A worker that is sending the one before does not end the question: it was taken again (``WorkList/decide(_:_:because:)``).
    static func overrule(_ id: Int64, by overruling: Overruling) -> PostgresQuery<RefundQuestion?> {
        .first(
            """
            UPDATE refund_question
            SET overruled_to = $2, overruled_by = $3, overruled_why = $4, overruled_at = $5, preference = NULL, percentage = NULL,
                attempts = attempts + 1, next_attempt_at = now(), lease_holder = NULL, reason = 'overruled'
            WHERE id = $1 AND status = 'waiting' AND deadline > $5
            RETURNING \(columns)
            """, [id, overruling.preference.rawValue, overruling.by, overruling.reason, overruling.at])
    }

    static func find(_ id: Int64) -> PostgresQuery<RefundQuestion?> {
        .first("SELECT \(columns) FROM refund_question WHERE id = $1", [id])
    }

    /// The last 20 of each purchase, newest first.
    static func list(ofPurchases ids: [Int64]) -> PostgresQuery<[RefundQuestion]> {
        PostgresQuery(
            """
            SELECT question.*
            FROM unnest($1::int8[]) AS asked (id)
            CROSS JOIN LATERAL (
                SELECT * FROM (
                    SELECT \(columns) FROM refund_question WHERE purchase_id = asked.id OFFSET 0
                ) AS own
                ORDER BY id DESC LIMIT 20
            ) AS question
            ORDER BY question.id DESC
            """, [ids])
    }

    /// The first deadline of the questions that can be answered: without consent, nothing is sent.
    static let firstDeadline = PostgresQuery<Date?>.one(
        "SELECT min(deadline) FROM refund_question WHERE status = 'waiting' AND reason <> '\(noConsent)'")

    /// Why a question waits whose user does not let the store be told.
    package static let noConsent = "no_consent"
}

extension Purchase {
    /// The purchase of an order of Google Play.
    static func ofPlayOrder(_ order: String) -> PostgresQuery<Purchase?> {
        .first(
            "SELECT \(columns) FROM purchase WHERE payment_id = $1 AND gateway = '\(StoreName.googlePlay)'", [order])
    }
}
