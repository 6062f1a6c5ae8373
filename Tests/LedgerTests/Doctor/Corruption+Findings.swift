extension Corruption {
    static let findings = [
        Corruption("finding_not_ended", ended("paid_unclaimed", of: unknown)),
        Corruption("finding_not_ended", ended("payment_disputed", of: "purchase")),
        Corruption("finding_not_ended", ended("endpoint_failing", of: "purchase")),
        Corruption("finding_not_ended", ended("paid_at_in_future", of: "purchase", found: "now() + interval '1 year'")),
        Corruption("finding_not_ended", ended("refund_undecided", of: refunding, resolved: later)),
        Corruption("finding_not_ended", ended("refunded_twice", of: transferred, resolved: later)),
        Corruption("finding_not_ended", ended("paid_unclaimed", of: paidAgain)),
        Corruption("finding_not_ended", ended("paid_unclaimed", of: "purchase", resolved: "NULL")),
        Corruption(
            "hourly_finding_without_cause",
            """
            INSERT INTO finding (kinds, hour, measured, hour_limit)
            VALUES ('{spends_above_limit}', '2020-01-01T00:00:00Z', 2, 1)
            """),
        Corruption(
            "finding_overdue",
            """
            WITH credited AS (
                UPDATE purchase SET credited_at = now() - interval '1 hour' WHERE imp_uid = 'imp_1'
                RETURNING gateway, imp_uid, merchant_uid, amount, paid_at
            )
            \(ended("paid_unclaimed", of: "credited", found: "now() - interval '1 hour'", resolved: "NULL", mark: false))
            """),
    ]

    private static let later = "now() + interval '2 hours'"

    private static let unknown = """
        (SELECT 'g' AS gateway, 'imp_nobody' AS imp_uid, 'order_nobody' AS merchant_uid, 1000 AS amount, now() AS paid_at)
        """

    /// Other payments of the orders: their times differ.
    private static let paidAgain = """
        (SELECT 'g' AS gateway, imp_uid, merchant_uid, amount, paid_at + interval '2 seconds' AS paid_at FROM purchase)
        """

    private static let refunding = """
        (SELECT purchase.* FROM purchase JOIN refund ON purchase_id = purchase.id WHERE refund.status = 'pending')
        """

    private static let transferred = "(SELECT * FROM purchase WHERE transferred_amount > 0)"

    /// A finding of the first of these payments that is said to have been ended by the books.
    ///
    /// - Parameter mark: whether it is said so.
    private static func ended(
        _ kind: String, of payments: String, found: String = "now()", resolved: String = "now()", mark: Bool = true
    ) -> String {
        """
        INSERT INTO finding (
            kinds, gateway, imp_uid, merchant_uid, amount, currency, paid_at, found_at, resolved_at, ended_by_books)
        SELECT ARRAY['\(kind)'], gateway, imp_uid, merchant_uid, amount, 'KRW', paid_at, \(found),
            (\(resolved))::timestamptz, \(mark)
        FROM \(payments) AS paid ORDER BY imp_uid LIMIT 1
        ON CONFLICT (imp_uid, gateway) DO UPDATE
        SET kinds = excluded.kinds, found_at = excluded.found_at, reopened_at = NULL, resolved_at = excluded.resolved_at,
            ended_by_books = excluded.ended_by_books
        """
    }
}
