/// Why the ledger will not do what an act asks.
package enum Refusal: Sendable, Equatable, Codable {
    /// The payment was credited to another user.
    case paymentBelongsToAnotherUser
    /// Another payment with the same `merchant_uid` was credited.
    case merchantUIDAlreadyCredited
    /// The payment was credited under another `merchant_uid`.
    case paymentHasAnotherMerchantUID
    /// The idempotency key was used for another act or other content.
    case idempotencyKeyReused
    /// The user has no such purchase.
    case noSuchPurchase
    /// The user has fewer coins to spend than asked for: none while there is debt.
    case insufficientCoins(required: Int64, available: Int64)
    /// The coins to be given would have expired before they came.
    case alreadyExpired
    /// The user has no such hold.
    case noSuchHold
    /// Nothing is set aside any more.
    case holdClosed(Hold.Status)
    /// The hold's time is up: what it sets aside is on its way back to the wallet.
    case holdExpired
    /// Fewer coins are set aside than asked for.
    case exceedsHold(required: Int64, available: Int64)
    /// The user has no such refund.
    case noSuchRefund
    /// No coins of the purchase are left that are worth something.
    case nothingToRefund
    /// Fewer of the purchase's coins can be given back than asked for.
    case exceedsRefundable(required: Int64, available: Int64)
    /// An account's totals have grown so large that nothing more is added to them.
    case accountFull
    /// Another refund of the purchase waits for the gateway.
    case refundInProgress
    /// The user owes so many coins: no money is given back before they are paid off.
    case userInDebt(Int64)

    /// The payout of this payment on this day is booked from another settlement file.
    case alreadySettled
    /// Other settlement files book payouts of this payment on this day, and do not agree with this one on which.
    case settledOtherwise
    /// More would have been paid out of the payment, or kept back for refunds of it, than was paid.
    case exceedsPayment
    /// The payout is not one that can have been.
    case implausiblePayout(PayoutFault)

    /// Whether the same act is refused for good.
    ///
    /// One that is only refused for now is not recorded under its key, which may be used again.
    var isDefinite: Bool { self != .refundInProgress && self != .accountFull }
}

/// What of a payout can't be true, under the name that is kept with its line.
package enum PayoutFault: String, Sendable, Codable {
    /// It lies more than a week ahead.
    case paidOutInFuture = "paid_out_in_future"
    /// It was paid out on a day before the payment.
    case paidOutBeforePayment = "paid_out_before_payment"
    /// The gateway kept more than there was to pay out.
    case feeExceedsGross = "fee_exceeds_gross"
}
