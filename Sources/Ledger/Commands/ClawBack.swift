/// Takes back the coins of a purchase whose payment was cancelled at the gateway, whole or in part, without our asking.
///
/// ```
/// Dr wallet:<user>:paid   unspent  / Cr coins:issued        coins
/// Dr coins:expired        expired
/// Dr debt:<user>          spent
/// Dr wallet:<user>:bonus  bonus    / Cr coins:promotions    bonus
/// Dr coins:deferred-revenue  unrecognised  / Cr gateway:receivable  amount
/// Dr revenue:breakage        recognised for expired coins
/// Dr revenue:coins           recognised for spent ones
/// ```
/// The total cancelled at the gateway is the key: the same total again finds nothing left to take back.
public struct ClawBack: Sendable, Equatable {
    /// The purchase's user.
    public let user: UserID
    /// The payment at the gateway.
    public let payment: PaymentIdentity
    /// What of the payment is cancelled in all, in minor units of its currency.
    public let cancelledAmount: Int64

    /// A cancellation to follow.
    public init(user: UserID, payment: PaymentIdentity, cancelledAmount: Int64) {
        self.user = user
        self.payment = payment
        self.cancelledAmount = cancelledAmount
    }
}
