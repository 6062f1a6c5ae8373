/// A number of coins: one or more.
package struct Coins: Hashable, Sendable {
    /// The most coins that one act can move: far above any sale, and far below the limit of an account's totals.
    package static let most: Int64 = 1_000_000_000_000

    package let count: Int64

    /// Checks a number of coins.
    ///
    /// - Returns: nil for zero, a negative number, or more than ``most``.
    package init?(_ count: Int64) {
        guard (1...Self.most).contains(count) else { return nil }
        self.count = count
    }
}

extension Int64 {
    /// This amount times `part` / `whole`, rounded down.
    ///
    /// A larger part never gets a smaller share. So if an amount is divided step by step, the differences add up to it.
    func share(_ part: Int64, of whole: Int64) -> Int64 {
        precondition(whole > 0 && (0...whole).contains(part), "a share is of a part between 0 and the whole")
        let (high, low) = multipliedFullWidth(by: part)
        return whole.dividingFullWidth((high, low)).quotient
    }
}
