import Postgres

/// Lots that may be given away, and those that were.
extension Lot {
    /// The lots of coins of these purchases that were given away, those with coins left, or with VAT, each with the one
    /// that was bought.
    static func givenWithOrigins(
        ofPurchases ids: [Int64], _ payments: [PaymentIdentity]
    ) -> PostgresQuery<[Lot]> {
        // Nothing was given of most purchases, and the index of lots that were given is small.
        PostgresQuery(
            """
            WITH given AS MATERIALIZED (
                SELECT lot.id, lot.origin_id
                FROM (\(givenPurchases)) AS asked
                CROSS JOIN LATERAL (
                    SELECT id, origin_id FROM lot
                    WHERE lot.origin_purchase_id = asked.id AND (lot.is_open OR lot.vat IS NOT NULL) OFFSET 0
                ) AS lot
            )
            SELECT \(columnsOfAny) FROM lot
            WHERE id = ANY(ARRAY(SELECT id FROM given) || ARRAY(SELECT origin_id FROM given))
            ORDER BY id
            """,
            [ids, payments.map(\.gateway), payments.map(\.paymentID)])
    }

    /// Purchases by their ids and payments.
    private static let givenPurchases = """
        SELECT unnest($1::int8[]) AS id
        UNION
        SELECT purchase.id
        FROM unnest($2::text[], $3::text[]) AS payment (gateway, imp_uid)
        CROSS JOIN LATERAL (
            SELECT id FROM purchase
            WHERE purchase.imp_uid = payment.imp_uid AND purchase.gateway = payment.gateway
            OFFSET 0
        ) AS purchase
        """

    /// The first lots of a user with coins that may be given away, in the order in which they are used.
    ///
    /// If money of their purchase went back, they stay: their lot may lack won that others must recognise first
    /// (``Lot/takeBackRecognised(_:)``). Each has the number of given lots of its purchase that a recall reads, as
    /// ``givenWithOrigins(ofPurchases:_:)`` does.
    static func giveable(
        by user: UserID, _ coins: GiveableCoins, in order: LotOrdering
    ) -> PostgresQuery<[(lot: Lot, given: Int64)]> {
        PostgresQuery(
            """
            SELECT \(columns), split.lots
            FROM lot
            CROSS JOIN LATERAL (
                SELECT count(*) AS lots FROM lot AS given
                WHERE given.origin_purchase_id = coalesce(lot.purchase_id, lot.origin_purchase_id)
                    AND (given.is_open OR given.vat IS NOT NULL)
            ) AS split
            WHERE lot.user_id = $1 AND is_open AND remaining > 0 AND kind = ANY($2) AND NOT is_voided
                AND (expires_at IS NULL OR expires_at > clock_timestamp())
                AND NOT coalesce((
                    SELECT gateway = ANY($3) OR refunded_amount <> 0 FROM purchase
                    WHERE id = ANY(ARRAY[coalesce(lot.purchase_id, lot.origin_purchase_id)]) ORDER BY id), false)
                AND NOT coalesce((
                    SELECT NOT can_be_moved FROM campaign
                    WHERE id = (
                        SELECT campaign_id FROM campaign_grant
                        WHERE lot_id = ANY(ARRAY[coalesce(lot.origin_id, lot.id)]) ORDER BY lot_id)), false)
                AND split.lots < \(Gift.mostGivenLots)
            ORDER BY \(order.sql)
            LIMIT \(Gift.mostLots)
            """,
            [user.rawValue, coins.kinds.map(\.rawValue).sorted(), coins.exceptGateways.sorted()]
        ) { row in
            var column = 0
            return (lot: try Lot.read(row, at: &column), given: try row[column])
        }
    }
}
