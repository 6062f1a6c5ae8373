/// Why the ledger will not do what a command asks.
public enum Refusal: Sendable, Equatable, Codable {
    /// The payment was credited to another user.
    case paymentBelongsToAnotherUser
    /// Another payment with the same `merchant_uid` was credited.
    case merchantUIDAlreadyCredited
    /// The payment was credited under another `merchant_uid`.
    case paymentHasAnotherMerchantUID
    /// The idempotency key was used for another command or other content.
    case idempotencyKeyReused
    /// The user has no such purchase.
    case noSuchPurchase
    /// The user has fewer coins to spend than asked for: none while there is debt.
    case insufficientCoins(required: Int64, available: Int64)
    /// The user has no such hold.
    case noSuchHold
    /// Nothing is set aside any more.
    case holdClosed(Hold.Status)
    /// The hold's time is up: what it sets aside is on its way back to the wallet.
    case holdExpired
    /// Fewer coins are set aside than asked for.
    case exceedsHold(required: Int64, available: Int64)
    /// The payout of this payment on this day is booked from another statement.
    case alreadySettled
    /// More would have been paid out of the payment than was paid.
    case exceedsPayment
}
