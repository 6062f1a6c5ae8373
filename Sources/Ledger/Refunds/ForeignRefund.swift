/// What a refund gives back of a payment in a foreign currency (docs/decisions/0230).
///
/// The refund's own amounts are the won of it at the rate of the payment.
package struct ForeignRefund: Sendable, Equatable, Codable {
    /// What the payer gets, in minor units of ``currency``.
    package let amount: Int64
    /// What is kept of the value, in minor units.
    package let fee: Int64
    package let currency: ForeignCurrency
    /// What could be cancelled at the gateway when the refund was requested, in minor units.
    package let balance: Int64
}

/// The amounts of a refund, or of its quote.
package protocol RefundAmounts {
    /// What was paid for the coins, in won.
    var value: Int64 { get }
    /// What is kept of it, in won.
    var fee: Int64 { get }
    /// What goes back of a payment in a foreign currency; nil: it was paid in won.
    var foreign: ForeignRefund? { get }
}

extension RefundAmounts {
    /// What the payer gets, in won.
    package var amount: Int64 { value - fee }
    /// What the payer gets, in minor units of the payment's currency.
    package var paidBack: Int64 { foreign?.amount ?? amount }
    /// What is kept of the value, in minor units of the payment's currency.
    package var paidFee: Int64 { foreign?.fee ?? fee }
    /// What was paid for the coins, in minor units of the payment's currency.
    package var paidValue: Int64 { paidBack + paidFee }
}

extension RefundQuote: RefundAmounts {}

extension Refund: RefundAmounts {
    /// The payment's currency.
    package var paidCurrency: Currency { foreign.map { Currency($0.currency) } ?? currency }
    /// What could be cancelled at the gateway when the refund was requested, in minor units of ``paidCurrency``.
    package var paidBalance: Int64 { foreign?.balance ?? believedBalance }

    /// What it gives back, in both currencies.
    var part: PaidPart { PaidPart(won: amount, foreign: foreign?.amount) }
}

extension Purchase {
    /// What was paid for a value of so many won: as many minor units as are not worth more, at the purchase's own rate.
    ///
    /// Where a minor unit is worth less than a won, they are one more than the won are worth at most.
    ///
    /// All that is left in won is all that is left of the payment, and less is at least a minor unit less: no coins are left
    /// of a payment that went back in whole.
    ///
    /// - Returns: minor units of ``paidCurrency``.
    func paid(for won: Int64) -> Int64 {
        guard let foreign else { return won }
        let left = foreign.amount - foreign.refunded
        guard won < amount - refundedAmount else { return left }
        // The won were rounded down, so a part of one more was paid.
        let share = Int128(won) * Int128(foreign.amount) + Int128(min(foreign.amount, amount)) - 1
        return min(left - 1, Int64(share / Int128(amount)))
    }

    /// What was paid for unused and expired coins of these values in won, and for the expired ones of them.
    ///
    /// That of expired coins is rounded up once over all refunds of the purchase, at most to what is left, or a minor unit less if other
    /// coins stay: together, they give the payer at least the share of the policy (``ExpiredCoinRule``).
    ///
    /// - Parameter before: what was paid for expired coins of refunds before, in won.
    /// - Returns: minor units of ``paidCurrency``.
    func paid(forUnused unused: Int64, expired: Int64, after before: Int64) -> (all: Int64, expired: Int64) {
        let won = unused + expired
        let least = paid(for: won)
        guard let foreign, expired > 0 else { return (least, expired) }
        let isLast = won >= amount - refundedAmount
        // A minor unit below a won is rounded up each time, so that the refund is worth its won.
        let ofExpired =
            foreign.amount > amount ? paid(for: expired) : roundedUp(before + expired) - roundedUp(before)
        let all = isLast ? least : min(foreign.amount - foreign.refunded - 1, paid(for: unused) + ofExpired)
        return (all, unused == 0 ? all : min(all, ofExpired))
    }

    /// What was paid for so many won, rounded up: minor units of ``paidCurrency``.
    func roundedUp(_ won: Int64) -> Int64 {
        guard let foreign else { return won }
        return foreign.amount - foreign.amount.share(max(0, amount - won), of: amount)
    }

    /// The won of a part that is given back next, by the rule of all that goes back.
    ///
    /// - Parameter part: in minor units of ``paidCurrency``, at most what did not go back.
    package func worth(ofNext part: Int64) -> Int64 { worth(ofCancelled: paidBack + part) - cancelledAmount }

    /// Whether another refund by us can be carried out: the App Store carries out none, and a bank transfer is in won.
    var isRefundable: Bool { foreign == nil || payment.gateway != StoreName.appStore }
}
