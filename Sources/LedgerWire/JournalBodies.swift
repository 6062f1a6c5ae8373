public import Foundation

/// A page of the postings of an account, newest first.
public struct AccountStatementBody: Codable, Hashable, Sendable {
    /// The account's name, such as `coins:issued/3`.
    public let account: String
    /// `KRW`, `COIN`, or another currency's ISO 4217 code.
    public let currency: String
    /// The side that increases the balance: `debit` or `credit`.
    public let normalSide: String
    /// The balance now, on the normal side, in minor units of the currency.
    public let balance: Int64
    /// The postings.
    public let postings: [PostingBody]
    /// Whether there are further pages.
    public let hasMore: Bool
    /// Where the next page starts; nil on the last one.
    public let nextCursor: String?

    private enum CodingKeys: String, CodingKey {
        case account, currency, balance, postings
        case normalSide = "normal_side"
        case hasMore = "has_more"
        case nextCursor = "next_cursor"
    }

    /// Creates it from its members.
    public init(
        account: String, currency: String, normalSide: String, balance: Int64, postings: [PostingBody],
        nextCursor: String?
    ) {
        self.account = account
        self.currency = currency
        self.normalSide = normalSide
        self.balance = balance
        self.postings = postings
        hasMore = nextCursor != nil
        self.nextCursor = nextCursor
    }
}

/// A posting of an account.
public struct PostingBody: Codable, Hashable, Sendable {
    /// The number of the posting in its account, from 1.
    public let seq: Int64
    /// The journal entry.
    public let journalEntryID: Int64
    /// The kind of act, such as `purchase` or `spend`.
    public let kind: String
    /// What the act refers to, such as `purchase:4097`.
    public let reference: String
    /// `debit` or `credit`.
    public let side: String
    /// The amount, in minor units of the account's currency.
    public let amount: Int64
    /// The account's balance after the posting.
    public let balance: Int64
    /// When it happened.
    public let effectiveAt: Date
    /// When it was recorded.
    public let recordedAt: Date

    private enum CodingKeys: String, CodingKey {
        case seq, kind, reference, side, amount, balance
        case journalEntryID = "journal_entry_id"
        case effectiveAt = "effective_at"
        case recordedAt = "recorded_at"
    }

    /// Creates it from its members.
    public init(
        seq: Int64, journalEntryID: Int64, kind: String, reference: String, side: String, amount: Int64,
        balance: Int64, effectiveAt: Date, recordedAt: Date
    ) {
        self.seq = seq
        self.journalEntryID = journalEntryID
        self.kind = kind
        self.reference = reference
        self.side = side
        self.amount = amount
        self.balance = balance
        self.effectiveAt = effectiveAt
        self.recordedAt = recordedAt
    }
}

/// A journal entry with its postings.
public struct JournalEntryBody: Codable, Hashable, Sendable {
    /// The journal entry's id.
    public let id: Int64
    /// The kind of act, such as `purchase` or `spend`.
    public let kind: String
    /// What the act refers to, such as `purchase:4097`.
    public let reference: String
    /// When it happened or, if that period was closed, the first open moment.
    public let effectiveAt: Date
    /// When it was recorded.
    public let recordedAt: Date
    /// The postings, debits first.
    public let postings: [Line]

    /// A posting of the entry.
    public struct Line: Codable, Hashable, Sendable {
        /// The account's name.
        public let account: String
        /// `debit` or `credit`.
        public let side: String
        /// The amount, in minor units of the currency.
        public let amount: Int64
        /// `KRW`, `COIN`, or another currency's ISO 4217 code.
        public let currency: String
        /// The account's balance after the posting.
        public let balance: Int64

        /// Creates it from its members.
        public init(account: String, side: String, amount: Int64, currency: String, balance: Int64) {
            self.account = account
            self.side = side
            self.amount = amount
            self.currency = currency
            self.balance = balance
        }
    }

    private enum CodingKeys: String, CodingKey {
        case id, kind, reference, postings
        case effectiveAt = "effective_at"
        case recordedAt = "recorded_at"
    }

    /// Creates it from its members.
    public init(
        id: Int64, kind: String, reference: String, effectiveAt: Date, recordedAt: Date, postings: [Line]
    ) {
        self.id = id
        self.kind = kind
        self.reference = reference
        self.effectiveAt = effectiveAt
        self.recordedAt = recordedAt
        self.postings = postings
    }
}
