import Foundation
import Postgres

extension Finding {
    static func note(
        _ kind: Kind, _ payment: PaymentIdentity, of user: UserID?, amount: Int64, currency: String
    ) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO finding AS known (kind, gateway, imp_uid, merchant_uid, payment_id, user_id, amount, currency)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            ON CONFLICT (imp_uid, gateway, kind) DO UPDATE
            SET user_id = coalesce(known.user_id, excluded.user_id), amount = excluded.amount, resolved_at = NULL
            """,
            [
                kind.rawValue, payment.gateway, payment.impUID, payment.merchantUID, payment.paymentID,
                user?.rawValue, amount, currency,
            ])
    }

    static func resolve(_ payment: PaymentIdentity) -> PostgresQuery<Int> {
        .affected(
            "UPDATE finding SET resolved_at = now() WHERE imp_uid = $1 AND gateway = $2 AND resolved_at IS NULL",
            [payment.impUID, payment.gateway])
    }

    static func open(after cursor: FindingCursor?, limit: Int) -> PostgresQuery<[Finding]> {
        PostgresQuery(
            """
            SELECT id, kind, gateway, imp_uid, merchant_uid, payment_id, user_id, amount, currency, found_at, resolved_at
            FROM finding
            WHERE resolved_at IS NULL AND id > $1
                -- One that was claimed is resolved by its purchase, and a refund by its own end; nobody had to write
                -- that down here.
                AND (kind = $4) = EXISTS (
                    SELECT FROM purchase
                    WHERE purchase.imp_uid = finding.imp_uid AND purchase.gateway = finding.gateway
                        AND (kind <> $4 OR EXISTS (
                            SELECT FROM refund WHERE refund.purchase_id = purchase.id AND refund.status = 'pending')))
                -- One payment may show through two APIs of a gateway, and is credited by one.
                AND NOT EXISTS (
                    SELECT FROM purchase
                    WHERE purchase.merchant_uid = finding.merchant_uid AND purchase.gateway <> finding.gateway)
                -- Whatever else was found of it says more than that nobody has claimed it.
                AND NOT (kind = $3 AND EXISTS (
                    SELECT FROM finding AS other
                    WHERE other.imp_uid = finding.imp_uid AND other.gateway = finding.gateway
                        AND other.kind <> $3 AND other.resolved_at IS NULL))
            ORDER BY id
            LIMIT $2
            """,
            [cursor?.id ?? 0, Int64(limit + 1), Kind.unclaimed.rawValue, Kind.refundUndecided.rawValue], row: decode)
    }

    private static func decode(_ row: borrowing PostgresRow) throws -> Finding {
        Finding(
            id: try row[0], kind: try row.decode(1),
            payment: PaymentIdentity(
                gateway: try row[2], impUID: try row[3], merchantUID: try row[4], paymentID: try row[5]),
            user: try row.decode(6, as: String?.self).flatMap(UserID.init(rawValue:)), amount: try row[7],
            currency: try row[8], foundAt: try row[9], resolvedAt: try row[10])
    }
}
