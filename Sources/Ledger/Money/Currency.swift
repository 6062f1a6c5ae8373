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
