/// A provider's earnings.
public struct EarningsBody: Codable, Hashable, Sendable {
    /// The provider.
    public let provider: String
    /// The number of coins.
    public let coins: Int64

    /// Creates earnings.
    public init(provider: String, coins: Int64) {
        self.provider = provider
        self.coins = coins
    }
}
