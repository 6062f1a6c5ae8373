import Crypto
public import Foundation

/// Gives a user bonus coins.
///
/// ```
/// Dr coins:promotions  coins / Cr wallet:<user>:bonus  coins
/// ```
public struct Grant: Sendable, Equatable {
    /// The caller's key: the same key again is answered with the first outcome.
    public let idempotencyKey: IdempotencyKey
    /// Who gets the coins.
    public let user: UserID
    /// How many.
    public let coins: Coins
    /// Why, for people.
    public let reason: String
    /// When unused coins expire; nil: never.
    public let expiresAt: Date?

    /// A grant to make.
    public init(idempotencyKey: IdempotencyKey, user: UserID, coins: Coins, reason: String, expiresAt: Date? = nil) {
        self.idempotencyKey = idempotencyKey
        self.user = user
        self.coins = coins
        self.reason = reason
        self.expiresAt = expiresAt
    }

    /// Tells this grant's content from another's under the same key.
    var fingerprint: String {
        let expiry = expiresAt.map { String(Int64(($0.timeIntervalSince1970 * 1000).rounded())) } ?? "never"
        // Length-prefixed, so that no two contents run together into one text.
        let parts = ["grant", user.rawValue, String(coins.count), reason, expiry]
        let text = parts.map { "\($0.utf8.count):\($0)" }.joined()
        return SHA256.hash(data: Data(text.utf8)).hex
    }
}

/// A caller's name for one act, by which a repeated request finds the first one's outcome.
public struct IdempotencyKey: RawRepresentable, Hashable, Sendable {
    /// 1 to 255 printable ASCII characters.
    public let rawValue: String

    /// Takes a caller's key.
    ///
    /// - Returns: nil when it is empty, longer than 255 characters, or holds anything but printable ASCII.
    public init?(rawValue: String) {
        guard (1...255).contains(rawValue.utf8.count) else { return nil }
        guard rawValue.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else { return nil }
        self.rawValue = rawValue
    }
}
