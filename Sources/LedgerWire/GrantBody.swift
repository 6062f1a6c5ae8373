public import Foundation

/// A request to grant coins.
public struct GrantRequest: Codable, Hashable, Sendable {
    /// The number of coins, at least 1.
    public var coins: Int64
    /// The reason.
    public var reason: String
    /// Who grants the coins; nil: the caller.
    public var issuer: String?
    /// When the remaining coins expire; nil: never.
    public var expiresAt: Date?

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case coins, reason, issuer
        case expiresAt = "expires_at"
    }

    /// Creates a request to grant coins.
    public init(coins: Int64, reason: String, issuer: String? = nil, expiresAt: Date? = nil) {
        self.coins = coins
        self.reason = reason
        self.issuer = issuer
        self.expiresAt = expiresAt
    }
}

/// The response to a grant.
public struct GrantBody: Codable, Hashable, Sendable {
    /// The act.
    public let grant: Act
    /// The user's balance after the act.
    public let balance: BalanceBody

    /// The posted grant.
    public struct Act: Codable, Hashable, Sendable {
        /// The journal entry.
        public let journalEntryID: Int64
        /// The lot of the coins.
        public let lotID: Int64
        /// The number of coins.
        public let coins: Int64

        private enum CodingKeys: String, CodingKey {
            case coins
            case journalEntryID = "journal_entry_id"
            case lotID = "lot_id"
        }

        /// Creates a grant.
        public init(journalEntryID: Int64, lotID: Int64, coins: Int64) {
            self.journalEntryID = journalEntryID
            self.lotID = lotID
            self.coins = coins
        }
    }

    /// Creates the response to a grant.
    public init(grant: Act, balance: BalanceBody) {
        self.grant = grant
        self.balance = balance
    }
}
