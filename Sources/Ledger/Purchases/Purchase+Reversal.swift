extension Purchase {
    /// The purchase after so much more of it went back.
    func reversed(by amount: Int64, coins: Int64, bonusCoins: Int64) -> Purchase {
        var purchase = self
        purchase.refundedAmount += amount
        purchase.refundedCoins += coins
        purchase.refundedBonusCoins += bonusCoins
        let isWhole = purchase.refundedAmount == purchase.amount || purchase.refundedCoins == purchase.coins
        purchase.status = isWhole ? .refunded : .partiallyRefunded
        return purchase
    }
}
