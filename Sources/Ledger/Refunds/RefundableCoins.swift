import Foundation

/// The paid coins of a purchase that can be refunded: unused ones, and expired ones if the policy has a rule for them.
///
/// Unused coins are refunded first.
struct RefundableCoins {
    /// Unused coins that can be refunded.
    let unused: Int64
    /// Expired coins that can be refunded; nil: none.
    let expired: RefundableExpired?
    /// The paid lot; coins past their expiry that are still in the wallet count as expired.
    private let lot: Lot
    private let moment: Date

    /// - Parameter lot: the purchase's paid lot.
    init(of lot: Lot, _ purchase: Purchase, _ policy: RefundPolicy, at moment: Date) {
        var lot = lot
        let isExpired = lot.isExpired(at: moment)
        unused = isExpired ? 0 : lot.coinsRefundable(of: purchase)
        if isExpired { _ = lot.expire(lot.remaining) }
        self.lot = lot
        self.moment = moment
        guard let rule = policy.expired, let until = policy.endOfExpired(lot.expiresAt), moment < until else {
            expired = nil
            return
        }
        _ = lot.reverseExpiry(of: lot.expired, at: moment)
        let coins = lot.coinsRefundable(of: purchase) - unused
        expired = coins > 0 ? RefundableExpired(coins: coins, percent: rule.percent, until: until) : nil
    }

    /// All coins that can be refunded.
    var coins: Int64 { unused + (expired?.coins ?? 0) }

    /// Whether a refund of these coins takes the last won of the purchase, and how many of them are unused.
    func taking(_ coins: Int64, of purchase: Purchase) -> (isLast: Bool, unused: Int64) {
        let isLast = lot(afterReversing: coins).won(of: coins) == purchase.amount - purchase.refundedAmount
        return (isLast, min(coins, unused))
    }

    /// The amounts paid for the coins that are not charged.
    ///
    /// Unused coins are charged first.
    func values(of coins: Int64, charged: Int64) -> (unused: Int64, expired: Int64) {
        let value = lot(afterReversing: coins).won(of: coins - charged)
        let unusedPaid = max(0, min(coins, unused) - charged)
        guard coins - charged > unusedPaid else { return (value, 0) }
        let unusedValue = min(value, lot.won(of: unusedPaid))
        return (unusedValue, value - unusedValue)
    }

    /// The lot after as many expired coins came back as a refund of these coins needs.
    private func lot(afterReversing coins: Int64) -> Lot {
        var lot = lot
        _ = lot.reverseExpiry(of: max(0, coins - unused), at: moment)
        return lot
    }
}

extension Lot {
    /// Coins in the wallet that were not taken back otherwise, and that the rest of the payment covers.
    ///
    /// Both limits matter only after a claw-back that could not take the lot's coins because they were held.
    fileprivate func coinsRefundable(of purchase: Purchase) -> Int64 {
        let balance = purchase.amount - purchase.refundedAmount
        let notGone = purchase.coins - purchase.refundedCoins - purchase.chargedCoins
        return max(0, min(remaining, notGone, coins(worthAtMost: balance)))
    }

    /// The most coins for which `won(of:)` is not above the amount.
    private func coins(worthAtMost amount: Int64) -> Int64 {
        let left = remaining + held
        guard deferred > amount else { return left }
        return Int64((Int128(amount + 1) * Int128(left) - 1) / Int128(deferred))
    }
}
