/// What is kept of a refund.
public struct RefundPolicy: Sendable, Equatable {
    /// The percentages that can be kept: something is always left for the payer.
    public static let feePercents: ClosedRange<Int64> = 0...99

    /// The fee, in percent of what the coins were bought for; one of ``feePercents``.
    public let feePercent: Int64

    /// Nothing is kept.
    public static let free = RefundPolicy(feePercent: 0)

    /// Keeps so many percent.
    public init(feePercent: Int64) {
        precondition(Self.feePercents.contains(feePercent), "a refund's fee is 0 to 99 percent")
        self.feePercent = feePercent
    }

    /// The fee for coins of this value, rounded down to the payer's favour.
    func fee(of value: Int64) -> Int64 { value.share(feePercent, of: 100) }
}
