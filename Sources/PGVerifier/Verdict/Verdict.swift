/// The decision on a receipt.
package enum Verdict: Hashable, Sendable {
    /// The payment is valid: credit the purchase.
    case credit(Credit)
    /// The payment was credited to this user before: return the same purchase in its current state.
    case alreadyCredited
    /// Not decided yet: ask again later.
    case wait(WaitReason)
    /// The payment will not be credited.
    case refuse(RefusalReason)

    /// The purchased item and its payment.
    package struct Credit: Hashable, Sendable {
        /// The seller's key of the item: ``Offer/id``, or ``ExpectedOrder/offerID``.
        package let offerID: Int64

        /// The gateway's payment.
        package let payment: GatewayPayment
    }
}

/// Why a receipt is not decided yet.
///
/// The raw values are stable names.
package enum WaitReason: String, Hashable, Sendable, CaseIterable {
    /// The gateway waits for the buyer, for example with a virtual account.
    case awaitingPayment = "awaiting_payment"
    /// The gateway reports a status this version doesn't know.
    case unknownStatus = "unknown_status"
    /// The payment is made, and its cancellation is pending at the gateway.
    case cancellationPending = "cancellation_pending"
    /// The payment was presented before it was paid: other users can still present it.
    case claimPending = "claim_pending"
    /// A store sold a product of which nobody has said what it is of ours.
    case unknownStoreProduct = "unknown_store_product"
    /// It was paid in a currency that has no rate, or whose rate of the payment can still change: its worth is none that the books
    /// can have.
    case priceNotBookable = "price_not_bookable"
    /// Its worth is none that the books can have, and no rate to come changes that: a person decides.
    case worthOutOfRange = "worth_out_of_range"
    /// The gateway is unavailable, or its response is unusable.
    case gatewayUnavailable = "gateway_unavailable"
}

/// Why a receipt is refused.
///
/// The raw values are stable problem codes.
package enum RefusalReason: String, Hashable, Sendable, CaseIterable {
    /// The gateway does not know the payment, or hides it because it is a test payment.
    case paymentNotFound = "payment_not_found"
    /// The payment failed.
    case paymentFailed = "payment_failed"
    /// The whole payment was cancelled.
    case paymentCancelled = "payment_cancelled"
    /// A part of the payment was cancelled.
    case paymentPartiallyCancelled = "payment_partially_cancelled"
    /// The payment belongs to another order.
    case merchantUIDMismatch = "merchant_uid_mismatch"
    /// No product has this price.
    case amountMismatch = "amount_mismatch"
    /// The currency is wrong.
    case currencyMismatch = "currency_mismatch"
    /// The payment went through the gateway's test channel.
    case testPayment = "test_payment"
    /// The payment is credited to another user.
    case receiptBelongsToAnotherUser = "receipt_belongs_to_another_user"
    /// No order exists under the payment's `merchant_uid`.
    case orderNotFound = "order_not_found"
    /// Another user made the order.
    case orderBelongsToAnotherUser = "order_belongs_to_another_user"
    /// Another payment was credited for the order: refund this one.
    case orderAlreadyCredited = "order_already_credited"
    /// The payment was started and made after the order expired: refund it.
    case orderExpired = "order_expired"
    /// A store's purchase is of another environment than what was presented of it, or of one that is not accepted.
    case environmentMismatch = "environment_mismatch"
    /// Somebody else bought it in a store, and shares it with the family.
    case familyShared = "family_shared"
}
