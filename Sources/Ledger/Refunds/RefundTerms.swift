/// What must hold when a refund begins, because a person decided by it.
///
/// It is checked under the locks of the purchase's stripe, so no other refund comes in between, also of another
/// process.
package struct RefundTerms: Sendable, Equatable {
    /// The amount that the payer gets, in won, as the person saw it in the quote; nil: whatever it is.
    package let amount: Int64?
    /// The same in minor units of the payment's currency; nil: whatever it is, or the payment was in won.
    package let paidBack: Int64?
    /// The amount that had been refunded of the purchase, as the person saw it; nil: whatever it is.
    package let refundedBefore: Int64?
    /// The unused coins of the purchase that could be refunded, as the person saw them; nil: whatever they are.
    package let unusedBefore: Int64?
    /// The most that may be refunded of the purchase in all, with this refund; nil: no limit.
    package let mostInAll: Int64?

    /// Nothing was decided by what somebody saw.
    package static let none = RefundTerms()

    package init(
        amount: Int64? = nil, paidBack: Int64? = nil, refundedBefore: Int64? = nil, unusedBefore: Int64? = nil,
        mostInAll: Int64? = nil
    ) {
        self.amount = amount
        self.paidBack = paidBack
        self.refundedBefore = refundedBefore
        self.unusedBefore = unusedBefore
        self.mostInAll = mostInAll
    }

    /// Why a refund of this quote is refused; nil: it is not.
    func refusal(of quote: RefundQuote) -> Refusal? {
        let before = quote.purchase.refundedAmount
        if let refundedBefore, refundedBefore != before { return .changedMeanwhile }
        if let unusedBefore, unusedBefore != quote.unusedCoins { return .changedMeanwhile }
        if let amount, amount != quote.amount { return .changedMeanwhile }
        if let paidBack, paidBack != quote.paidBack { return .changedMeanwhile }
        guard let mostInAll, before + quote.amount > mostInAll else { return nil }
        return .exceedsOwnLimit(required: quote.amount, available: mostInAll > before ? mostInAll - before : 0)
    }
}
