/// A number of coins, at least one.
public struct Coins: Hashable, Sendable {
    /// The most coins one act can move: far above any sale, and far from what a total can hold.
    public static let most: Int64 = 1_000_000_000_000

    /// How many.
    public let count: Int64

    /// Takes a count of coins.
    ///
    /// - Returns: nil for zero, a negative number, or more than ``most``.
    public init?(_ count: Int64) {
        guard (1...Self.most).contains(count) else { return nil }
        self.count = count
    }
}
