public import Foundation

/// A page of the postings of an account, newest first.
public struct AccountStatementBody: Codable, Hashable, Sendable {
    /// The account's name, such as `coins:issued`.
    public let account: String
    /// `KRW`, `COIN`, or another currency's ISO 4217 code.
    public let currency: String
    /// The side that increases the balance.
    public let normalSide: Member.Side
    /// The balance now, on the normal side, in minor units of the currency.
    public let balance: Int64
    /// The postings, newest first.
    ///
    /// - Count: `...100`
    public let postings: [PostingBody]
    /// Whether another page follows.
    public let hasMore: Bool
    /// The `cursor` of the next page; nil on the last one.
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
    public let seq: Member.ID
    /// The id of the journal entry.
    public let journalEntryID: Member.ID
    /// The kind of act, such as `purchase` or `spend`.
    public let kind: String
    /// What the act refers to, such as `purchase:4097`.
    public let reference: String
    /// The side of the posting.
    public let side: Member.Side
    /// The amount, in minor units of the account's currency.
    public let amount: Member.ID
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
    /// The id of the journal entry.
    public let id: Member.ID
    /// The kind of act, such as `purchase` or `spend`.
    public let kind: String
    /// What the act refers to, such as `purchase:4097`.
    public let reference: String
    /// When it happened or, if that period was closed, the first open moment.
    public let effectiveAt: Date
    /// When it was recorded.
    public let recordedAt: Date
    /// The postings, debits first; in each currency, debits equal credits.
    ///
    /// - Count: `2...`
    public let postings: [Line]

    /// A posting of a journal entry.
    public struct Line: Codable, Hashable, Sendable {
        /// The account's name, such as `coins:issued`, as `GET /v1/postings` takes it.
        public let account: String
        /// The side of the posting.
        public let side: Member.Side
        /// The amount, in minor units of the currency.
        public let amount: Member.ID
        /// `KRW`, `COIN`, or another currency's ISO 4217 code.
        public let currency: String
        /// The account's balance after the posting; of the ledger's own accounts, that of one part of it.
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
