package import Foundation

/// Why the ledger refuses an act.
package enum Refusal: Sendable, Equatable, Codable {
    /// The payment was credited to another user.
    case paymentBelongsToAnotherUser
    /// Another payment with the same `merchant_uid` was credited.
    case merchantUIDAlreadyCredited
    /// The payment was credited under another `merchant_uid`.
    case paymentHasAnotherMerchantUID
    /// The idempotency key was used for another act or other content.
    case idempotencyKeyReused
    /// The user has no purchase with this id or payment.
    case noSuchPurchase
    /// The user can spend fewer coins than requested. A user in debt can spend none.
    case insufficientCoins(required: Int64, available: Int64)
    /// The expiry of the coins to grant is in the past.
    case alreadyExpired
    /// The user has no hold with this id.
    case noSuchHold
    /// The hold is closed.
    case holdClosed(Hold.Status)
    /// The hold has expired. Its coins will be released to the wallet.
    case holdExpired
    /// The hold has fewer coins left than requested.
    case exceedsHold(required: Int64, available: Int64)
    /// The user has no refund with this id.
    case noSuchRefund
    /// The refund is not an approved one: it is paid or reversed, or the gateway returns its money.
    case refundNotApproved(Refund.Status)
    /// The refund was not paid by bank transfer, or was repaid before.
    case refundNotPaid(Refund.Status)
    /// The user owes fewer coins than the payment or write-off has.
    case exceedsDebt(required: Int64, available: Int64)
    /// No refundable coins of the purchase are left.
    case nothingToRefund
    /// Fewer coins of the purchase can be refunded than requested.
    case exceedsRefundable(required: Int64, available: Int64)
    /// The user has no spend or capture with this id.
    case noSuchRedemption
    /// All coins of the spend or capture came back before.
    case alreadyReversed
    /// Fewer coins of the spend or capture can come back than requested.
    case exceedsRedemption(required: Int64, available: Int64)
    /// The purchase has no dispute with this id.
    case noSuchDispute
    /// The dispute was won or lost before.
    case disputeDecided(Dispute.Status)
    /// What the lost dispute took can't come back.
    ///
    /// The coins that paid its debt have no place in the purchase's lots, or another dispute of the purchase is booked as
    /// lost.
    case disputeNotReversible
    /// The coins lie in more lots than one act may change (``LotLimits/act``).
    ///
    /// `available` coins can be moved in one act, and then the rest in further ones.
    case tooManyLots(required: Int64, available: Int64, limit: Int64)
    /// An account's totals have reached their limit.
    case accountFull
    /// Another refund of the purchase waits for the gateway.
    case refundInProgress
    /// What the act is about, such as the quote of a refund, is not as the person saw it who decided by it.
    case changedMeanwhile
    /// With what was done to the same object before, it is more than one person may do alone.
    case exceedsOwnLimit(required: Int64, available: Int64)
    /// The user owes this many coins. Nothing is refunded until they are paid.
    case userInDebt(Int64)

    /// The claim on the provider has fewer won than are paid back.
    case exceedsClaim(required: Int64, available: Int64)
    /// There is no payout with this id.
    case noSuchPayout
    /// Only an approved payout is paid.
    case payoutNotApproved(Payout.Status)
    /// The bank's payment is dated in the future, before the cut-off of the payout, or before what it pays was owed.
    case implausiblePaymentDate

    /// The month of the adjustment is not over.
    case monthNotOver
    /// The month of the adjustment is closed: the books are closed until this moment.
    case monthClosed(until: Date)
    /// A later month is adjusted.
    case monthAdjusted
    /// No policy asks for the adjustment.
    case noAccountingPolicy
    /// A policy was set while the adjustment was computed.
    case policyChanged

    /// Another settlement file already booked the payout of this payment on this day.
    case alreadySettled
    /// Other settlement files booked different payouts of this payment on this day.
    case settledOtherwise
    /// The payouts of the payment, or the deductions for its refunds, would exceed the amount paid.
    case exceedsPayment
    /// The payout can't be true.
    case implausiblePayout(SettlementFault)

    /// Whether the same act will always be refused.
    ///
    /// A temporary refusal is not recorded under the idempotency key, so the key can be used again.
    var isDefinite: Bool {
        switch self {
        case .refundInProgress, .accountFull, .payoutNotApproved, .implausiblePaymentDate, .monthNotOver,
            .noAccountingPolicy, .policyChanged, .exceedsClaim, .refundNotPaid(.approved), .tooManyLots:
            false
        default: true
        }
    }
}

/// What is wrong with a payout.
///
/// The raw value is stored with its settlement line.
package enum SettlementFault: String, Sendable, Codable {
    /// The payout is dated more than a week in the future.
    case paidOutInFuture = "paid_out_in_future"
    /// The payout is dated before the payment.
    case paidOutBeforePayment = "paid_out_before_payment"
    /// The gateway's fee exceeds the gross amount.
    case feeExceedsGross = "fee_exceeds_gross"
}
