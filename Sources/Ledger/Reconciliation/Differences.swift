package import Foundation
import Postgres

/// What a person did about a payment that differs between the gateway and the books.
package struct DifferenceAct: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// Somebody works on it.
        case assign
        /// Nobody works on it now.
        case unassign
        case note
    }

    package let kind: Kind
    /// The caller.
    package let by: String
    /// Who works on it; nil: the act is another one.
    package let whom: String?
    /// The note; nil: the act is another one.
    package let reason: String?
    package let actedAt: Date
}

/// What is known of a payment of a reconciliation beside its two sides.
package struct DifferenceContext: Sendable, Equatable {
    /// The user of its purchase; nil: it is not credited.
    package let user: UserID?
    /// Its finding; nil: it has none.
    package let finding: Int64?
    /// The user whose receipt of it waits; nil: none does.
    package let presenter: UserID?
    /// The user of its order; nil: it has none.
    package let orderer: UserID?
    /// Who works on it; nil: nobody.
    package let owner: String?
    /// The last note; nil: there is none.
    package let note: String?
}

extension Reconciliations {
    /// What is known of the payments of items, by the item's id.
    ///
    /// Looks each up by key: `purchase`, `finding_once`, `receipt_retry_once_a_user`, `order_merchant_uid_unique` and
    /// `difference_act_by_payment`.
    package func contexts(of items: [ReconciliationItem]) async throws(LedgerError) -> [Int64: DifferenceContext] {
        let found = try await reading { try await pools.reads.run(DifferenceContext.of(items)) }
        return Dictionary(found) { first, _ in first }
    }

    /// A payment of a run; nil: the run has no such one.
    package func item(_ id: Int64, of run: Int64) async throws(LedgerError) -> ReconciliationItem? {
        try await reading { try await pools.reads.run(ReconciliationItem.find(id, of: run)) }
    }

    /// What people did about a payment, oldest first; the last 100 acts.
    package func acts(on payment: PaymentIdentity) async throws(LedgerError) -> [DifferenceAct] {
        try await reading { try await pools.reads.run(DifferenceAct.list(of: payment)) }.reversed()
    }

    /// Records what a person did about a payment; a repeat of its last act has no effect.
    ///
    /// - Parameters:
    ///   - whom: who works on it from now on.
    ///   - reason: the note.
    package func act(
        _ kind: DifferenceAct.Kind, on payment: PaymentIdentity, by caller: String, whom: String? = nil,
        reason: String? = nil
    ) async throws(LedgerError) {
        _ = try await reading {
            try await pools.writes.run(DifferenceAct.insert(kind, payment, by: caller, whom: whom, reason: reason))
        }
    }
}

extension DifferenceContext {
    fileprivate static func of(_ items: [ReconciliationItem]) -> PostgresQuery<[(Int64, DifferenceContext)]> {
        let payments = items.map(\.comparison.payment)
        return PostgresQuery(
            """
            SELECT asked.id,
                (SELECT user_id FROM purchase WHERE purchase.id = asked.purchase_id),
                (SELECT id FROM finding WHERE finding.imp_uid = asked.imp_uid AND finding.gateway = asked.gateway),
                (SELECT user_id FROM receipt_retry AS receipt
                    WHERE receipt.gateway = asked.gateway AND receipt.imp_uid = asked.imp_uid AND status = 'waiting'
                    ORDER BY id LIMIT 1),
                (SELECT user_id FROM "order" WHERE "order".merchant_uid = asked.merchant_uid),
                (SELECT whom FROM difference_act AS done
                    WHERE done.imp_uid = asked.imp_uid AND done.gateway = asked.gateway AND act <> 'note'
                    ORDER BY id DESC LIMIT 1),
                (SELECT reason FROM difference_act AS done
                    WHERE done.imp_uid = asked.imp_uid AND done.gateway = asked.gateway AND act = 'note'
                    ORDER BY id DESC LIMIT 1)
            FROM unnest($1::int8[], $2::text[], $3::text[], $4::text[], $5::int8[])
                AS asked (id, gateway, imp_uid, merchant_uid, purchase_id)
            """,
            [
                items.map(\.id), payments.map(\.gateway), payments.map(\.paymentID), payments.map(\.merchantUID),
                items.map { $0.comparison.books?.purchaseID },
            ]
        ) { row in
            var column = 1
            return (try row[0], try row.make(at: &column, DifferenceContext.init))
        }
    }
}

extension DifferenceAct {
    fileprivate static func list(of payment: PaymentIdentity) -> PostgresQuery<[DifferenceAct]> {
        PostgresQuery(
            """
            SELECT act, by, whom, reason, acted_at FROM difference_act
            WHERE imp_uid = $1 AND gateway = $2 ORDER BY id DESC LIMIT 100
            """,
            [payment.paymentID, payment.gateway]
        ) { row in try row.make(DifferenceAct.init) }
    }

    fileprivate static func insert(
        _ kind: Kind, _ payment: PaymentIdentity, by caller: String, whom: String?, reason: String?
    ) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO difference_act (gateway, imp_uid, act, by, whom, reason)
            SELECT $1, $2, $3, $4, $5, $6
            WHERE NOT EXISTS (
                SELECT FROM (
                    SELECT act, by, whom, reason FROM difference_act WHERE imp_uid = $2 AND gateway = $1
                    ORDER BY id DESC LIMIT 1
                ) AS last
                WHERE (act, by) = ($3, $4) AND whom IS NOT DISTINCT FROM $5 AND reason IS NOT DISTINCT FROM $6)
            """,
            [payment.gateway, payment.paymentID, kind.rawValue, caller, whom, reason])
    }
}

extension DifferenceAct.Kind: PostgresRawRepresentable {}
