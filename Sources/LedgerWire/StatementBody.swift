public import Foundation

/// One act on a user's coins.
public struct StatementEntryBody: Codable, Hashable, Sendable {
    /// The journal entry.
    public let journalEntryID: Int64
    /// What was done, such as `purchase`, `spend` or `hold`.
    public let kind: String
    /// What it was about, such as `purchase:4097`.
    public let reference: String
    /// Why it was done.
    public let reason: String?
    /// By how many coins the total changed; negative where coins left.
    public let coins: Int64
    /// The total after it, in coins.
    public let balance: Int64
    /// What it did to each of the user's accounts.
    public let movements: [MovementBody]
    /// When it happened.
    public let effectiveAt: Date
    /// When it was written down.
    public let recordedAt: Date

    /// What an act did to one account.
    public struct MovementBody: Codable, Hashable, Sendable {
        /// `paid`, `bonus`, `held_paid`, `held_bonus` or `debt`.
        public let account: String
        /// By how many coins the account changed; positive where it gained.
        public let coins: Int64
        /// The account's balance after it, in coins.
        public let balance: Int64

        /// Creates a movement of its members.
        public init(account: String, coins: Int64, balance: Int64) {
            self.account = account
            self.coins = coins
            self.balance = balance
        }
    }

    private enum CodingKeys: String, CodingKey {
        case kind, reference, reason, coins, balance, movements
        case journalEntryID = "journal_entry_id"
        case effectiveAt = "effective_at"
        case recordedAt = "recorded_at"
    }

    /// Creates an entry of its members.
    public init(
        journalEntryID: Int64, kind: String, reference: String, reason: String?, coins: Int64, balance: Int64,
        movements: [MovementBody], effectiveAt: Date, recordedAt: Date
    ) {
        self.journalEntryID = journalEntryID
        self.kind = kind
        self.reference = reference
        self.reason = reason
        self.coins = coins
        self.balance = balance
        self.movements = movements
        self.effectiveAt = effectiveAt
        self.recordedAt = recordedAt
    }
}

extension StatementEntryBody: ListedBody {
    /// `entries`.
    public static let listName = "entries"
}
