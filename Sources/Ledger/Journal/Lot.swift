import Foundation

/// Coins that came together and leave in order.
struct Lot: Sendable, Equatable {
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
}
