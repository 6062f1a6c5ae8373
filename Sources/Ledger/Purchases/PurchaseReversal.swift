import Postgres

/// A refund or claw-back of a part of a purchase, or the reversal of a refund: then all numbers are negative.
///
/// A reversal never changes. The database applies it to the purchase.
struct PurchaseReversal: Sendable, Equatable {
    /// The entry of the refund or claw-back.
    let journalEntryID: Int64
    let purchaseID: Int64
    /// In minor units of the purchase's currency.
    let amount: Int64
    /// The same in minor units of the payment's currency; nil: it was paid in won.
    var foreignAmount: Int64?
    /// Paid coins that were taken or are owed.
    let coins: Int64
    /// Bonus coins that were taken, or for which paid coins were charged or are owed.
    let bonusCoins: Int64
    /// Paid coins that were charged for bonus coins.
    let chargedCoins: Int64
    /// Whether the money goes back by bank transfer.
    var isTransfer = false
}

extension Purchase {
    /// The purchase after a reversal.
    func reversed(by reversal: PurchaseReversal) -> Purchase {
        var purchase = self
        purchase.refundedAmount += reversal.amount
        purchase.foreignRefunded = purchase.foreignRefunded.map { $0 + (reversal.foreignAmount ?? 0) }
        if reversal.isTransfer { purchase.transferred = purchase.transferredAmount + reversal.amount }
        purchase.refundedCoins += reversal.coins
        purchase.refundedBonusCoins += reversal.bonusCoins
        purchase.chargedCoins += reversal.chargedCoins
        let isWhole = purchase.refundedAmount == purchase.amount || purchase.refundedCoins == purchase.coins
        purchase.status = isWhole ? .refunded : purchase.refundedAmount == 0 ? .credited : .partiallyRefunded
        return purchase
    }
}

extension PurchaseReversal {
    static let insert = BulkInsert<PurchaseReversal>(
        into: "purchase_reversal",
        [
            .init("journal_entry_id", \.journalEntryID), .init("purchase_id", \.purchaseID), .init("amount", \.amount),
            .init("foreign_amount", \.foreignAmount),
            .init("coins", \.coins), .init("bonus_coins", \.bonusCoins), .init("charged_coins", \.chargedCoins),
            .init("is_transfer", \.isTransfer),
        ])
}
