import Foundation

/// Coins that came together and leave in order.
struct Lot: Sendable, Equatable, Identifiable {
    /// Whether the coins were bought or given.
    ///
    /// Unused bought coins are a liability, given ones are not.
    enum Kind: String, Sendable {
        case paid
        case bonus
    }

    let id: Int64
    let stripe: Stripe
    let user: UserID
    let kind: Kind
    let coins: Int64
    /// What the coins were bought for, in won; 0 for given ones.
    let amount: Int64
    let acquiredAt: Date
    let expiresAt: Date?
    let purchaseID: Int64?
    let journalEntryID: Int64
    /// Coins that have not left yet.
    var remaining: Int64
    /// What of the amount is not yet recognised as revenue.
    var deferred: Int64
}

extension Lot {
    /// A new lot, all of it there and none of it recognised.
    init(
        id: Int64, stripe: Stripe, user: UserID, kind: Kind, coins: Int64, amount: Int64, acquiredAt: Date,
        expiresAt: Date?, purchaseID: Int64?, journalEntryID: Int64
    ) {
        self.init(
            id: id, stripe: stripe, user: user, kind: kind, coins: coins, amount: amount, acquiredAt: acquiredAt,
            expiresAt: expiresAt, purchaseID: purchaseID, journalEntryID: journalEntryID, remaining: coins,
            deferred: amount)
    }
}
