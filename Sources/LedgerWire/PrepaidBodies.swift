public import Foundation

/// Prepaid means: what is outstanding and issued, compared with the law's limits, and what is kept apart.
public struct PrepaidBody: Codable, Hashable, Sendable {
    /// The moment of the figures.
    public let asOf: Date
    /// The won that users paid for coins that they have not used.
    public let outstanding: Int64
    /// The bonus coins that users have.
    public let bonusCoins: Int64
    /// What must be kept apart, and what is.
    public let safeguard: Safeguard
    /// The mean of the won outstanding at the ends of the quarters that are over.
    public let averageOutstanding: Int64
    /// From this average on, an issuer must register.
    public let outstandingLimit: Int64
    /// The won issued in the calendar year before.
    public let issuedLastYear: Int64
    /// The won issued in the year before the moment.
    public let issuedInTwelveMonths: Int64
    /// From this many won issued in a year on, an issuer must register.
    public let issuanceLimit: Int64
    /// Whether a limit is reached.
    public let isAboveLimit: Bool
    /// The quarters from January of the year before; the last one is not over.
    public let quarters: [Quarter]

    /// What must be kept apart, and what is.
    public struct Safeguard: Codable, Hashable, Sendable {
        /// The won that must be kept apart.
        public let required: Int64
        /// The won that custodians hold.
        public let held: Int64
        /// The won that are missing; 0: none.
        public let shortfall: Int64
        /// The last balance of each custodian.
        public let custody: [CustodyBalanceBody]

        /// Creates it from its members.
        public init(required: Int64, held: Int64, shortfall: Int64, custody: [CustodyBalanceBody]) {
            self.required = required
            self.held = held
            self.shortfall = shortfall
            self.custody = custody
        }
    }

    /// A quarter of a year.
    public struct Quarter: Codable, Hashable, Sendable {
        /// Its name, such as `2026-Q1`.
        public let quarter: String
        /// Its end, exclusive; of the present one, the moment of the figures.
        public let to: Date
        /// The won outstanding at its end.
        public let outstanding: Int64
        /// The won issued in it, before refunds.
        public let issued: Int64

        /// Creates it from its members.
        public init(quarter: String, to: Date, outstanding: Int64, issued: Int64) {
            self.quarter = quarter
            self.to = to
            self.outstanding = outstanding
            self.issued = issued
        }
    }

    private enum CodingKeys: String, CodingKey {
        case outstanding, safeguard, quarters
        case asOf = "as_of"
        case bonusCoins = "bonus_coins"
        case averageOutstanding = "average_outstanding"
        case outstandingLimit = "outstanding_limit"
        case issuedLastYear = "issued_last_year"
        case issuedInTwelveMonths = "issued_in_twelve_months"
        case issuanceLimit = "issuance_limit"
        case isAboveLimit = "above_limit"
    }

    /// Creates it from its members.
    public init(
        asOf: Date, outstanding: Int64, bonusCoins: Int64, safeguard: Safeguard, averageOutstanding: Int64,
        outstandingLimit: Int64, issuedLastYear: Int64, issuedInTwelveMonths: Int64, issuanceLimit: Int64,
        isAboveLimit: Bool, quarters: [Quarter]
    ) {
        self.asOf = asOf
        self.outstanding = outstanding
        self.bonusCoins = bonusCoins
        self.safeguard = safeguard
        self.averageOutstanding = averageOutstanding
        self.outstandingLimit = outstandingLimit
        self.issuedLastYear = issuedLastYear
        self.issuedInTwelveMonths = issuedInTwelveMonths
        self.issuanceLimit = issuanceLimit
        self.isAboveLimit = isAboveLimit
        self.quarters = quarters
    }
}

/// What a custodian held for users' prepaid money at a moment.
public struct CustodyBalanceBody: Codable, Hashable, Sendable {
    /// The balance's id.
    public let id: Int64
    /// The bank, trustee or insurer.
    public let custodian: String
    /// `trust`, `deposit` or `guarantee_insurance`.
    public let method: String
    /// In won.
    public let balance: Int64
    /// When the custodian held it.
    public let heldAt: Date
    /// A note for people.
    public let note: String?
    /// Who entered it.
    public let enteredBy: String
    /// When it was entered.
    public let enteredAt: Date

    private enum CodingKeys: String, CodingKey {
        case id, custodian, method, balance, note
        case heldAt = "held_at"
        case enteredBy = "entered_by"
        case enteredAt = "entered_at"
    }

    /// Creates it from its members.
    public init(
        id: Int64, custodian: String, method: String, balance: Int64, heldAt: Date, note: String?, enteredBy: String,
        enteredAt: Date
    ) {
        self.id = id
        self.custodian = custodian
        self.method = method
        self.balance = balance
        self.heldAt = heldAt
        self.note = note
        self.enteredBy = enteredBy
        self.enteredAt = enteredAt
    }
}

extension CustodyBalanceBody: ListedBody {
    /// `custody_balances`.
    public static let listName = "custody_balances"
}

/// A request to enter what a custodian held.
public struct CustodyBalanceRequest: Codable, Hashable, Sendable {
    /// The bank, trustee or insurer.
    public var custodian: String
    /// `trust`, `deposit` or `guarantee_insurance`.
    public var method: String
    /// In won, 0 or more; 0: the custodian holds nothing any more.
    public var balance: Int64
    /// When the custodian held it: an RFC 3339 time, or a day of the service's time zone, which means its start.
    public var heldAt: String
    /// A note for people.
    public var note: String?

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case custodian, method, balance, note
        case heldAt = "held_at"
    }

    /// Creates a request.
    public init(custodian: String, method: String, balance: Int64, heldAt: String, note: String? = nil) {
        self.custodian = custodian
        self.method = method
        self.balance = balance
        self.heldAt = heldAt
        self.note = note
    }
}
