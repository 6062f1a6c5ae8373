/// A number of coins, at least one.
package struct Coins: Hashable, Sendable {
    /// The most coins one act can move: far above any sale, and far from what a total can hold.
    package static let most: Int64 = 1_000_000_000_000

    /// How many.
    package let count: Int64

    /// Takes a count of coins.
    ///
    /// - Returns: nil for zero, a negative number, or more than ``most``.
    package init?(_ count: Int64) {
        guard (1...Self.most).contains(count) else { return nil }
        self.count = count
    }
}

extension Int64 {
    /// The share that `part` of `whole` has in it, rounded down: all of it for the whole.
    ///
    /// Shares of growing parts never fall, so what falls to each step of a division in steps adds up to the whole.
    func share(_ part: Int64, of whole: Int64) -> Int64 {
        precondition(whole > 0 && (0...whole).contains(part), "a share is of a part of something")
        let (high, low) = multipliedFullWidth(by: part)
        return whole.dividingFullWidth((high, low)).quotient
    }
}
