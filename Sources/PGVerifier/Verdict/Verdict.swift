/// What is to be done about a receipt.
package enum Verdict: Hashable, Sendable {
    /// The payment is good: credit what was bought.
    case credit(Credit)
    /// The payment was credited to this user before: answer with the same purchase, whatever became of it since.
    case alreadyCredited
    /// Nothing can be said yet: ask again later.
    case wait(WaitReason)
    /// The payment will not be credited.
    case refuse(RefusalReason)

    /// What was bought, and the payment that proves it.
    package struct Credit: Hashable, Sendable {
        /// The seller's key of what was paid for: ``Offer/id``, or ``ExpectedOrder/offerID``.
        package let offerID: Int64

        /// The gateway's answer.
        package let payment: GatewayPayment
    }
}

/// Why a receipt can't be judged yet.
///
/// The raw values are stable names.
package enum WaitReason: String, Hashable, Sendable, CaseIterable {
    /// The gateway still waits for the buyer, as with a virtual account.
    case awaitingPayment = "awaiting_payment"
    /// The gateway reports a status this version doesn't know.
    case unknownStatus = "unknown_status"
    /// The payment is made, and its cancellation is under way at the gateway.
    case cancellationPending = "cancellation_pending"
    /// The payment is made, and was presented before: others may still say that it is theirs.
    case claimPending = "claim_pending"
    /// The gateway couldn't be asked, or its answer can't be used.
    case gatewayUnavailable = "gateway_unavailable"
}

/// Why a receipt is refused.
///
/// The raw values are stable problem codes.
package enum RefusalReason: String, Hashable, Sendable, CaseIterable {
    /// The gateway knows no such payment (or hides it: a test payment looks the same).
    case paymentNotFound = "payment_not_found"
    /// The payment failed.
    case paymentFailed = "payment_failed"
    /// The payment was cancelled whole.
    case paymentCancelled = "payment_cancelled"
    /// The payment was cancelled in part.
    case paymentPartiallyCancelled = "payment_partially_cancelled"
    /// The payment is for another order than the client says.
    case merchantUIDMismatch = "merchant_uid_mismatch"
    /// The amount is nobody's price.
    case amountMismatch = "amount_mismatch"
    /// The amount is right, in another currency.
    case currencyMismatch = "currency_mismatch"
    /// The payment went through the gateway's test channel.
    case testPayment = "test_payment"
    /// The payment is credited to somebody else.
    case receiptBelongsToAnotherUser = "receipt_belongs_to_another_user"
    /// No order was made under the payment's `merchant_uid`.
    case orderNotFound = "order_not_found"
    /// Somebody else made the order.
    case orderBelongsToAnotherUser = "order_belongs_to_another_user"
    /// The order was credited by another payment: this one is to be given back.
    case orderAlreadyCredited = "order_already_credited"
    /// The payment was begun and made after the order had expired: it is to be given back.
    case orderExpired = "order_expired"
}
