/// What a provider has earned.
public struct EarningsBody: Codable, Hashable, Sendable {
    /// Who earned it.
    public let provider: String
    /// How many coins.
    public let coins: Int64

    /// Says what a provider has earned.
    public init(provider: String, coins: Int64) {
        self.provider = provider
        self.coins = coins
    }
}
