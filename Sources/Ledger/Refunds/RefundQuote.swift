import Foundation

/// What a refund would come to.
package struct RefundQuote: Sendable, Equatable {
    /// The purchase.
    package let purchase: Purchase
    /// Bought coins of the purchase that can be given back now.
    package let unusedCoins: Int64
    /// Bought coins that would go, those charged among them.
    package let coins: Int64
    /// Given coins that would go with them; nothing where the refund would be refused for its coins.
    package let bonusCoins: Int64
    /// Of the bought coins, how many would go in place of given ones that were used: nothing is paid for them.
    package let bonusCharged: Int64
    /// What the other bought coins were bought for, in minor units of the purchase's currency.
    package let value: Int64
    /// What of the value we would keep.
    package let fee: Int64
    /// Why it would be refused; nil: it would not.
    package let refusal: Refusal?

    /// What the payer would get.
    package var amount: Int64 { value - fee }
}

extension RefundQuote {
    /// What keeps a purchase from being refunded, whatever its lots have.
    struct Obstacles {
        /// Coins that the user owes.
        var debt: Int64 = 0
        /// Whether another refund of the purchase is pending.
        var isInProgress = false
    }

    /// Quotes, as of a moment, what of the purchase's own lots would go.
    ///
    /// - Parameter asked: how many bought coins; nil: all that can be given back.
    init(
        _ asked: Coins?, of purchase: Purchase, lots: [Lot], policy: RefundPolicy, obstacles: Obstacles, at moment: Date
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
        fee = policy.fee(of: value)
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

extension BonusDue {
    /// Of a refund: what expired but is still in the wallet is as good as expired.
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
    /// Coins in the wallet that were not yet taken back otherwise, and that the payment still has the money for.
    ///
    /// Both only bind after a claw-back for whose coins the lot could not answer, because they were set aside.
    fileprivate func coinsRefundable(of purchase: Purchase) -> Int64 {
        let balance = purchase.amount - purchase.refundedAmount
        let notGone = purchase.coins - purchase.refundedCoins - purchase.chargedCoins
        return max(0, min(remaining, notGone, coins(worthAtMost: balance)))
    }

    /// The most coins whose won, as `won(of:)` tells them, are not above the amount.
    private func coins(worthAtMost amount: Int64) -> Int64 {
        let left = remaining + held
        guard deferred > amount else { return left }
        return Int64((Int128(amount + 1) * Int128(left) - 1) / Int128(deferred))
    }
}
