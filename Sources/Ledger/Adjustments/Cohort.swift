package import CivilTime

/// The purchases of one month at a later moment, in won.
///
/// `sold` is the sum of `refunded`, `used`, `expired` and `deferred`.
package struct Cohort: Sendable, Equatable {
    /// The month in which they were paid.
    package let soldIn: CivilMonth
    package let purchases: Int64
    package let sold: Int64
    /// Given back, with the fees that were kept.
    package let refunded: Int64
    /// Recognised for coins that were used.
    package let used: Int64
    /// Recognised for coins that expired.
    package let expired: Int64
    /// Deferred for coins that are left.
    package let deferred: Int64
    /// What is to be deferred for paid and bonus coins that are left, by relative price.
    package let allocated: Int64
}

extension Cohort {
    /// The won that are recognised as breakage before their coins expire.
    ///
    /// Of the won that were not given back, a share is expected to be never used. It is recognised in proportion to the
    /// won used of those that are expected to be used. What expired is recognised already, and no more is recognised
    /// than is deferred. So it is 0 when no coins are left.
    ///
    /// - Parameter share: of 1,000 paid coins, those that are expected to stay unused.
    func expectedBreakage(share: Int64) -> Int64 {
        let kept = sold - refunded
        let broken = Self.part(share, of: 1000, times: kept)
        let usable = kept - broken
        guard usable > 0 else { return 0 }
        return max(0, min(deferred, Self.part(min(used, usable), of: usable, times: broken) - expired))
    }

    /// The won that are to be deferred for bonus coins besides; below zero: paid coins have too many.
    var deferredForBonus: Int64 { allocated - deferred }

    /// `amount` × `part` ÷ `whole`, rounded down.
    private static func part(_ part: Int64, of whole: Int64, times amount: Int64) -> Int64 {
        let (high, low) = amount.multipliedFullWidth(by: part)
        return whole.dividingFullWidth((high, low)).quotient
    }

    /// The part of the target of an adjustment.
    func target(by method: AccountingPolicy.Method?) -> Int64 {
        switch method {
        case .expectedPattern(let expected, let highlyProbable):
            expectedBreakage(share: min(expected, highlyProbable))
        case .relativePrice: deferredForBonus
        case .atExpiry, .some(.none), nil: 0
        }
    }
}
