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
    /// There is no grant with this id.
    case noSuchGrant
    /// The user's wallet has fewer coins of the grant than are to be voided; none that can be used, if their time is up.
    ///
    /// `held` more are on hold: they can be voided when their hold has ended.
    case exceedsGrant(required: Int64, available: Int64, held: Int64)
    /// The user can spend fewer coins than requested. A user in debt can spend none.
    case insufficientCoins(required: Int64, available: Int64)
    /// There is no campaign with this id.
    case noSuchCampaign
    /// The campaign has no coins for the user: none are reserved, or it was voided.
    case campaignClosed
    /// Somebody would give coins to themselves.
    case giftToOneself
    /// No user with this id ever had coins.
    case unknownReceiver
    /// The user can give away fewer coins than requested: of the kinds, and from the gateways, that the settings allow.
    case exceedsGiveable(required: Int64, available: Int64)
    /// The giver would give, or the receiver get, more coins on a day than the settings allow.
    case giftLimitExceeded(required: Int64, available: Int64)
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
    /// Fewer coins than are to come back have a place in their lots, which never have more than was sold or given.
    ///
    /// Used coins have lost their place to those that paid for them: a lost dispute that is won brings these back. They have
    /// one when coins of the lot are used again.
    case noPlaceForCoins(required: Int64, available: Int64)
    /// The user has no spend or capture with this id of several.
    case noSuchRedemptionOf(entry: Int64)
    /// All coins of this spend or capture of several came back before.
    case redemptionAlreadyReversed(entry: Int64)
    /// The spend or capture took no coins of the purchase, or none of them is left.
    case redemptionOfOtherPurchase(entry: Int64)
    /// The buyer disputes the purchase's payment, so the gateway may take the money back besides.
    case purchaseDisputed
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
    /// The user was forgotten.
    case userForgotten
    /// Another refund of the purchase waits for the gateway.
    case refundInProgress
    /// The purchase was paid in a foreign currency: it is refunded by its gateway and not by bank transfer, and at a store by the
    /// store alone.
    case refundInForeignCurrency
    /// What the act is about, such as the quote of a refund, is not as the person saw it who decided by it.
    case changedMeanwhile
    /// With what was done to the same object before, it is more than one person may do alone.
    case exceedsOwnLimit(required: Int64, available: Int64)
    /// The user owes this many coins. Nothing is refunded until they are paid.
    case userInDebt(Int64)

    /// The id refers to another user, into whom this one was merged.
    case userMerged(into: UserID)
    /// The id of whom a gift is for refers to another user, whom the giver may not mean.
    case receiverMerged(into: UserID)
    /// A user is to be merged into itself.
    case mergeIntoItself
    /// Nothing is known of this user.
    case unknownUser(UserID)
    /// The new id of a user belongs to somebody.
    case userExists(UserID)
    /// A charge of the user's card is under way, of which the outcome is not known.
    case topUpInProgress
    /// The user has more purchases, holds and orders than a merge moves at once (``LotLimits/mergedRecords``).
    case tooManyRecords(limit: Int64)
    /// One of the users waits to be forgotten: nobody decides for the other by a merge.
    case forgettingWaits

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
    /// This is the last month that is adjusted, such as `2026-03`; nil: of a refusal that was recorded without it.
    case monthAdjusted(last: String?)
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
    /// The payment is in a foreign currency, and the line in won.
    case settledInForeignCurrency
    /// The payout can't be true.
    case implausiblePayout(SettlementFault)

    /// Whether the same act will always be refused.
    ///
    /// A temporary refusal is not recorded under the idempotency key, so the key can be used again.
    var isDefinite: Bool { row.isDefinite }
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
    /// The won of a payment in a foreign currency are less than half or more than double of its worth at the rate of the payment.
    case rateImplausible = "rate_implausible"
}
