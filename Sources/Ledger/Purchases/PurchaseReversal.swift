import Postgres

/// One part of a payment that went back, by refund or claw-back.
///
/// Never changed: where the purchase stands follows from its reversals, and the database sees to that.
struct PurchaseReversal: Sendable, Equatable {
    /// The entry that took it back.
    let journalEntryID: Int64
    let purchaseID: Int64
    /// What went back, in minor units of the purchase's currency.
    let amount: Int64
    /// Bought coins that went, or are owed, for it.
    let coins: Int64
    /// Given coins that went, and those for which bought ones went or are owed.
    let bonusCoins: Int64
    /// Bought coins that went for given ones.
    let chargedCoins: Int64
}

extension Purchase {
    /// The purchase after so much more of it went back.
    func reversed(by reversal: PurchaseReversal) -> Purchase {
        var purchase = self
        purchase.refundedAmount += reversal.amount
        purchase.refundedCoins += reversal.coins
        purchase.refundedBonusCoins += reversal.bonusCoins
        purchase.chargedCoins += reversal.chargedCoins
        let isWhole = purchase.refundedAmount == purchase.amount || purchase.refundedCoins == purchase.coins
        purchase.status = isWhole ? .refunded : .partiallyRefunded
        return purchase
    }
}

extension PurchaseReversal {
    static func insert(_ reversals: [PurchaseReversal]) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO purchase_reversal (journal_entry_id, purchase_id, amount, coins, bonus_coins, charged_coins)
            SELECT * FROM unnest($1::int8[], $2::int8[], $3::int8[], $4::int8[], $5::int8[], $6::int8[])
            """,
            [
                reversals.map(\.journalEntryID), reversals.map(\.purchaseID), reversals.map(\.amount),
                reversals.map(\.coins), reversals.map(\.bonusCoins), reversals.map(\.chargedCoins),
            ])
    }
}
