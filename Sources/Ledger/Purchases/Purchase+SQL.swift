import Foundation
package import Postgres

extension Purchase {
    /// All columns in the order of `decode`, of a table or alias named `purchase`.
    package static let columns = """
        purchase.id, purchase.status, purchase.user_id, purchase.gateway, purchase.imp_uid, purchase.merchant_uid,
        purchase.payment_id, purchase.product, purchase.amount, purchase.currency, purchase.coins,
        purchase.bonus_coins, purchase.refunded_amount, purchase.refunded_coins, purchase.refunded_bonus_coins,
        purchase.paid_at, purchase.credited_at, purchase.journal_entry_id, purchase.settled_amount,
        purchase.charged_coins, purchase.transferred_amount, purchase.tax_free, purchase.foreign_amount,
        purchase.foreign_currency, purchase.rate_id, purchase.foreign_refunded, purchase.foreign_settled
        """

    /// Purchases that share their `imp_uid` or `merchant_uid` with one of the payments.
    static func sharing(_ payments: [PaymentIdentity]) -> PostgresQuery<[Purchase]> {
        PostgresQuery(sharing, sharing(payments))
    }

    /// The same purchases, and those of which a payment has a further name, with that name; and a row without a purchase
    /// if a user was forgotten who had one with their id in its names.
    static func known(as payments: [PaymentIdentity]) -> PostgresQuery<[Known]> {
        PostgresQuery(
            """
            SELECT purchase.*, NULL, NULL FROM (\(sharing)) AS purchase
            UNION ALL
            SELECT found.*, asked.gateway, asked.imp_uid
            FROM unnest($1::text[], $2::text[]) AS asked (gateway, imp_uid)
            CROSS JOIN LATERAL (
                SELECT merchant_uid FROM payment_name
                WHERE payment_name.imp_uid = asked.imp_uid AND payment_name.gateway = asked.gateway
                OFFSET 0
            ) AS name
            CROSS JOIN LATERAL (
                -- By its order: an empty table's plan may read the index by user to find an id.
                SELECT \(columns) FROM purchase WHERE purchase.merchant_uid = name.merchant_uid OFFSET 0
            ) AS found
            UNION ALL
            SELECT none.*, NULL, NULL
            FROM (SELECT) AS one LEFT JOIN (SELECT \(columns) FROM purchase WHERE false) AS none ON true
            WHERE EXISTS (SELECT FROM forgotten_payment WHERE digest >= '')
            """,
            sharing(payments)
        ) { row in
            guard try row.decode(0, as: Int64?.self) != nil else { return Known(purchase: nil, furtherName: nil) }
            return try row.make { (purchase: Purchase, gateway: String?, id: String?) in
                Known(
                    purchase: purchase,
                    furtherName: gateway.flatMap { gateway in id.map { GatewayKey(gateway: gateway, id: $0) } })
            }
        }
    }

    /// A purchase that a look-up of payments finds.
    struct Known {
        /// Nil: a user was forgotten.
        let purchase: Purchase?
        /// The further name of the payment that was asked for; nil: it was found by its own name or by its order.
        let furtherName: GatewayKey?
    }

    /// Keeps further names of a purchase's payment, and resolves the finding that the payment has under them.
    ///
    /// Problems that a purchase does not end, such as a dispute, stay.
    static func keep(_ payment: PaymentIdentity, of purchase: Int64) -> PostgresQuery<Int> {
        .affected(
            """
            WITH kept AS (
                INSERT INTO payment_name (imp_uid, gateway, merchant_uid, purchase_id)
                SELECT DISTINCT name, $2, $3, $4::bigint FROM unnest($1::text[]) AS presented (name)
                WHERE NOT EXISTS (SELECT FROM purchase WHERE purchase.imp_uid = name AND purchase.gateway = $2)
                ON CONFLICT DO NOTHING
            )
            UPDATE finding SET resolved_at = now()
            WHERE resolved_at IS NULL AND imp_uid = ANY($1) AND gateway = $2 AND NOT kinds && $5
            """,
            [
                payment.namesPresented, payment.gateway, payment.merchantUID, purchase,
                Finding.Kind.lasting.map(\.rawValue),
            ])
    }

    /// The same purchases, each with the amounts of its pending refund and of lost disputes, and whether the gateway decided
    /// one of these for the shop, in one snapshot.
    static func refunding(sharing payments: [PaymentIdentity]) -> PostgresQuery<[KnownPurchases.Known]> {
        PostgresQuery(
            """
            SELECT purchase.*, coalesce(refund.foreign_amount, refund.amount), (
                SELECT coalesce(sum(CASE outcome WHEN 'lost' THEN decision.amount ELSE -decision.amount END), 0)::bigint
                FROM dispute JOIN dispute_decision AS decision ON decision.dispute_id = dispute.id
                WHERE dispute.purchase_id = purchase.id),
                EXISTS (
                    SELECT FROM finding
                    WHERE finding.imp_uid = purchase.imp_uid AND finding.gateway = purchase.gateway
                        AND resolved_at IS NULL AND '\(Finding.Kind.disputeWonAfterLoss.rawValue)' = ANY(kinds))
            FROM (\(sharing)) AS purchase
            LEFT JOIN refund ON refund.purchase_id = purchase.id AND refund.status = 'pending'
            """,
            sharing(payments)
        ) { row in try row.make(KnownPurchases.Known.init) }
    }

    // UNION ALL instead of OR: each half uses one unique index, and a purchase that both find is two rows, which costs less
    // than to compare all their columns. `OFFSET 0` keeps the index look-ups even in a plan that
    // PostgreSQL made while the table was empty and a scan was cheaper (decision 0002).
    private static let sharing = """
        SELECT found.*
        FROM unnest($1::text[], $2::text[]) AS asked (gateway, imp_uid)
        CROSS JOIN LATERAL (
            SELECT \(columns) FROM purchase
            WHERE purchase.imp_uid = asked.imp_uid AND purchase.gateway = asked.gateway
            OFFSET 0
        ) AS found
        UNION ALL
        SELECT found.*
        FROM unnest($3::text[]) AS asked (merchant_uid)
        CROSS JOIN LATERAL (
            SELECT \(columns) FROM purchase WHERE purchase.merchant_uid = asked.merchant_uid OFFSET 0
        ) AS found
        """

    private static func sharing(_ payments: [PaymentIdentity]) -> PostgresParameters {
        [payments.map(\.gateway), payments.map(\.paymentID), payments.map(\.merchantUID)]
    }

    /// Those of the keyed hashes of payments' names that are of a purchase of a user who was forgotten.
    static func forgotten(_ digests: [PostgresBytes]) -> PostgresQuery<[PostgresBytes]> {
        PostgresQuery("SELECT digest FROM forgotten_payment WHERE digest = ANY($1)", [digests]) { row in try row[0] }
    }

    /// The purchases of users who were forgotten that had one of the names, and whether it is the order's.
    static func find(
        forgotten names: [PostgresBytes], ofOrder order: PostgresBytes
    ) -> PostgresQuery<[(purchase: Purchase, isByOrder: Bool)]> {
        PostgresQuery(
            """
            SELECT found.*, digest = $2
            FROM forgotten_payment
            CROSS JOIN LATERAL (SELECT \(columns) FROM purchase WHERE id = purchase_id OFFSET 0) AS found
            WHERE digest = ANY($1)
            """, [names, order]
        ) { row in try row.make { (purchase: Purchase, isByOrder: Bool) in (purchase, isByOrder) } }
    }

    /// The purchases with these ids, and those of the refunds with these ids.
    ///
    /// Only the primary keys have these orders, so only they are read (decision 0002).
    static func find(_ ids: [Int64], ofRefunds refunds: [Int64]) -> PostgresQuery<[Purchase]> {
        PostgresQuery(
            """
            SELECT \(columns) FROM purchase
            WHERE id = ANY($1::int8[] || ARRAY(\(Refund.purchases("$2"))))
            ORDER BY id
            """,
            [ids, refunds])
    }

    /// Inserts purchases in their first state: nothing refunded, nothing paid out.
    ///
    /// The database then applies their reversals and payouts.
    static let insert = BulkInsert<(purchase: Purchase, stripe: Stripe)>(
        into: "purchase",
        [
            .init("id", \.purchase.id), .init("stripe", \.stripe), .init("user_id", \.purchase.user),
            .init("gateway", \.purchase.payment.gateway), .init("imp_uid", \.purchase.payment.paymentID),
            .init("merchant_uid", \.purchase.payment.merchantUID),
            .init("payment_id", \.purchase.payment.merchantPaymentID),
            .init("product", \.purchase.product), .init("amount", \.purchase.amount),
            .init("currency", \.purchase.currency), .init("coins", \.purchase.coins),
            .init("bonus_coins", \.purchase.bonusCoins), .init("paid_at", \.purchase.paidAt),
            .init("credited_at", \.purchase.creditedAt), .init("journal_entry_id", \.purchase.journalEntryID),
            .init("tax_free", \.purchase.taxFree), .init("foreign_amount", \.purchase.foreignAmount),
            .init("foreign_currency", \.purchase.foreignCurrency), .init("rate_id", \.purchase.rateID),
            .init("foreign_refunded", { row in row.purchase.foreignAmount.map { _ in Int64(0) } }),
        ],
        and: ["status": "'credited'"])

    /// Purchases whose `imp_uid` or `merchant_uid` is one of the texts, or that have one as a further `imp_uid`; those at
    /// Google Play also by their order's id.
    ///
    /// In V2 `merchant_uid` is also the payment id.
    static func named(_ texts: [String]) -> PostgresQuery<[Named]> {
        PostgresQuery(
            """
            SELECT \(columns), NULL FROM purchase WHERE imp_uid = ANY($1)
            UNION
            SELECT \(columns), NULL FROM purchase WHERE merchant_uid = ANY($1)
            UNION
            SELECT \(columns), NULL FROM purchase WHERE payment_id = ANY($1) AND gateway = '\(StoreName.googlePlay)'
            UNION ALL
            SELECT \(columns), name.imp_uid
            FROM (\(furtherNames("= ANY($1)"))) AS name
            CROSS JOIN LATERAL (
                SELECT \(columns) FROM purchase WHERE id = ANY(ARRAY[name.purchase_id]) ORDER BY id
            ) AS purchase
            WHERE name.imp_uid NOT IN (purchase.imp_uid, purchase.merchant_uid)
            """,
            [texts]
        ) { row in try row.make(Named.init) }
    }

    /// The further names of credited payments whose `imp_uid` fulfils the condition: those that were kept, and those of
    /// findings, which the gateway has shown too.
    static func furtherNames(_ condition: StaticString) -> String {
        """
        SELECT imp_uid, purchase_id FROM payment_name WHERE imp_uid \(condition)
        UNION
        SELECT finding.imp_uid, purchase.id
        FROM (SELECT * FROM finding WHERE imp_uid \(condition) OFFSET 0) AS finding
        CROSS JOIN LATERAL (SELECT * FROM purchase WHERE merchant_uid = finding.merchant_uid OFFSET 0) AS purchase
        WHERE \(PaymentSighting.isPurchasedElsewhere("finding"))
        """
    }

    /// A purchase that a search finds.
    struct Named {
        let purchase: Purchase
        /// The `imp_uid` at another gateway by which it was found; nil: it was found by its own names.
        let furtherName: String?

        var paymentID: ExactText { ExactText(furtherName ?? purchase.payment.paymentID) }
        /// The names by which it was found.
        var names: Set<ExactText> { furtherName == nil ? purchase.payment.ownNames : [paymentID] }
    }
}

extension Purchase: PostgresReadable {
    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> Purchase {
        try row.make(of: "purchase", at: &column, Purchase.init)
    }
}

extension PaymentIdentity: PostgresReadable {
    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> PaymentIdentity {
        try row.make(at: &column, PaymentIdentity.init)
    }
}

extension Purchase.Status: PostgresRawRepresentable {}
