public import Foundation

/// A statement entry: one act on a user's coins.
public struct StatementEntryBody: Codable, Hashable, Sendable {
    /// The id of the journal entry.
    public let journalEntryID: Member.ID
    /// The kind of act.
    public let kind: String
    /// What the act refers to, such as `purchase:4097`.
    public let reference: String
    /// The reason.
    public let reason: String?
    /// The change of the total, in coins; negative for a loss.
    public let coins: Int64
    /// The total after the act, in coins.
    public let balance: Int64
    /// The effect on each account of the user.
    public let movements: [MovementBody]
    /// When it happened.
    public let effectiveAt: Date
    /// When it was recorded.
    public let recordedAt: Date
    /// The id that the user had then, whose accounts these are; nil: the present one.
    public let formerID: String?

    /// The effect of an act on one account of the user.
    public struct MovementBody: Codable, Hashable, Sendable {
        /// The account.
        ///
        /// - Values: `paid`, `bonus`, `held_paid`, `held_bonus`, `debt`
        public let account: String
        /// The change of the account, in coins; positive for a gain.
        public let coins: Int64
        /// The account's balance after the act, in coins.
        public let balance: Int64

        /// Creates a movement.
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
        case formerID = "former_id"
    }

    /// Creates an entry.
    public init(
        journalEntryID: Int64, kind: String, reference: String, reason: String?, coins: Int64, balance: Int64,
        movements: [MovementBody], effectiveAt: Date, recordedAt: Date, formerID: String? = nil
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
        self.formerID = formerID
    }
}

extension StatementEntryBody: ListedBody {
    /// `entries`.
    public static let listName = "entries"
}
