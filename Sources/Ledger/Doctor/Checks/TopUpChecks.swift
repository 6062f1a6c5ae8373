extension Doctor.Check {
    /// Charges of automatic top-up agree with their orders and purchases.
    static let topUps: [Doctor.Check] = [
        Doctor.Check(
            "top_up_misfits_purchase",
            proves: "a charge of automatic top-up is credited exactly if its order has a purchase, of its user",
            sql: """
                SELECT 'top_up_charge:' || charge.id AS subject,
                    charge.status || ', but its order ' || coalesce(charge.merchant_uid, 'is missing, and')
                        || ' has ' || coalesce('purchase ' || purchase.id || ' of ' || purchase.user_id, 'no purchase') AS detail
                FROM top_up_charge AS charge
                LEFT JOIN purchase ON purchase.merchant_uid = charge.merchant_uid
                WHERE (charge.status = 'credited') <> (purchase.id IS NOT NULL)
                    OR purchase.user_id <> charge.user_id
                """),
        Doctor.Check(
            "top_up_misfits_order",
            proves: "each charge of automatic top-up has an order of its user and amount, if the gateway was asked",
            sql: """
                SELECT 'top_up_charge:' || charge.id AS subject,
                    'charges ' || charge.amount || ' for ' || charge.user_id || '; its order '
                        || CASE WHEN ordered.id IS NULL THEN 'does not exist'
                            ELSE 'is of ' || ordered.amount || ' ' || ordered.currency || ' for ' || ordered.user_id END
                        AS detail
                FROM top_up_charge AS charge
                LEFT JOIN "order" AS ordered ON ordered.merchant_uid = charge.merchant_uid
                WHERE charge.merchant_uid IS NOT NULL
                    AND (ordered.id IS NULL
                        OR (\(UserAliases.now("ordered.user_id")), ordered.amount, ordered.currency)
                            <> (charge.user_id, charge.amount, 'KRW'))
                """),
    ]
}
