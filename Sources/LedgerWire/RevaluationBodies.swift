public import Foundation

/// A request to revalue what is open in a foreign currency at the end of a month that is over.
public struct RevaluationRequest: Codable, Hashable, Sendable {
    /// The ISO 4217 code of the currency, in capital letters.
    public var currency: Member.Currency
    /// The month.
    public var month: Member.Month

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable { case currency, month }

    /// Creates a request to revalue a currency.
    public init(currency: String, month: String) {
        self.currency = currency
        self.month = month
    }
}

/// What is open in a foreign currency, revalued at the end of a month.
public struct RevaluationBody: Codable, Hashable, Sendable {
    /// The id of the revaluation.
    public let id: Member.ID
    /// The currency.
    public let currency: Member.Currency
    /// The month.
    public let month: Member.Month
    /// What gateways owe at the end of the month, in minor units of the currency.
    public let open: Int64
    /// Its carrying amount, in won: each payment at its own rate.
    public let carried: Int64
    /// What it is worth at the last rate of the month's last seven days, in won.
    public let worth: Int64
    /// The worth less the carrying amount, in won; 0: nothing was posted.
    public let amount: Int64
    /// The id of that rate.
    public let rateID: Member.ID
    /// So many won for `per` units of the currency, as it was quoted.
    ///
    /// - Pattern: `^[0-9]+(\.[0-9]+)?$`
    public let rate: String
    /// Of how many units of the currency it is the price: 1 or 100.
    ///
    /// - Range: `1...100`
    public let per: Int64
    /// The day for which it is quoted.
    public let rateDay: Member.Day
    /// The entry at the end of the month; nil: nothing was posted.
    public let journalEntryID: Member.ID?
    /// The opposite entry on the first of the next month; nil: nothing was posted.
    public let reversalEntryID: Member.ID?
    /// Who booked it.
    public let revaluedBy: String
    /// When it was booked.
    public let recordedAt: Date

    private enum CodingKeys: String, CodingKey {
        case id, currency, month, open, carried, worth, amount
        case rateID = "rate_id"
        case rate, per
        case rateDay = "rate_day"
        case journalEntryID = "journal_entry_id"
        case reversalEntryID = "reversal_entry_id"
        case revaluedBy = "revalued_by"
        case recordedAt = "recorded_at"
    }

    /// Creates it from its members.
    public init(
        id: Int64, currency: String, month: String, open: Int64, carried: Int64, worth: Int64, amount: Int64,
        rateID: Int64, rate: String, per: Int64, rateDay: String, journalEntryID: Int64?, reversalEntryID: Int64?,
        revaluedBy: String, recordedAt: Date
    ) {
        self.id = id
        self.currency = currency
        self.month = month
        self.open = open
        self.carried = carried
        self.worth = worth
        self.amount = amount
        self.rateID = rateID
        self.rate = rate
        self.per = per
        self.rateDay = rateDay
        self.journalEntryID = journalEntryID
        self.reversalEntryID = reversalEntryID
        self.revaluedBy = revaluedBy
        self.recordedAt = recordedAt
    }
}

extension RevaluationBody: ListedBody {
    /// `revaluations`.
    public static let listName = "revaluations"
}
