public import Foundation

/// Prepaid coins, compared with the law's limits and with the money in custody.
///
/// All amounts are won.
public struct PrepaidBody: Codable, Hashable, Sendable {
    /// The moment of the figures.
    public let asOf: Date
    /// What users paid for coins that they have not used.
    public let outstanding: Int64
    /// The bonus coins that users have.
    public let bonusCoins: Member.Natural
    /// What must be kept apart, and what is.
    public let safeguard: Safeguard
    /// The mean of the won outstanding at the ends of the quarters that are over.
    public let averageOutstanding: Int64
    /// The average from which on an issuer must register: `LEDGERD_PREPAID_OUTSTANDING_LIMIT`.
    public let outstandingLimit: Member.Natural
    /// The won issued in the last calendar year, refunds not subtracted.
    public let issuedLastYear: Member.Natural
    /// The won issued in the twelve months before the moment, refunds not subtracted.
    public let issuedInTwelveMonths: Member.Natural
    /// The won issued in a year from which on an issuer must register: `LEDGERD_PREPAID_ISSUANCE_LIMIT`.
    public let issuanceLimit: Member.Natural
    /// Whether the average or last year's issuance reaches its limit.
    public let isAboveLimit: Bool
    /// The quarters from January of the year before; the last one is not over.
    public let quarters: [Quarter]

    /// What must be kept apart, and what is.
    public struct Safeguard: Codable, Hashable, Sendable {
        /// The won that must be kept apart.
        public let required: Int64
        /// The won that custodians hold.
        public let held: Member.Natural
        /// The won that are missing; 0: none.
        public let shortfall: Member.Natural
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
        /// The quarter.
        ///
        /// - Pattern: `^[0-9]{4}-Q[1-4]$`
        public let quarter: String
        /// Its end, exclusive; of the present one, the moment of the figures.
        public let to: Date
        /// The won outstanding at its end.
        public let outstanding: Int64
        /// The won issued in it, refunds not subtracted.
        public let issued: Member.Natural

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
    /// The id of the balance.
    public let id: Member.ID
    /// The bank, trustee or insurer.
    public let custodian: String
    /// How the money is kept apart.
    public let method: Member.Custody
    /// In won.
    public let balance: Member.Natural
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
    ///
    /// - Length: `1...256`
    public var custodian: String
    /// How the money is kept apart.
    public var method: Member.Custody
    /// In won; 0: the custodian holds nothing any more.
    ///
    /// - Range: `0...1000000000000000`
    public var balance: Int64
    /// When the custodian held it, not in the future; a date means its first moment in the service's time zone.
    ///
    /// - Format: `date` or `date-time`
    public var heldAt: String
    /// A note for people.
    ///
    /// - Length: `1...256`
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
