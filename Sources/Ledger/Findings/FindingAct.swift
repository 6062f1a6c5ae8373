package import Foundation
import Postgres

/// What a person did about a finding.
package struct FindingAct: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// Somebody works on it.
        case assign
        /// Nobody works on it now.
        case unassign
        case note
        /// It needs no further decision.
        case resolve
        /// The payment is credited to a user.
        case claim
        /// The payment goes back to the payer at the gateway.
        case refund
    }

    package let kind: Kind
    /// The caller.
    package let by: String
    /// Who works on it, or the user to whom the payment is credited.
    package let whom: String?
    /// The note, or the reason.
    package let reason: String?
    package let actedAt: Date
}

extension Findings {
    /// The finding with this id, and what people did about it, oldest first; the last 100 acts.
    package func find(_ id: Int64) async throws(LedgerError) -> (finding: Finding, acts: [FindingAct])? {
        try await reading {
            try await pools.reads.withConnection { connection in
                let (finding, acts) = try await connection.pipeline(Finding.find(id), FindingAct.list(of: id))
                return finding.map { ($0, acts.reversed()) }
            }
        }
    }

    /// The reason of the finding's first act of this kind; nil: there is none.
    ///
    /// Once an act is recorded, its reason is the same for everybody who asks. The index is `finding_act_by_finding`.
    package func firstReason(of kind: FindingAct.Kind, on id: Int64) async throws(LedgerError) -> String? {
        try await reading { try await pools.writes.run(FindingAct.firstReason(of: kind, id)) }
    }

    /// What the store had given back of a payment when a person last resolved ``Finding/Kind/refundReversed`` of it; nil: never.
    package func settledByHand(_ payment: PaymentIdentity) async throws(LedgerError) -> Int64? {
        try await reading { try await pools.reads.run(FindingAct.settledByHand(payment)) }
    }

    /// Records what a person did about a finding, and changes the finding accordingly.
    ///
    /// A repeat of the finding's last act has no effect.
    ///
    /// - Parameters:
    ///   - whom: who works on it from now on, or the user to whom the payment was credited.
    ///   - reason: the note, or the reason.
    package func act(
        _ kind: FindingAct.Kind, on id: Int64, by caller: String, whom: String? = nil, reason: String? = nil
    ) async throws(LedgerError) {
        let changes = FindingAct.change(kind, id, whom: whom)
        let insert = FindingAct.insert(kind, id, by: caller, whom: whom, reason: reason)
        try await reading {
            try await pools.writes.withConnection { connection in
                try await connection.transaction { connection in _ = try connection.pipeline(changes, insert) }
            }
        }
    }
}

extension FindingAct {
    /// The finding's last acts, newest first.
    fileprivate static func list(of finding: Int64) -> PostgresQuery<[FindingAct]> {
        PostgresQuery(
            """
            SELECT act, by, whom, reason, acted_at FROM finding_act WHERE finding_id = $1 ORDER BY id DESC LIMIT 100
            """,
            [finding]
        ) { row in try row.make(FindingAct.init) }
    }

    fileprivate static func firstReason(of kind: Kind, _ finding: Int64) -> PostgresQuery<String?> {
        .first(
            """
            SELECT reason FROM finding_act
            WHERE finding_id = $1 AND act = $2 AND reason IS NOT NULL ORDER BY id LIMIT 1
            """, [finding, kind.rawValue])
    }

    /// Of the payment with these names, what its store had given back when a person last resolved that it took a refund back
    /// (``Finding/Kind/refundReversed``): `id` of the act, and `cancelled_amount`.
    static func settlements(_ paymentID: StaticString, _ gateway: StaticString) -> String {
        """
        SELECT act.id, act.cancelled_amount
        FROM (SELECT id FROM finding WHERE imp_uid = \(paymentID) AND gateway = \(gateway) OFFSET 0) AS finding
        CROSS JOIN LATERAL (
            SELECT id, cancelled_amount FROM finding_act WHERE finding_id = finding.id OFFSET 0
        ) AS act
        WHERE act.cancelled_amount IS NOT NULL
        """
    }

    static func settledByHand(_ payment: PaymentIdentity) -> PostgresQuery<Int64?> {
        .first(
            "SELECT cancelled_amount FROM (\(settlements("$1", "$2"))) AS settled ORDER BY id DESC LIMIT 1",
            [payment.paymentID, payment.gateway])
    }

    /// Changes the finding, or only locks it, so that a repeated act is seen.
    fileprivate static func change(_ kind: Kind, _ finding: Int64, whom: String?) -> PostgresQuery<Int> {
        .affected(
            """
            UPDATE finding
            SET assigned_to = CASE $2 WHEN 'assign' THEN $3 WHEN 'unassign' THEN NULL ELSE assigned_to END,
                resolved_at = CASE $2 WHEN 'resolve' THEN coalesce(resolved_at, now()) ELSE resolved_at END
            WHERE id = $1
            """, [finding, kind.rawValue, whom])
    }

    /// Inserts the act, unless the finding's last act is the same.
    fileprivate static func insert(
        _ kind: Kind, _ finding: Int64, by caller: String, whom: String?, reason: String?
    ) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO finding_act (finding_id, act, by, whom, reason, cancelled_amount)
            SELECT $1, $2, $3, $4, $5, (
                -- This transaction has resolved it.
                SELECT cancelled_amount FROM finding
                WHERE id = $1 AND $2 = 'resolve' AND resolved_at = now()
                    AND '\(Finding.Kind.refundReversed.rawValue)' = ANY(kinds))
            WHERE NOT EXISTS (
                SELECT FROM (
                    SELECT act, by, whom, reason FROM finding_act WHERE finding_id = $1 ORDER BY id DESC LIMIT 1
                ) AS last
                WHERE (act, by) = ($2, $3) AND whom IS NOT DISTINCT FROM $4 AND reason IS NOT DISTINCT FROM $5)
            """, [finding, kind.rawValue, caller, whom, reason])
    }
}

extension FindingAct.Kind: PostgresRawRepresentable {}
