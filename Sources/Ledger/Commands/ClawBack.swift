public import Foundation

/// Takes back the coins of a purchase whose payment was cancelled at the gateway, whole or in part, without our asking.
///
/// ```
/// Dr wallet:<user>:paid   unspent  / Cr coins:issued        coins
/// Dr coins:expired        expired  / Cr coins:promotions    bonus
/// Dr wallet:<user>:bonus  bonus
/// Dr wallet:<user>:paid   charged for used bonus coins
/// Dr debt:<user>          spent
/// Dr coins:deferred-revenue  unrecognised  / Cr gateway:receivable  amount
/// Dr revenue:breakage        recognised for expired coins
/// Dr revenue:coins           recognised for spent ones
/// ```
/// Then the debt is paid out of whatever coins the user can use.
///
/// The total cancelled at the gateway is the key: the same total again finds nothing left to take back.
public struct ClawBack: Sendable, Equatable {
    /// The purchase's user.
    public let user: UserID
    /// The payment at the gateway.
    public let payment: PaymentIdentity
    /// What of the payment is cancelled in all, in minor units of its currency.
    public let cancelledAmount: Int64
    /// When the gateway cancelled what was not taken back before, if it said so.
    public let cancelledAt: Date?
    /// What becomes of bonus coins that were used.
    public let usedBonus: UsedBonus

    /// A cancellation to follow.
    public init(
        user: UserID, payment: PaymentIdentity, cancelledAmount: Int64, cancelledAt: Date? = nil,
        usedBonus: UsedBonus = .charge
    ) {
        self.user = user
        self.payment = payment
        self.cancelledAmount = cancelledAmount
        self.cancelledAt = cancelledAt
        self.usedBonus = usedBonus
    }
}
