/// A request to give coins of a user to another user.
public struct GiftRequest: Codable, Hashable, Sendable {
    /// The id of the user who gets the coins.
    public var to: Member.Owner
    /// The number of coins.
    public var coins: Member.Amount
    /// The reason, which both users' services see.
    public var reason: Member.Text?

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable { case to, coins, reason }

    /// Creates a request.
    public init(to: String, coins: Int64, reason: String? = nil) {
        self.to = to
        self.coins = coins
        self.reason = reason
    }
}

/// A gift and the giver's balance after it.
public struct GiftBody: Codable, Hashable, Sendable {
    /// The posted gift.
    public let gift: Act
    /// The giver's balance after the act.
    public let balance: BalanceBody

    /// The posted gift.
    public struct Act: Codable, Hashable, Sendable {
        /// The id of the gift.
        public let id: Member.ID
        /// The id of the giver's journal entry.
        public let journalEntryID: Member.ID
        /// The id of the user who has the coins now.
        public let to: String
        /// The number of coins.
        public let coins: Int64
        /// The paid ones of the coins.
        public let paidCoins: Int64
        /// The coins that the giver paid as a fee.
        public let fee: Int64

        private enum CodingKeys: String, CodingKey {
            case id, to, coins, fee
            case journalEntryID = "journal_entry_id"
            case paidCoins = "paid_coins"
        }

        /// Creates it from its members.
        public init(id: Int64, journalEntryID: Int64, to: String, coins: Int64, paidCoins: Int64, fee: Int64) {
            self.id = id
            self.journalEntryID = journalEntryID
            self.to = to
            self.coins = coins
            self.paidCoins = paidCoins
            self.fee = fee
        }
    }

    /// Creates it from its members.
    public init(gift: Act, balance: BalanceBody) {
        self.gift = gift
        self.balance = balance
    }
}
