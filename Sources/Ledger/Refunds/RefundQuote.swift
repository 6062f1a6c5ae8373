import Foundation

/// A preview of a refund.
package struct RefundQuote: Sendable, Equatable {
    package let purchase: Purchase
    /// Paid coins of the purchase that can be refunded now.
    package let unusedCoins: Int64
    /// Paid coins that would be taken back, including charged ones.
    package let coins: Int64
    /// Bonus coins that would be taken back; 0 if the refund would be refused because of its coins.
    package let bonusCoins: Int64
    /// Paid coins that would be charged for used bonus coins.
    ///
    /// No money would be refunded for them.
    package let bonusCharged: Int64
    /// The amount paid for the other paid coins, in minor units of the purchase's currency.
    package let value: Int64
    /// The part of the value that would be kept.
    package let fee: Int64
    /// The rule that set the fee.
    package let feeRule: RefundFeeRule
    /// Why the refund would be refused; nil: it would not.
    package let refusal: Refusal?

    /// The amount that the payer would get.
    package var amount: Int64 { value - fee }
}

extension RefundQuote {
    /// Reasons to refuse a refund that do not depend on the purchase's lots.
    struct Obstacles {
        /// Coins that the user owes.
        var debt: Int64 = 0
        /// Whether another refund of the purchase is pending.
        var isInProgress = false
    }

    /// Previews a refund from the purchase's own lots at a moment.
    ///
    /// - Parameters:
    ///   - asked: paid coins to refund; nil: all that can be refunded.
    ///   - isWaived: whether somebody waived the fee.
    init(
        _ asked: Coins?, of purchase: Purchase, lots: [Lot], policy: RefundPolicy, obstacles: Obstacles,
        isWaived: Bool = false, at moment: Date
    ) {
        let own = lots.filter { $0.purchaseID == purchase.id }
        let paid = own.first { $0.kind == .paid && !$0.isExpired(at: moment) }
        let unused = paid?.coinsRefundable(of: purchase) ?? 0
        let coins = asked?.count ?? unused
        let isWithin = (1...max(1, unused)).contains(coins) && unused > 0

        self.purchase = purchase
        unusedCoins = unused
        self.coins = coins
        if isWithin, let paid {
            let isLast = paid.won(of: coins) == purchase.amount - purchase.refundedAmount
            let gone = isLast ? purchase.coins : purchase.refundedCoins + purchase.chargedCoins + coins
            let due = BonusDue(of: purchase, bonus: own.first { $0.kind == .bonus }, policy, at: moment)
            bonusCoins = due.fromWallet(when: gone)
            bonusCharged = min(coins, due.charged(when: gone))
            value = paid.won(of: coins - bonusCharged)
        } else {
            (bonusCoins, bonusCharged, value) = (0, 0, 0)
        }
        (fee, feeRule) = policy.fee(
            of: value, purchasedAt: purchase.creditedAt, isUnused: purchase.isUnused(own), isWaived: isWaived,
            at: moment)
        refusal =
            if obstacles.isInProgress {
                .refundInProgress
            } else if obstacles.debt > 0 {
                .userInDebt(obstacles.debt)
            } else if unused > 0 && coins > unused {
                .exceedsRefundable(required: coins, available: unused)
            } else if value > 0 {
                nil
            } else {
                .nothingToRefund
            }
    }
}

extension Purchase {
    /// Whether no coins of the purchase were used: all that were not refunded are in the wallet or expired.
    fileprivate func isUnused(_ lots: [Lot]) -> Bool {
        func left(_ kind: LotKind) -> Int64 { lots.first { $0.kind == kind }.map { $0.remaining + $0.expired } ?? 0 }
        return chargedCoins == 0 && left(.paid) == coins - refundedCoins
            && left(.bonus) == bonusCoins - refundedBonusCoins
    }
}

extension BonusDue {
    /// For a refund: coins past their expiry that are still in the wallet count as expired.
    fileprivate init(of purchase: Purchase, bonus lot: Lot?, _ policy: RefundPolicy, at moment: Date) {
        let isExpired = lot?.isExpired(at: moment) ?? false
        let inWallet = lot?.remaining ?? 0
        self.init(
            of: purchase, settled: purchase.refundedBonusCoins, inWallet: isExpired ? 0 : inWallet,
            held: lot?.held ?? 0, expired: (lot?.expired ?? 0) + (isExpired ? inWallet : 0),
            usedBonus: policy.usedBonus)
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
