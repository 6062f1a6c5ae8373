import Currencies

/// The price of a product: a positive amount of won.
///
/// Lots, revenue and VAT follow from it. A price in another currency is a ``ForeignPrice``.
package struct Price: Hashable, Sendable {
    /// Minor units of ``currency``.
    package let amount: Int64
    /// Always ``Currency/won``.
    package var currency: Currency { .won }

    /// The highest price: far above any sale, and far below the limit of an account's totals.
    package static let highest: Int64 = 1_000_000_000_000

    /// Checks an amount of won.
    ///
    /// - Returns: nil for zero, a negative number, or more than ``highest``.
    package init?(won amount: Int64) {
        guard (1...Self.highest).contains(amount) else { return nil }
        self.amount = amount
    }
}

/// The unit of an amount: a currency's minor unit, or coins.
package struct Currency: Hashable, Sendable, Codable {
    /// ISO 4217 code, or `COIN`.
    package let code: String

    init(code: String) { self.code = code }

    /// South Korean won.
    ///
    /// The won has no decimals: an amount of 1,000 is ₩1,000.
    package static let won = Currency(code: "KRW")
    /// The coins that users hold.
    package static let coin = Currency(code: "COIN")

    /// An amount as people write it, in the currency's unit: `0.99 USD`, `1000 KRW`.
    ///
    /// - Parameter code: one that ISO 4217 does not have is said to have no decimals.
    package static func text(_ amount: Int64, _ code: String) -> String {
        "\(Currencies.Currency(code)?.decimal(amount) ?? String(amount)) \(code)"
    }
}
