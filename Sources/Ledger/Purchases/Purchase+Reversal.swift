extension Purchase {
    /// The purchase after so much more of it went back.
    ///
    /// - Parameters:
    ///   - bonusCoins: given coins that went, and those for which bought ones went or are owed.
    ///   - charged: bought coins that went for them.
    func reversed(by amount: Int64, coins: Int64, bonusCoins: Int64, charged: Int64) -> Purchase {
        var purchase = self
        purchase.refundedAmount += amount
        purchase.refundedCoins += coins
        purchase.refundedBonusCoins += bonusCoins
        purchase.chargedCoins += charged
        let isWhole = purchase.refundedAmount == purchase.amount || purchase.refundedCoins == purchase.coins
        purchase.status = isWhole ? .refunded : .partiallyRefunded
        return purchase
    }
}
