public import Foundation

/// A request to grant coins.
public struct GrantRequest: Codable, Hashable, Sendable {
    /// The number of coins.
    public var coins: Member.Amount
    /// The reason.
    public var reason: Member.Text
    /// Who grants the coins; nil: the caller.
    public var issuer: Member.Text?
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

/// A grant and the user's balance after it.
public struct GrantBody: Codable, Hashable, Sendable {
    /// The posted grant.
    public let grant: Act
    /// The user's balance after the act.
    public let balance: BalanceBody

    /// The posted grant.
    public struct Act: Codable, Hashable, Sendable {
        /// The id of the journal entry.
        public let journalEntryID: Member.ID
        /// The id of the lot of the coins.
        public let lotID: Member.ID
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
