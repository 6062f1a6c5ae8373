import Foundation
package import Postgres

extension WaitingReceipt {
    /// A receipt that was decided before waits again: the user sent it again, and the gateway's answer may have
    /// changed.
    ///
    /// - Parameter most: the most waiting receipts of the user. Those of paid payments that wait for a rate don't count: the
    ///   missing rate is ours.
    static func keep(
        _ payment: PaymentIdentity, of user: UserID, because reason: String, askAgainAfter delay: Duration, most: Int64
    ) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO receipt_retry AS kept (
                user_id, gateway, imp_uid, merchant_uid, payment_id, status, reason, next_attempt_at)
            SELECT $1, $2, $3, $4, $5, 'waiting', $6, now() + $7 * interval '1 millisecond'
            WHERE (
                    SELECT count(*) FROM receipt_retry
                    WHERE user_id = $1 AND status = 'waiting' AND reason <> 'price_not_bookable') < $8
                OR EXISTS (
                    SELECT FROM receipt_retry
                    WHERE gateway = $2 AND imp_uid = $3 AND merchant_uid = $4 AND user_id = $1 AND status = 'waiting')
            ON CONFLICT (gateway, imp_uid, merchant_uid, user_id) DO UPDATE
            SET status = 'waiting', reason = excluded.reason, decided_at = NULL,
                next_attempt_at = CASE kept.status
                    WHEN 'waiting' THEN least(kept.next_attempt_at, excluded.next_attempt_at)
                    ELSE excluded.next_attempt_at END,
                attempts = CASE kept.status WHEN 'waiting' THEN kept.attempts ELSE 0 END,
                created_at = CASE kept.status WHEN 'waiting' THEN kept.created_at ELSE now() END
            """,
            [
                user.rawValue, payment.gateway, payment.paymentID, payment.merchantUID, payment.merchantPaymentID,
                reason, delay.milliseconds, most,
            ])
    }

    /// Lets a receipt that the gateway's earlier answer ended wait again, if all receipts of the payment belong to one
    /// user.
    ///
    /// A V2 payment may have two names; both are searched.
    ///
    /// A receipt that was refused for another reason would be refused again.
    static func takeUpAgain(_ payment: PaymentIdentity) -> PostgresQuery<Int> {
        .affected(
            """
            UPDATE receipt_retry
            SET status = 'waiting', reason = 'paid_after_all', decided_at = NULL, attempts = 0, created_at = now(),
                next_attempt_at = now()
            WHERE gateway = $1 AND imp_uid = ANY($2) AND merchant_uid = $3
                AND (status = 'abandoned'
                    OR status = 'refused' AND reason IN ('payment_failed', 'payment_not_found'))
                AND (
                    SELECT count(DISTINCT user_id) FROM receipt_retry
                    WHERE gateway = $1 AND imp_uid = ANY($2) AND merchant_uid = $3) = 1
            """,
            [payment.gateway, payment.namesPresented, payment.merchantUID])
    }

    /// Stores that a user presented a payment that is credited to nobody.
    static func claim(_ payment: PaymentIdentity, of user: UserID, because reason: String) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO receipt_retry (
                user_id, gateway, imp_uid, merchant_uid, payment_id, status, reason, next_attempt_at, decided_at)
            VALUES ($1, $2, $3, $4, $5, 'refused', $6, now(), now())
            ON CONFLICT (gateway, imp_uid, merchant_uid, user_id) DO NOTHING
            """,
            [user.rawValue, payment.gateway, payment.paymentID, payment.merchantUID, payment.merchantPaymentID, reason])
    }

    /// The users that presented a payment, first claim first, under any of its names.
    static func claims(of payments: [PaymentIdentity]) -> PostgresQuery<[(place: Int, claim: Claim)]> {
        PostgresQuery(
            """
            SELECT asked.place, found.user_id, min(found.claimed_at)
            FROM unnest($1::text[], $2::text[], $3::text[], $4::text[])
                WITH ORDINALITY AS asked (gateway, imp_uid, payment_id, merchant_uid, place)
            CROSS JOIN LATERAL (
                SELECT \(UserAliases.now("receipt_retry.user_id")) AS user_id, claimed_at FROM receipt_retry
                WHERE \(isClaim(
                    gateway: "asked.gateway", names: "ARRAY[asked.imp_uid, asked.payment_id]",
                    merchantUID: "asked.merchant_uid"))
                OFFSET 0
            ) AS found
            GROUP BY 1, 2 ORDER BY 1, 3, 2
            """,
            [
                payments.map(\.gateway), payments.map(\.paymentID), payments.map(\.merchantPaymentID),
                payments.map(\.merchantUID),
            ]
        ) { row in
            var column = 1
            return (place: try row.decode(0, as: Int.self) - 1, claim: try row.make(at: &column, Claim.init))
        }
    }

    /// Whether a receipt claims a payment, in this API or in the gateway's other one.
    ///
    /// A V2 payment may have two names; both are searched. The id in the other API is known only to the gateway, so
    /// receipts of the same order count, if the gateway showed a payment of it that can still be claimed.
    static func isClaim(gateway: StaticString, names: StaticString, merchantUID: StaticString) -> String {
        """
        receipt_retry.merchant_uid = \(merchantUID)
            AND CASE receipt_retry.gateway WHEN \(gateway) THEN receipt_retry.imp_uid = ANY(\(names))
                ELSE receipt_retry.reason IN ('awaiting_payment', 'claim_pending', 'claimed_by_several') END
        """
    }

    /// Makes the receipts due that wait for a payment of the same order at another gateway.
    static func expedite(ofOtherNamesOf payment: PaymentIdentity) -> PostgresQuery<Int> {
        .affected(
            """
            UPDATE receipt_retry SET attempts = attempts + 1, next_attempt_at = now(), lease_holder = NULL
            WHERE merchant_uid = $1 AND gateway <> $2 AND status = 'waiting'
            """,
            [payment.merchantUID, payment.gateway])
    }

    /// Makes the oldest receipts that wait for this reason due at once; the others are looked at when they are due.
    ///
    /// Who is working on one of them can't postpone it: that is by what was known before.
    static func expedite(because reason: String) -> PostgresQuery<Int> {
        .affected(
            """
            UPDATE receipt_retry SET attempts = attempts + 1, next_attempt_at = now(), lease_holder = NULL
            WHERE status = 'waiting' AND id = ANY (ARRAY(
                SELECT id FROM receipt_retry WHERE status = 'waiting' AND reason = $1 ORDER BY id LIMIT 10000))
            """,
            [reason])
    }

    /// Whether a receipt waits for a payment of the same order at another gateway.
    static func isWaiting(underOtherNamesOf payment: PaymentIdentity) -> PostgresQuery<Bool> {
        .one(
            """
            SELECT EXISTS (
                SELECT FROM receipt_retry WHERE merchant_uid = $1 AND gateway <> $2 AND status = 'waiting')
            """, [payment.merchantUID, payment.gateway])
    }

    /// Takes all waiting receipts of a payment.
    ///
    /// A V2 payment may have two names; both are searched.
    static func take(
        of payment: PaymentIdentity, lease: Duration, by holder: Int64?
    ) -> PostgresQuery<[WaitingReceipt]> {
        PostgresQuery(
            """
            UPDATE receipt_retry
            SET attempts = attempts + 1, next_attempt_at = now() + $3 * interval '1 millisecond', lease_holder = $4
            WHERE gateway = $1 AND imp_uid = ANY($2) AND status = 'waiting'
            RETURNING \(columns)
            """,
            [payment.gateway, payment.namesPresented, lease.milliseconds, holder])
    }
}

extension WaitingReceipt: StoredWorkItem {
    static let table = "receipt_retry"
    static let columns = """
        id, \(UserAliases.now("receipt_retry.user_id")), gateway, imp_uid, merchant_uid, payment_id, attempts, created_at
        """

    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> WaitingReceipt {
        try row.make(at: &column, WaitingReceipt.init)
    }
}
