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

/// A void of a grant.
public struct VoidGrantRequest: Codable, Hashable, Sendable {
    /// The coins to void; nil: all that are in the wallet.
    ///
    /// - Null: refused
    public var coins: Member.Amount?
    /// The reason.
    public var reason: Member.Text

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable { case coins, reason }

    /// Creates a request.
    public init(coins: Int64? = nil, reason: String) {
        self.coins = coins
        self.reason = reason
    }
}

/// A void of a grant and the user's balance after it.
public struct VoidedGrantBody: Codable, Hashable, Sendable {
    /// The posted void.
    public let void: Act
    /// The user's balance after the act.
    public let balance: BalanceBody

    /// The posted void.
    public struct Act: Codable, Hashable, Sendable {
        /// The id of the journal entry.
        public let journalEntryID: Member.ID
        /// The id of the grant's journal entry.
        public let reverses: Member.ID
        /// The id of the lot of the coins.
        public let lotID: Member.ID
        /// The coins that were voided.
        public let coins: Int64
        /// The coins of the grant that stay in the wallet.
        public let left: Int64
        /// The coins of the grant that are on hold, and were not voided.
        public let held: Int64
        /// The reason.
        public let reason: String

        private enum CodingKeys: String, CodingKey {
            case reverses, coins, left, held, reason
            case journalEntryID = "journal_entry_id"
            case lotID = "lot_id"
        }

        /// Creates it from its members.
        public init(
            journalEntryID: Int64, reverses: Int64, lotID: Int64, coins: Int64, left: Int64, held: Int64, reason: String
        ) {
            self.journalEntryID = journalEntryID
            self.reverses = reverses
            self.lotID = lotID
            self.coins = coins
            self.left = left
            self.held = held
            self.reason = reason
        }
    }

    /// Creates it from its members.
    public init(void: Act, balance: BalanceBody) {
        self.void = void
        self.balance = balance
    }
}
