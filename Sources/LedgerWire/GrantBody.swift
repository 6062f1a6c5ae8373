public import Foundation

/// What a service gives a user.
public struct GrantRequest: Encodable, Hashable, Sendable {
    /// How many coins, 1 at least.
    public var coins: Int64
    /// Why they are given.
    public var reason: String
    /// Who gives them; nil: the service itself.
    public var issuer: String?
    /// When what is left of them expires; nil: never.
    public var expiresAt: Date?

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case coins, reason, issuer
        case expiresAt = "expires_at"
    }

    /// Gives coins.
    public init(coins: Int64, reason: String, issuer: String? = nil, expiresAt: Date? = nil) {
        self.coins = coins
        self.reason = reason
        self.issuer = issuer
        self.expiresAt = expiresAt
    }
}

/// Coins that were given, and what there is now.
public struct GrantBody: Codable, Hashable, Sendable {
    /// What was done.
    public let grant: Act
    /// What the user has after it.
    public let balance: BalanceBody

    /// A grant as the books have it.
    public struct Act: Codable, Hashable, Sendable {
        /// The journal entry that gave them.
        public let journalEntryID: Int64
        /// The lot that they are.
        public let lotID: Int64
        /// How many coins.
        public let coins: Int64

        private enum CodingKeys: String, CodingKey {
            case coins
            case journalEntryID = "journal_entry_id"
            case lotID = "lot_id"
        }

        /// Creates a grant of its members.
        public init(journalEntryID: Int64, lotID: Int64, coins: Int64) {
            self.journalEntryID = journalEntryID
            self.lotID = lotID
            self.coins = coins
        }
    }

    /// Creates the answer to a grant.
    public init(grant: Act, balance: BalanceBody) {
        self.grant = grant
        self.balance = balance
    }
}
