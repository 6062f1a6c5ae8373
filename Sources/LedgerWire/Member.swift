/// The types of members that many bodies share, with what the service accepts and returns.
///
/// They are names of plain types: a newer service may return values that are not listed here.
public enum Member {
    /// An id.
    ///
    /// - Range: `1...`
    public typealias ID = Int64

    /// A number that is never negative.
    ///
    /// - Range: `0...`
    public typealias Natural = Int64

    /// Coins or won of a request.
    ///
    /// - Range: `1...1000000000000`
    public typealias Amount = Int64

    /// A share, in basis points.
    ///
    /// - Range: `0...10000`
    public typealias BasisPoints = Int64

    /// A number of days.
    ///
    /// - Range: `0...36500`
    public typealias Days = Int64

    /// A text of a request: characters that can be printed, on one line.
    ///
    /// - Length: `1...256`
    /// - Pattern: `^[^\u0000-\u001F\u007F-\u009F]*$`
    public typealias Text = String

    /// A user or provider in a request.
    ///
    /// - Length: `1...128`
    /// - Pattern: `^[^\u0000-\u001F\u007F-\u009F]*$`
    public typealias Owner = String

    /// The bank, number or holder of a provider's account in a request.
    ///
    /// - Length: `1...100`
    /// - Pattern: `^[^\u0000-\u001F\u007F-\u009F]*$`
    public typealias AccountPart = String

    /// A URL.
    ///
    /// - Length: `...2000`
    public typealias URLText = String

    /// A moment in a request: an RFC 3339 time, or a day, which means its first moment.
    ///
    /// - Length: `1...256`
    /// - Format: `date` or `date-time`
    public typealias Moment = String

    /// A day, such as `2026-11-20`.
    ///
    /// - Format: `date`
    public typealias Day = String

    /// A month, such as `2026-01`.
    ///
    /// - Pattern: `^[0-9]{4}-(0[1-9]|1[0-2])$`
    public typealias Month = String

    /// The ISO 4217 code of a currency.
    ///
    /// - Known values: `KRW`
    public typealias Currency = String

    /// The currency of the books.
    @usableFromInline static let won: Currency = "KRW"

    /// A payment gateway.
    ///
    /// - Values: `portone-v1`, `portone-v2`, `app-store`, `google-play`
    public typealias Gateway = String

    /// The kind of coins.
    ///
    /// - Values: `paid`, `bonus`
    public typealias CoinKind = String

    /// The side of a posting.
    ///
    /// - Values: `debit`, `credit`
    public typealias Side = String

    /// How a dispute ended: `won` if the money stays with the shop, `lost` if the buyer has it back.
    ///
    /// - Values: `won`, `lost`
    public typealias DisputeOutcome = String

    /// How the money of a refund goes back.
    ///
    /// - Values: `gateway`, `bank_transfer`
    public typealias RefundMethod = String

    /// The rule that sets the fee of a refund.
    ///
    /// - Values: `waived`, `free_days`, `expired`, `percentage`, `minimum`
    public typealias FeeRule = String

    /// What an accounting policy or an adjustment is about.
    ///
    /// - Values: `breakage`, `bonus`
    public typealias Subject = String

    /// How a subject is accounted for: breakage `at_expiry` or by `expected_pattern`, bonus coins `none` or by
    /// `relative_price`.
    ///
    /// - Values: `at_expiry`, `expected_pattern`, `none`, `relative_price`
    public typealias PolicyMethod = String

    /// Our role in what a provider sells.
    ///
    /// - Values: `agent`, `principal`
    public typealias ProviderRole = String

    /// The tax that is withheld from payouts.
    ///
    /// - Values: `none`, `business_income`
    public typealias Withholding = String

    /// How prepaid money is kept apart.
    ///
    /// - Values: `trust`, `deposit`, `guarantee_insurance`
    public typealias Custody = String
}
