/// A request to spend coins.
public struct SpendRequest: Codable, Hashable, Sendable {
    /// The number of coins.
    public var coins: Member.Amount
    /// The service's own reference, such as the item bought.
    public var reference: Member.Text?
    /// The reason.
    public var reason: Member.Text?

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case coins, reference, reason
    }

    /// Creates a request to spend coins.
    public init(coins: Int64, reference: String? = nil, reason: String? = nil) {
        self.coins = coins
        self.reference = reference
        self.reason = reason
    }
}

/// A spend.
public struct SpendBody: Codable, Hashable, Sendable {
    /// The act.
    public let spend: Act
    /// The lots of the coins.
    public let lots: [LotUseBody]
    /// The user's balance after the act.
    public let balance: BalanceBody

    /// The posted spend.
    public typealias Act = RedemptionBody

    /// Creates the response to a spend.
    public init(spend: Act, lots: [LotUseBody], balance: BalanceBody) {
        self.spend = spend
        self.lots = lots
        self.balance = balance
    }
}

/// A posted spend or capture: coins that left the user's wallet permanently.
public struct RedemptionBody: Codable, Hashable, Sendable {
    /// The id of the journal entry.
    public let journalEntryID: Member.ID
    /// The number of coins.
    public let coins: Int64
    /// The recognised revenue, in minor units of the currency.
    public let amount: Int64
    /// The currency's ISO 4217 code.
    public let currency: Member.Currency
    /// The provider who earned the coins; nil: nobody, as of every spend.
    public let provider: String?
    /// What the provider sold, if the capture names it.
    public let product: String?

    private enum CodingKeys: String, CodingKey {
        case coins, amount, currency, provider, product
        case journalEntryID = "journal_entry_id"
    }

    /// Creates it from its members.
    public init(
        journalEntryID: Int64, coins: Int64, amount: Int64, currency: String = Member.won, provider: String? = nil,
        product: String? = nil
    ) {
        self.journalEntryID = journalEntryID
        self.coins = coins
        self.amount = amount
        self.currency = currency
        self.provider = provider
        self.product = product
    }
}
