package import Foundation

/// Coins that came together and leave in order.
package struct Lot: Sendable, Equatable, Identifiable {
    /// Our id of it.
    package let id: Int64
    let stripe: Stripe
    /// Whose coins they are.
    package let user: UserID
    /// Whether they were bought or given.
    package let kind: LotKind
    /// How many came.
    package let coins: Int64
    /// What they were bought for, in won; 0 for given ones.
    package let amount: Int64
    /// When they came.
    package let acquiredAt: Date
    /// When what is left of them expires; nil: never.
    package let expiresAt: Date?
    /// The purchase they came of; nil: they were given without one.
    package let purchaseID: Int64?
    /// Who gave the coins, if it was told.
    package let issuer: String?
    let journalEntryID: Int64
    /// How many are in the wallet.
    package internal(set) var remaining: Int64
    /// How many are set aside for someone: still the user's.
    package internal(set) var held: Int64 = 0
    /// What of the amount is not yet recognised as revenue, nor given back.
    package internal(set) var deferred: Int64
    /// How many expired and were not taken back since.
    var expired: Int64 = 0
    /// What was recognised as revenue for those.
    var breakage: Int64 = 0
    /// When coins that were set aside last came back to the wallet; nil: never.
    var returnedAt: Date?
    /// The number of its last movement.
    var seq: Int64 = 0
}

/// Whether coins were bought or given.
///
/// Unused bought coins are a liability, given ones are not.
package enum LotKind: String, Sendable, Codable, CaseIterable {
    /// They were bought.
    case paid
    /// They were given.
    case bonus
}

extension Lot {
    /// A new lot, all of it there and none of it recognised.
    init(
        id: Int64, stripe: Stripe, user: UserID, kind: LotKind, coins: Int64, amount: Int64, acquiredAt: Date,
        expiresAt: Date?, purchaseID: Int64?, issuer: String? = nil, journalEntryID: Int64
    ) {
        self.init(
            id: id, stripe: stripe, user: user, kind: kind, coins: coins, amount: amount, acquiredAt: acquiredAt,
            expiresAt: expiresAt, purchaseID: purchaseID, issuer: issuer, journalEntryID: journalEntryID,
            remaining: coins, deferred: amount)
    }

    func isExpired(at moment: Date) -> Bool { expiresAt.map { $0 <= moment } ?? false }
}

// MARK: - What happens to a lot's coins

extension Lot {
    /// What so many of the coins that are left were bought for: their part of what is still deferred, rounded down, so
    /// that it never runs out early, and all of it for the last of them.
    ///
    /// However a lot is split, its parts add up to its amount.
    func won(of coins: Int64) -> Int64 {
        let left = remaining + held
        precondition((0...left).contains(coins), "a lot can't lose coins that it does not have")
        guard left > 0 else { return 0 }
        let (high, low) = deferred.multipliedFullWidth(by: coins)
        return left.dividingFullWidth((high, low)).quotient
    }

    /// Takes coins out of the wallet, for good.
    ///
    /// - Returns: the won they were bought for.
    mutating func take(_ coins: Int64) -> Int64 {
        let won = won(of: coins)
        remaining -= coins
        deferred -= won
        return won
    }

    /// Takes coins out of the wallet because their time is up.
    ///
    /// - Returns: the won they were bought for.
    mutating func expire(_ coins: Int64) -> Int64 {
        let won = take(coins)
        expired += coins
        breakage += won
        return won
    }

    /// Sets coins of the wallet aside.
    mutating func hold(_ coins: Int64) {
        remaining -= coins
        held += coins
    }

    /// Gives coins that were set aside back to the wallet.
    mutating func release(_ coins: Int64, at moment: Date) {
        held -= coins
        remaining += coins
        returnedAt = moment
    }

    /// Takes coins that were set aside, for good.
    ///
    /// - Returns: the won they were bought for.
    mutating func capture(_ coins: Int64) -> Int64 {
        let won = won(of: coins)
        held -= coins
        deferred -= won
        return won
    }
}

/// Coins of one lot that an act used.
package struct LotUse: Sendable, Equatable, Codable {
    /// The lot.
    package let lotID: Int64
    /// Whether its coins were bought or given.
    package let kind: LotKind
    /// How many of them.
    package let coins: Int64
    /// The won they were bought for, as far as the act recognised it; 0 where the coins stay the user's.
    package let amount: Int64
}

extension Sequence<LotUse> {
    func coins(_ kind: LotKind) -> Int64 { reduce(0) { $0 + ($1.kind == kind ? $1.coins : 0) } }

    var amount: Int64 { reduce(0) { $0 + $1.amount } }
}
