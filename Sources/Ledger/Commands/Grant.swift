public import Foundation

/// Gives a user bonus coins.
///
/// ```
/// Dr coins:promotions  coins / Cr wallet:<user>:bonus  coins
/// ```
/// Coins that the user owes are paid off first: see ``CreditPurchase``.
public struct Grant: Sendable, Equatable, KeyedCommand {
    /// The caller's key: the same key again is answered with the first outcome.
    public let idempotencyKey: IdempotencyKey
    /// Who gets the coins.
    public let user: UserID
    /// How many.
    public let coins: Coins
    /// Why, for people.
    public let reason: String
    /// Who gives them: a campaign, a department.
    public let issuer: String?
    /// When unused coins expire; nil: never.
    public let expiresAt: Date?

    /// A grant to make.
    public init(
        idempotencyKey: IdempotencyKey, user: UserID, coins: Coins, reason: String, issuer: String? = nil,
        expiresAt: Date? = nil
    ) {
        self.idempotencyKey = idempotencyKey
        self.user = user
        self.coins = coins
        self.reason = reason
        self.issuer = issuer
        self.expiresAt = expiresAt
    }

    static let name = "grant"

    var fingerprint: Fingerprint {
        Fingerprint(
            Self.name, user.rawValue, String(coins.count), reason, issuer,
            expiresAt.map { String($0.microsecondsSince1970) })
    }
}
