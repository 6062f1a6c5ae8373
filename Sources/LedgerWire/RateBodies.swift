public import Foundation

/// A rate of a foreign currency for a day: published, or waiting for another person, or withdrawn before it was published.
public struct RateBody: Codable, Hashable, Sendable {
    /// The ISO 4217 code of the currency.
    ///
    /// - Pattern: `^[A-Z]{3}$`
    public let currency: String
    /// The day for which it is quoted.
    public let day: Member.Day
    /// `published`: it counts until the day's next version, or a rate of a later day, is published; `waiting`: another person
    /// has to approve it; `withdrawn`: it was never published.
    ///
    /// - Values: `published`, `waiting`, `withdrawn`
    public let status: String
    /// Its number among the published rates of the currency and day: 1, 2, 3, …; nil: it is not published.
    public let version: Member.ID?
    /// So many units of the books' currency for `per` units of the currency, as it was quoted.
    ///
    /// - Pattern: `^[0-9]+(\.[0-9]+)?$`
    public let rate: String
    /// Of how many units of the currency it is the price: 1 or 100.
    ///
    /// - Range: `1...100`
    public let per: Int64
    /// Who quotes it, and of which kind it is.
    public let source: String
    /// Who set it.
    public let setBy: String
    /// When it was set.
    public let setAt: Date
    /// The second person; nil: none was needed, or it waits.
    public let approvedBy: String?
    /// From when on it counts; nil: it is not published.
    public let publishedAt: Date?
    /// Who withdrew it, or set another rate in its place; nil: it is not withdrawn.
    public let withdrawnBy: String?

    private enum CodingKeys: String, CodingKey {
        case currency, day, status, version, rate, per, source
        case setBy = "set_by"
        case setAt = "set_at"
        case approvedBy = "approved_by"
        case publishedAt = "published_at"
        case withdrawnBy = "withdrawn_by"
    }

    /// Creates it from its members.
    public init(
        currency: String, day: String, status: String, version: Int64?, rate: String, per: Int64, source: String,
        setBy: String, setAt: Date, approvedBy: String?, publishedAt: Date?, withdrawnBy: String?
    ) {
        self.currency = currency
        self.day = day
        self.status = status
        self.version = version
        self.rate = rate
        self.per = per
        self.source = source
        self.setBy = setBy
        self.setAt = setAt
        self.approvedBy = approvedBy
        self.publishedAt = publishedAt
        self.withdrawnBy = withdrawnBy
    }
}

extension RateBody: ListedBody {
    /// `rates`.
    public static let listName = "rates"
}

/// A request to set the rate of a foreign currency for a day.
public struct RateRequest: Codable, Hashable, Sendable {
    /// So many units of the books' currency for `per` units of the currency, with all digits as they are quoted: above 0, at
    /// most 12 digits, at most 8 of them decimals.
    ///
    /// - Length: `1...13`
    /// - Pattern: `^(0|[1-9][0-9]{0,11})(\.[0-9]{1,8})?$`
    public var rate: String
    /// Of how many units of the currency it is the price: 1, or 100 as for the yen.
    ///
    /// - Range: `1...100`
    public var per: Int64
    /// Who quotes it, and of which kind it is: against the won only USD and CNY have a market average rate, and the others
    /// are cross rates.
    public var source: Member.Text

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable { case rate, per, source }

    /// Creates a request to set a rate.
    public init(rate: String, per: Int64 = 1, source: String) {
        self.rate = rate
        self.per = per
        self.source = source
    }
}

/// A request to approve a rate that another person set.
public struct RateApprovalRequest: Codable, Hashable, Sendable {
    /// The rate as the approver has it from its source: another one is refused.
    ///
    /// - Length: `1...13`
    /// - Pattern: `^(0|[1-9][0-9]{0,11})(\.[0-9]{1,8})?$`
    public var rate: String
    /// Of how many units of the currency it is the price: 1 or 100.
    ///
    /// - Range: `1...100`
    public var per: Int64

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable { case rate, per }

    /// Creates a request to approve a rate.
    public init(rate: String, per: Int64 = 1) {
        self.rate = rate
        self.per = per
    }
}
