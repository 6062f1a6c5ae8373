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
}
