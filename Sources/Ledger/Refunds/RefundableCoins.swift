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

    /// - Parameter lot: the purchase's paid lot.
    init(of lot: Lot, _ purchase: Purchase, _ policy: RefundPolicy, at moment: Date) {
        var lot = lot
        let isExpired = lot.isExpired(at: moment)
        unused = isExpired ? 0 : lot.coinsRefundable(of: purchase)
        if isExpired { _ = lot.expire(lot.remaining) }
        self.lot = lot
        guard let rule = policy.expired, let until = policy.endOfExpired(lot.expiresAt), moment < until else {
            expired = nil
            return
        }
        let coins = lot.expiredRefundable(of: purchase, beside: unused)
        expired = coins > 0 ? RefundableExpired(coins: coins, percent: rule.percent, until: until) : nil
    }

    /// All coins that can be refunded.
    var coins: Int64 { unused + (expired?.coins ?? 0) }

    /// Whether a refund of these coins takes the last won of the purchase, and how many of them are unused.
    func taking(_ coins: Int64, of purchase: Purchase) -> (isLast: Bool, unused: Int64) {
        let values = values(of: coins, charged: 0)
        return (values.unused + values.expired == purchase.amount - purchase.refundedAmount, min(coins, unused))
    }

    /// The amounts paid for the coins that are not charged.
    ///
    /// Unused coins have their share of the won that are deferred for the wallet's and held coins, and are charged
    /// first. Expired coins have their share of what was recognised for them: after a partial cancellation, their price
    /// can differ from that of the others.
    func values(of coins: Int64, charged: Int64) -> (unused: Int64, expired: Int64) {
        let fromWallet = min(coins, unused)
        let fromExpired = coins - fromWallet
        let unusedPaid = max(0, fromWallet - charged)
        guard fromExpired > 0 else { return (lot.won(of: unusedPaid), 0) }
        let expiredPaid = coins - charged - unusedPaid
        return (lot.won(of: unusedPaid), lot.breakage(of: fromExpired).share(expiredPaid, of: fromExpired))
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

    /// Expired coins that were not taken back, and that the rest of the payment covers beside unused coins.
    fileprivate func expiredRefundable(of purchase: Purchase, beside unused: Int64) -> Int64 {
        let balance = purchase.amount - purchase.refundedAmount - won(of: unused)
        let notGone = purchase.coins - purchase.refundedCoins - purchase.chargedCoins - unused
        return max(0, min(expired, notGone, Self.coins(of: expired, for: breakage, worthAtMost: balance)))
    }

    /// The most coins for which `won(of:)` is not above the amount.
    private func coins(worthAtMost amount: Int64) -> Int64 {
        Self.coins(of: remaining + held, for: deferred, worthAtMost: amount)
    }

    /// The most of the coins whose share of the won, rounded down, is not above the amount.
    private static func coins(of all: Int64, for won: Int64, worthAtMost amount: Int64) -> Int64 {
        guard won > amount else { return all }
        return Int64((Int128(amount + 1) * Int128(all) - 1) / Int128(won))
    }
}
