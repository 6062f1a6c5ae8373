import Foundation
import Postgres

extension ReconciliationItem {
    private static let columns = """
        id, kind, outcome, gateway, imp_uid, merchant_uid, payment_id, paid_status, paid_amount, cancelled_amount,
        paid_currency, paid_at, purchase_id, credited_amount, refunded_amount, pending_refund_amount, credited_currency,
        transferred_amount
        """

    /// The condition that the caller still has the lease of run `$1`.
    ///
    /// A process that lost it writes nothing.
    private static func holds(_ token: StaticString) -> String {
        "EXISTS (SELECT FROM reconciliation_run WHERE reconciliation_run.id = $1 AND lease = \(token))"
    }

    /// Adds payments to a run while its lease holds.
    ///
    /// A payment that the run already has stays unchanged.
    static func insert(_ comparisons: [Comparison], _ lease: ReconciliationLease) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO reconciliation_item (
                run_id, kind, gateway, imp_uid, merchant_uid, payment_id, paid_status, paid_amount, cancelled_amount,
                paid_currency, paid_at, purchase_id, credited_amount, refunded_amount, pending_refund_amount,
                credited_currency, transferred_amount)
            SELECT run.id, new.*
            FROM reconciliation_run AS run
            CROSS JOIN unnest(
                $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::int8[], $10::int8[],
                $11::text[], $12::timestamptz[], $13::int8[], $14::int8[], $15::int8[], $16::int8[], $17::text[],
                $18::int8[])
                AS new
            WHERE run.id = $1 AND run.lease = $2
            ON CONFLICT (run_id, imp_uid, gateway) DO NOTHING
            """,
            [
                lease.run.id, lease.token, comparisons.map(\.kind?.rawValue), comparisons.map(\.payment.gateway),
                comparisons.map(\.payment.paymentID), comparisons.map(\.payment.merchantUID),
                comparisons.map(\.payment.merchantPaymentID),
            ] + sides(comparisons))
    }

    /// Stores the results of examining items.
    static func update(
        _ items: [(id: Int64, comparison: Comparison)], of lease: ReconciliationLease
    ) -> PostgresQuery<Int> {
        .affected(
            """
            UPDATE reconciliation_item AS item
            SET kind = new.kind, paid_status = new.paid_status, paid_amount = new.paid_amount,
                cancelled_amount = new.cancelled_amount, paid_currency = new.paid_currency, paid_at = new.paid_at,
                purchase_id = new.purchase_id, credited_amount = new.credited_amount,
                refunded_amount = new.refunded_amount, pending_refund_amount = new.pending_refund_amount,
                credited_currency = new.credited_currency, transferred_amount = new.transferred_amount
            FROM unnest(
                $2::int8[], $3::text[], $4::text[], $5::int8[], $6::int8[], $7::text[], $8::timestamptz[], $9::int8[],
                $10::int8[], $11::int8[], $12::int8[], $13::text[], $14::int8[])
                AS new (id, kind, paid_status, paid_amount, cancelled_amount, paid_currency, paid_at, purchase_id,
                    credited_amount, refunded_amount, pending_refund_amount, credited_currency, transferred_amount)
            WHERE item.run_id = $1 AND item.id = new.id AND \(holds("$15"))
            """,
            [lease.run.id, items.map(\.id), items.map(\.comparison.kind?.rawValue)]
                + sides(items.map(\.comparison)) + [lease.token])
    }

    /// Removes items from a run.
    static func remove(_ items: [Int64], of lease: ReconciliationLease) -> PostgresQuery<Int> {
        .affected(
            "DELETE FROM reconciliation_item WHERE run_id = $1 AND id = ANY($2) AND \(holds("$3"))",
            [lease.run.id, items, lease.token])
    }

    /// Removes the second of two items that are the same payment: same order and amount, and paid at the same time.
    static func removeTwins(of lease: ReconciliationLease) -> PostgresQuery<Int> {
        .affected(
            """
            WITH sharing AS MATERIALIZED (
                SELECT item.*, count(*) OVER (PARTITION BY merchant_uid) AS sightings
                FROM reconciliation_item AS item WHERE item.run_id = $1 AND item.paid_status IS NOT NULL
            ), known AS MATERIALIZED (
                SELECT item.id, item.gateway, item.merchant_uid, item.paid_amount, item.paid_currency, item.paid_at,
                    EXISTS (
                        SELECT FROM purchase WHERE purchase.id = item.purchase_id AND purchase.gateway = item.gateway
                    ) AS is_credited
                FROM sharing AS item WHERE sightings > 1
            )
            DELETE FROM reconciliation_item AS second
            USING known AS twin, known AS other
            WHERE second.run_id = $1 AND second.id = other.id AND \(holds("$2"))
                AND twin.merchant_uid = other.merchant_uid AND twin.gateway <> other.gateway
                AND twin.paid_amount = other.paid_amount AND twin.paid_currency = other.paid_currency
                AND (twin.paid_at IS NULL AND other.paid_at IS NULL
                    OR \(PaymentSighting.isSameTime("twin.paid_at", "other.paid_at")))
                AND NOT other.is_credited AND (twin.is_credited OR twin.gateway < other.gateway)
            """,
            [lease.run.id, lease.token])
    }

    /// Stores what was done about items.
    static func update(
        _ outcomes: [(id: Int64, outcome: ReconciliationOutcome)], of lease: ReconciliationLease
    ) -> PostgresQuery<Int> {
        .affected(
            """
            UPDATE reconciliation_item AS item SET outcome = new.outcome
            FROM unnest($2::int8[], $3::text[]) AS new (id, outcome)
            WHERE item.run_id = $1 AND item.id = new.id AND \(holds("$4"))
            """,
            [lease.run.id, outcomes.map(\.id), outcomes.map(\.outcome.rawValue), lease.token])
    }

    /// Adds purchases that were paid or refunded in the period according to the books and are not in the run yet, to be
    /// examined.
    static func insertCredited(_ lease: ReconciliationLease) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO reconciliation_item (
                run_id, gateway, imp_uid, merchant_uid, payment_id, purchase_id, credited_amount, refunded_amount,
                credited_currency, transferred_amount)
            SELECT run.id, purchase.gateway, purchase.imp_uid, purchase.merchant_uid, purchase.payment_id, purchase.id,
                -- As the gateway has them.
                coalesce(purchase.foreign_amount, purchase.amount),
                coalesce(purchase.foreign_refunded, purchase.refunded_amount),
                coalesce(purchase.foreign_currency, purchase.currency), purchase.transferred_amount
            FROM reconciliation_run AS run
            CROSS JOIN LATERAL (
                SELECT id FROM purchase WHERE paid_at >= run.period_from AND paid_at < run.period_to
                UNION
                SELECT purchase_id FROM refund
                WHERE status IN ('completed', 'reversed') AND decided_at >= run.period_from AND decided_at < run.period_to
                UNION
                -- The end of a dispute is no payment or cancellation of the period, and its webhook can be lost.
                SELECT purchase_id FROM dispute WHERE status = 'open'
                UNION
                -- Nor is a decision for the shop after finance booked a dispute as lost. Banks decide within months.
                SELECT dispute.purchase_id
                FROM dispute_decision AS decision JOIN dispute ON dispute.id = decision.dispute_id
                WHERE decision.outcome = 'lost' AND decision.amount > 0
                    AND decision.recorded_at > now() - interval '1 year'
                UNION
                SELECT purchase.id FROM finding JOIN purchase USING (gateway, imp_uid)
                WHERE finding.resolved_at IS NULL
                    AND '\(Finding.Kind.disputeWonAfterLoss.rawValue)' = ANY(finding.kinds)
            ) AS concerned
            JOIN purchase ON purchase.id = concerned.id AND purchase.gateway = ANY(run.gateways)
            WHERE run.id = $1 AND run.lease = $2
                AND NOT EXISTS (
                    SELECT FROM reconciliation_item AS item
                    WHERE item.run_id = run.id AND item.imp_uid = purchase.imp_uid AND item.gateway = purchase.gateway)
            ON CONFLICT (run_id, imp_uid, gateway) DO NOTHING
            """,
            [lease.run.id, lease.token])
    }

    /// Items that are not examined yet.
    static func unexamined(of run: Int64, limit: Int) -> PostgresQuery<[ReconciliationItem]> {
        PostgresQuery(
            """
            SELECT \(columns) FROM reconciliation_item
            WHERE run_id = $1 AND (kind IS NULL OR kind <> 'matched') AND kind IS NULL
            ORDER BY id LIMIT $2
            """,
            [run, Int64(limit)], row: decode)
    }

    /// Differences that the gateway's records may settle and that nothing was done about yet.
    static func unhealed(of run: Int64, limit: Int) -> PostgresQuery<[ReconciliationItem]> {
        PostgresQuery(
            """
            SELECT \(columns) FROM reconciliation_item
            WHERE run_id = $1 AND (kind IS NULL OR kind <> 'matched')
                AND kind = ANY($3) AND outcome IS NULL
            ORDER BY id LIMIT $2
            """,
            [run, Int64(limit), ReconciliationKind.allCases.filter(\.isHealable).map(\.rawValue)], row: decode)
    }

    /// Marks the remaining differences as decisions for a person.
    static func leaveToPerson(of lease: ReconciliationLease) -> PostgresQuery<Int> {
        .affected(
            """
            UPDATE reconciliation_item SET outcome = 'needs_person'
            WHERE run_id = $1 AND (kind IS NULL OR kind <> 'matched')
                AND kind = ANY($3) AND outcome IS NULL AND \(holds("$2"))
            """,
            [lease.run.id, lease.token, ReconciliationKind.allCases.filter(\.isDifference).map(\.rawValue)])
    }

    /// A run's items of these kinds.
    ///
    /// Returns up to `limit` + 1 rows, to show whether there are more.
    static func list(
        of run: Int64, _ kinds: [ReconciliationKind], after id: Int64?, limit: Int
    ) -> PostgresQuery<[ReconciliationItem]> {
        let rare = kinds.contains(.matched) ? "" : "AND (kind IS NULL OR kind <> 'matched')"
        return PostgresQuery(
            """
            SELECT \(columns) FROM reconciliation_item
            WHERE run_id = $1 AND id > $2 AND kind = ANY($3) \(rare)
            ORDER BY id LIMIT $4
            """,
            [run, id ?? 0, kinds.map(\.rawValue), Int64(limit + 1)], row: decode)
    }

    /// A run's item with this id.
    static func find(_ id: Int64, of run: Int64) -> PostgresQuery<ReconciliationItem?> {
        .first("SELECT \(columns) FROM reconciliation_item WHERE run_id = $1 AND id = $2", [run, id], row: decode)
    }

    /// Both sides as columns.
    private static func sides(_ comparisons: [Comparison]) -> PostgresParameters {
        [
            comparisons.map(\.gateway?.status), comparisons.map(\.gateway?.amount),
            comparisons.map(\.gateway?.cancelledAmount), comparisons.map(\.gateway?.currency),
            comparisons.map(\.gateway?.paidAt), comparisons.map(\.books?.purchaseID), comparisons.map(\.books?.amount),
            comparisons.map(\.books?.refundedAmount), comparisons.map(\.books?.pendingRefundAmount),
            comparisons.map(\.books?.currency), comparisons.map(\.books?.transferredAmount),
        ]
    }

    private static func decode(_ row: borrowing PostgresRow) throws -> ReconciliationItem {
        ReconciliationItem(
            id: try row[0],
            comparison: Comparison(
                try row.decode(1, as: String?.self).flatMap(ReconciliationKind.init(rawValue:)),
                of: PaymentIdentity(
                    gateway: try row[3], paymentID: try row[4], merchantUID: try row[5], merchantPaymentID: try row[6]),
                gateway: try gatewaySide(row), books: try booksSide(row)),
            outcome: try row.decode(2, as: String?.self).flatMap(ReconciliationOutcome.init(rawValue:)))
    }

    private static func gatewaySide(_ row: borrowing PostgresRow) throws -> Comparison.GatewaySide? {
        guard let status = try row.decode(7, as: String?.self) else { return nil }
        return Comparison.GatewaySide(
            status: status, amount: try row[8], cancelledAmount: try row[9], currency: try row[10],
            paidAt: try row[11])
    }

    private static func booksSide(_ row: borrowing PostgresRow) throws -> Comparison.BooksSide? {
        guard let purchaseID = try row.decode(12, as: Int64?.self) else { return nil }
        return Comparison.BooksSide(
            purchaseID: purchaseID, amount: try row[13], refundedAmount: try row[14], transferredAmount: try row[17],
            pendingRefundAmount: try row[15], currency: try row[16])
    }
}
