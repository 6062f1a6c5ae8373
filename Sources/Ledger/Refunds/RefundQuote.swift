import Foundation

/// What a refund would come to.
public struct RefundQuote: Sendable, Equatable {
    /// The purchase.
    public let purchase: Purchase
    /// Bought coins of the purchase that can be given back now.
    public let unusedCoins: Int64
    /// Bought coins that would go.
    public let coins: Int64
    /// Given coins that would go with them; nothing where the refund would be refused for its coins.
    public let bonusCoins: Int64
    /// What the bought coins were bought for, in minor units of the purchase's currency.
    public let value: Int64
    /// What of the value we would keep.
    public let fee: Int64
    /// Why it would be refused; nil: it would not.
    public let refusal: Refusal?

    /// What the payer would get.
    public var amount: Int64 { value - fee }
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
        let usable = lots.filter { $0.purchaseID == purchase.id && !$0.isExpired(at: moment) }
        let paid = usable.first { $0.kind == .paid }
        let bonus = usable.first { $0.kind == .bonus }?.remaining ?? 0
        let unused = paid?.coinsRefundable(of: purchase) ?? 0
        let coins = asked?.count ?? unused
        let isWithin = (1...max(1, unused)).contains(coins) && unused > 0

        self.purchase = purchase
        unusedCoins = unused
        self.coins = coins
        bonusCoins = isWithin ? min(bonus, purchase.bonusCoinsDue(after: coins)) : 0
        value = isWithin ? paid?.won(of: coins) ?? 0 : 0
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

extension Lot {
    /// Coins in the wallet that were not yet taken back otherwise, and that the payment still has the money for.
    ///
    /// Both only bind after a claw-back for whose coins the lot could not answer, because they were set aside.
    fileprivate func coinsRefundable(of purchase: Purchase) -> Int64 {
        let balance = purchase.amount - purchase.refundedAmount
        return min(remaining, purchase.coins - purchase.refundedCoins, coins(worthAtMost: balance))
    }

    /// The most coins whose won, as `won(of:)` tells them, are not above the amount.
    private func coins(worthAtMost amount: Int64) -> Int64 {
        let left = remaining + held
        guard deferred > amount else { return left }
        return Int64((Int128(amount + 1) * Int128(left) - 1) / Int128(deferred))
    }
}

extension Purchase {
    /// The given coins that go when so many more bought coins are given back: their part, rounded down, of which what
    /// was taken before is done; all of them with the last bought one.
    fileprivate func bonusCoinsDue(after coins: Int64) -> Int64 {
        max(0, bonusCoins.share(refundedCoins + coins, of: self.coins) - refundedBonusCoins)
    }
}
