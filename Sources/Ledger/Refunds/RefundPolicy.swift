/// The fee of refunds, and the rule for used bonus coins.
package struct RefundPolicy: Sendable, Equatable {
    /// The allowed percentages.
    ///
    /// The payer always gets something.
    package static let feePercents: ClosedRange<Int64> = 0...99

    /// The fee, in percent of the amount paid for the coins; one of ``feePercents``.
    package let feePercent: Int64
    /// The rule for used bonus coins.
    package let usedBonus: UsedBonus

    /// No fee, and used bonus coins are charged.
    package static let free = RefundPolicy(feePercent: 0)

    /// A policy with this fee.
    package init(feePercent: Int64, usedBonus: UsedBonus = .charge) {
        precondition(Self.feePercents.contains(feePercent), "a refund's fee must be 0 to 99 percent")
        self.feePercent = feePercent
        self.usedBonus = usedBonus
    }

    /// The fee for coins of this value, rounded down in favour of the payer.
    func fee(of value: Int64) -> Int64 { value.share(feePercent, of: 100) }
}

/// What happens to used bonus coins of a purchase when its payment is refunded or cancelled.
package enum UsedBonus: String, Sendable, CaseIterable {
    /// Paid coins of the purchase are charged for them, one for one.
    case charge
    /// They are not charged.
    case forgive
}
