/// The rule of ``Purchase/isOf(_:)`` in SQL.
extension PaymentSighting {
    /// Whether two APIs tell the same time of payment; null if one does not tell it.
    static func isSameTime(_ one: StaticString, _ other: String) -> String {
        "abs(extract(epoch FROM \(one) - (\(other)))) < \(tolerance)"
    }

    /// Whether two APIs may tell the same time of payment: one that is not told can be any.
    static func mayBeSameTime(_ one: StaticString, _ other: StaticString) -> String {
        "(\(one) IS NULL OR \(other)::timestamptz IS NULL OR \(isSameTime(one, "\(other)::timestamptz")))"
    }

    /// Whether a row of `purchase` is of the payment of another row, which has its name at another gateway.
    static func isPurchasedElsewhere(_ row: StaticString) -> String {
        """
        purchase.merchant_uid = \(row).merchant_uid AND purchase.gateway <> \(row).gateway
            AND coalesce(purchase.foreign_amount, purchase.amount) = \(row).amount
            AND coalesce(purchase.foreign_currency, purchase.currency) = \(row).currency
            AND \(isSameTime("purchase.paid_at", "\(row).paid_at"))
        """
    }
}
