/// A request to reverse a spend or capture; by default all coins that did not come back yet.
public struct ReversalRequest: Codable, Hashable, Sendable {
    /// The number of coins; nil: all that did not come back yet.
    ///
    /// - Null: refused
    public var coins: Member.Amount?
    /// The reason.
    public var reason: Member.Text?

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case coins, reason
    }

    /// Creates a request to reverse a spend or capture.
    public init(coins: Int64? = nil, reason: String? = nil) {
        self.coins = coins
        self.reason = reason
    }
}

/// A reversal of a spend or capture.
public struct ReversedRedemptionBody: Codable, Hashable, Sendable {
    /// The posted reversal.
    public let reversal: ReversalBody
    /// The lots that the coins came back into, with the revenue that was reversed for each.
    public let lots: [LotUseBody]
    /// The user's balance after the act.
    public let balance: BalanceBody

    /// Creates the response to a reversal.
    public init(reversal: ReversalBody, lots: [LotUseBody], balance: BalanceBody) {
        self.reversal = reversal
        self.lots = lots
        self.balance = balance
    }
}

/// A posted reversal: coins of a spend or capture that came back.
public struct ReversalBody: Codable, Hashable, Sendable {
    /// The id of the journal entry.
    public let journalEntryID: Member.ID
    /// The id of the spend's or capture's journal entry.
    public let reverses: Member.ID
    /// The coins that came back.
    public let coins: Member.ID
    /// The reversed revenue, in minor units of the currency.
    public let amount: Member.Natural
    /// The currency's ISO 4217 code.
    public let currency: String
    /// The coins of the spend or capture that can still come back.
    public let left: Member.Natural
    /// The provider who lost the coins; nil: nobody.
    public let provider: String?

    private enum CodingKeys: String, CodingKey {
        case reverses, coins, amount, currency, left, provider
        case journalEntryID = "journal_entry_id"
    }

    /// Creates it from its members.
    public init(
        journalEntryID: Int64, reverses: Int64, coins: Int64, amount: Int64, currency: String = Member.won, left: Int64,
        provider: String? = nil
    ) {
        self.journalEntryID = journalEntryID
        self.reverses = reverses
        self.coins = coins
        self.amount = amount
        self.currency = currency
        self.left = left
        self.provider = provider
    }
}
