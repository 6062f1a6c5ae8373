/// A preview of taking back spends of a purchase and refunding it.
package struct TakeBackPreview: Sendable {
    package let purchase: Purchase
    /// The journal entries of those that would come back.
    package let chosen: [Int64]
    /// What the act would do now, or why it would be refused.
    package let outcome: Outcome<TakenBackAndRefunded>
    /// Coins that came back of the chosen ones before.
    package let returnedBefore: Int64

    package init(
        purchase: Purchase, chosen: [Int64], outcome: Outcome<TakenBackAndRefunded>, returnedBefore: Int64
    ) {
        self.purchase = purchase
        self.chosen = chosen
        self.outcome = outcome
        self.returnedBefore = returnedBefore
    }

    /// What the act would do; nil: it would be refused.
    package var made: TakenBackAndRefunded? { if case .done(let made) = outcome { made } else { nil } }
    /// Why it would be refused; nil: it would not.
    package var refusal: Refusal? { outcome.refusal }
}

/// A preview beside all spends and captures of the purchase, to choose from.
package struct TakeBackQuote: Sendable {
    package let preview: TakeBackPreview
    /// The spends and captures of the purchase that can come back, newest first.
    package let spends: [PurchaseSpend]

    package init(_ preview: TakeBackPreview, spends: [PurchaseSpend]) {
        self.preview = preview
        self.spends = spends
    }

    package var purchase: Purchase { preview.purchase }
    /// The journal entries of those that would come back.
    package var chosen: [Int64] { preview.chosen }
    /// What the act would do; nil: it would be refused.
    package var made: TakenBackAndRefunded? { preview.made }
    /// Why it would be refused; nil: it would not.
    package var refusal: Refusal? { preview.refusal }

    /// The paid coins of the purchase that would not be refunded, by why.
    package struct Missing: Sendable, Equatable {
        /// They are in spends and captures that are not chosen.
        package let notChosen: Int64
        /// They are on hold, have expired, paid a debt, or are in spends that are too old to be listed.
        package let notInWallet: Int64
    }

    /// What is missing to a full refund; nil: nothing, or the act would be refused.
    package var missing: Missing? {
        guard let refund = made?.refund else { return nil }
        let coins = purchase.coins - purchase.refundedCoins - purchase.chargedCoins - refund.coins
        guard coins > 0 else { return nil }
        let others = spends.filter { !chosen.contains($0.id) }.reduce(0) { $0 + $1.paidOfPurchase }
        return Missing(notChosen: min(others, coins), notInWallet: max(0, coins - others))
    }
}
