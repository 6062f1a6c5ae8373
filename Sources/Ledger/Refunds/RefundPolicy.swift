/// What is kept of a refund, and what becomes of bonus coins that were used.
package struct RefundPolicy: Sendable, Equatable {
    /// The percentages that can be kept: something is always left for the payer.
    package static let feePercents: ClosedRange<Int64> = 0...99

    /// The fee, in percent of what the coins were bought for; one of ``feePercents``.
    package let feePercent: Int64
    /// What becomes of used bonus coins.
    package let usedBonus: UsedBonus

    /// Nothing is kept, and used bonus coins are charged.
    package static let free = RefundPolicy(feePercent: 0)

    /// Keeps so many percent.
    package init(feePercent: Int64, usedBonus: UsedBonus = .charge) {
        precondition(Self.feePercents.contains(feePercent), "a refund's fee is 0 to 99 percent")
        self.feePercent = feePercent
        self.usedBonus = usedBonus
    }

    /// The fee for coins of this value, rounded down to the payer's favour.
    func fee(of value: Int64) -> Int64 { value.share(feePercent, of: 100) }
}

/// What becomes of a purchase's bonus coins that were used, when its payment goes back.
package enum UsedBonus: String, Sendable, CaseIterable {
    /// They are charged against its bought coins, one for one.
    case charge
    /// They are left to the user.
    case forgive
}
