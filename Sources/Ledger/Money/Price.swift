/// What is paid for a product: a positive amount of won.
///
/// The chart of accounts keeps the gateway's money in won only (docs/decisions/0004-won-only.md).
public struct Price: Hashable, Sendable {
    /// Minor units of ``currency``.
    public let amount: Int64
    /// Always ``Currency/won``.
    public var currency: Currency { .won }

    /// The highest price: far above any sale, and far from what a total can hold.
    public static let highest: Int64 = 1_000_000_000_000

    /// Takes an amount of won.
    ///
    /// - Returns: nil for zero, a negative number, or more than ``highest``.
    public init?(won amount: Int64) {
        guard (1...Self.highest).contains(amount) else { return nil }
        self.amount = amount
    }
}

/// What an amount counts: a currency's minor units, or coins.
public struct Currency: Hashable, Sendable, Codable {
    /// ISO 4217 code, or `COIN`.
    public let code: String

    init(code: String) { self.code = code }

    /// South Korean won: no decimals, so an amount of 1,000 is ₩1,000.
    public static let won = Currency(code: "KRW")
    /// The coins that users hold.
    public static let coin = Currency(code: "COIN")
}
