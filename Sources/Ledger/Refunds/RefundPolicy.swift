package import Foundation

/// The fee of refunds, and the rule for used bonus coins.
///
/// The first rule that applies sets the fee: a waiver, free days, then the percentage or the minimum, whichever is more.
package struct RefundPolicy: Sendable, Equatable {
    /// The allowed percentages.
    ///
    /// The payer always gets something.
    package static let feePercents: ClosedRange<Int64> = 0...99
    /// The allowed numbers of free days.
    package static let freeDays: ClosedRange<Int64> = 0...366

    /// The fee, in percent of the amount paid for the coins; one of ``feePercents``.
    package let feePercent: Int64
    /// The least fee, in won, of payments in won; never so much that the payer gets nothing.
    package let minimumFee: Int64
    /// The days after the day of the purchase within which a refund is free, if none of its coins was used; 0: none.
    ///
    /// Act on Consumer Protection in Electronic Commerce, articles 17 and 18: seven days, without a penalty.
    package let freeDays: Int64
    /// The time zone of days.
    package let timeZone: TimeZone
    /// The rule for used bonus coins.
    package let usedBonus: UsedBonus
    /// The rule for expired paid coins; nil: they are not refunded.
    package let expired: ExpiredCoinRule?

    /// No fee, and used bonus coins are charged.
    package static let free = RefundPolicy(feePercent: 0)

    /// A policy with this fee.
    package init(
        feePercent: Int64, minimumFee: Int64 = 0, freeDays: Int64 = 0, timeZone: TimeZone = .gmt,
        usedBonus: UsedBonus = .charge, expired: ExpiredCoinRule? = nil
    ) {
        precondition(Self.feePercents.contains(feePercent), "a refund's fee must be 0 to 99 percent")
        self.feePercent = feePercent
        self.minimumFee = minimumFee
        self.freeDays = freeDays
        self.timeZone = timeZone
        self.usedBonus = usedBonus
        self.expired = expired
    }
}

/// For how long expired paid coins can be refunded, and for which share of their price.
///
/// Standard terms for new-type vouchers of the Korea Fair Trade Commission (신유형 상품권 표준약관), article 7: at least
/// 90 percent, within five years of the issue.
package struct ExpiredCoinRule: Sendable, Equatable {
    /// The days after the last day on which the coins could be used, until the end of the last one.
    package let days: Int64
    /// What the payer gets, in percent of the amount paid for the coins: 1 to 100.
    package let percent: Int64

    package init(days: Int64, percent: Int64) {
        precondition(days > 0 && (1...100).contains(percent), "expired coins are refunded for 1 to 100 percent")
        self.days = days
        self.percent = percent
    }
}

/// Which rule of a ``RefundPolicy`` set a fee.
package enum RefundFeeRule: String, Sendable, Codable, CaseIterable {
    /// Somebody waived the fee of this refund.
    case waived
    /// None of the purchase's coins was used, and its free days are not over.
    case freeDays = "free_days"
    /// All coins of the refund had expired: the rest of the share that the payer gets.
    case expired
    /// The percentage, rounded down in favour of the payer.
    case percentage
    /// The minimum, because the percentage is less.
    case minimum
}

/// What was paid for the coins of earlier refunds of a payment in a foreign currency, by whose parts of a minor unit later ones go on.
///
/// Nothing of a payment in won: each refund of it is rounded by itself.
struct RefundsBefore {
    /// Of refunds of unused coins alone by the percentage, with their fees, in minor units of the payment's currency.
    var byPercentage: Int64 = 0
    /// Of expired coins, in won.
    var expired: Int64 = 0
}

extension RefundsBefore {
    /// The completed ones of these refunds of one purchase.
    init(_ refunds: [Refund]) {
        for refund in refunds where refund.status == .completed {
            guard let foreign = refund.foreign else { continue }
            expired += refund.expiredPaidFor
            if refund.feeRule == .percentage, refund.expired == nil { byPercentage += foreign.amount + foreign.fee }
        }
    }
}

extension Refund {
    /// The won that were paid for its expired coins that are not charged; exact also where its value has less for them.
    fileprivate var expiredPaidFor: Int64 {
        guard let expired, let expiredWon else { return 0 }
        // Unused coins are charged first.
        return expiredWon.share(coins - max(unusedCoins, bonusCharged), of: expired.coins)
    }
}

extension RefundPolicy {
    /// The fee for coins of this value, and its rule.
    ///
    /// - Parameters:
    ///   - value: in minor units of `currency`.
    ///   - before: what was paid for the coins of refunds before, whose parts of a minor unit are counted, too.
    ///   - purchasedAt: when the purchase was credited.
    ///   - isUnused: whether none of the purchase's coins, paid or bonus, was used.
    func fee(
        of value: Int64, in currency: Currency = .won, after before: Int64 = 0, purchasedAt: Date,
        isUnused: Bool, isWaived: Bool, at moment: Date
    ) -> (fee: Int64, rule: RefundFeeRule) {
        if isWaived { return (0, .waived) }
        if isUnused, freeDays > 0, moment < end(of: freeDays, after: purchasedAt) { return (0, .freeDays) }
        let share = Self.share(feePercent, of: value, after: before)
        let least = currency == .won ? min(minimumFee, max(0, value - 1)) : 0
        return least > share ? (least, .minimum) : (share, .percentage)
    }

    /// The part of the value of expired coins that is kept, rounded down in favour of the payer.
    ///
    /// - Parameter before: what was paid for expired coins of refunds before, whose parts of a minor unit are counted, too.
    func feeOfExpired(_ value: Int64, after before: Int64, isWaived: Bool) -> Int64 {
        isWaived ? 0 : Self.share(100 - (expired?.percent ?? 100), of: value, after: before)
    }

    /// A percentage of the value and of the values before, rounded down, less the same of those before: so parts of a minor unit add up,
    /// whatever was kept of those before.
    ///
    /// The payer always gets something.
    private static func share(_ percent: Int64, of value: Int64, after before: Int64) -> Int64 {
        let share = (before + value).share(percent, of: 100) - before.share(percent, of: 100)
        return min(share, max(0, value - 1))
    }

    /// When expired coins of a lot can't be refunded any more; nil: they can't be refunded.
    ///
    /// The days follow the last day on which the coins could be used: a lot that ends with a day expires at the next.
    func endOfExpired(_ expiresAt: Date?) -> Date? {
        guard let expired, let expiresAt else { return nil }
        return end(of: expired.days, after: expiresAt.addingTimeInterval(-0.000_001))
    }

    /// The first moment after a number of days: the day of `moment` does not count, and the last day counts whole.
    private func end(of days: Int64, after moment: Date) -> Date {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let day = calendar.startOfDay(for: moment)
        return calendar.date(byAdding: .day, value: Int(days) + 1, to: day) ?? moment
    }
}

/// What happens to used bonus coins of a purchase when its payment is refunded or cancelled.
package enum UsedBonus: String, Sendable, CaseIterable {
    /// Paid coins of the purchase are charged for them, one for one.
    case charge
    /// They are not charged.
    case forgive
}
