package import Foundation

/// The rules for prepaid means that the law leaves to figures, or a company's counsel to decide.
package struct PrepaidRules: Sendable, Equatable {
    /// From this average of outstanding won on, an issuer must register.
    package var outstandingLimit: Int64
    /// From this many won issued in a year on, an issuer must register.
    package var issuanceLimit: Int64
    /// The part of the outstanding won that must be kept apart, in percent.
    package var safeguardPercent: Int64
    /// The won that a bonus coin counts in what must be kept apart.
    package var bonusWorth: Int64

    package init(outstandingLimit: Int64, issuanceLimit: Int64, safeguardPercent: Int64, bonusWorth: Int64) {
        self.outstandingLimit = outstandingLimit
        self.issuanceLimit = issuanceLimit
        self.safeguardPercent = safeguardPercent
        self.bonusWorth = bonusWorth
    }

    /// The won that must be kept apart, rounded up.
    func safeguarded(outstanding: Int64, bonusCoins: Int64) -> Int64 {
        let (percent, rest) = (outstanding * safeguardPercent).quotientAndRemainder(dividingBy: 100)
        return percent + (rest > 0 ? 1 : 0) + bonusCoins * bonusWorth
    }
}

/// What must be kept apart for users now, and what is.
package struct Safeguard: Sendable, Equatable {
    /// The won that users paid for coins that they have not used.
    package let outstanding: Int64
    /// The bonus coins that users have.
    package let bonusCoins: Int64
    /// The won that must be kept apart.
    package let required: Int64
    /// The last balance of each custodian; empty: none was ever entered.
    package let custody: [CustodyBalance]

    /// The won that custodians hold.
    package var held: Int64 { custody.reduce(0) { $0 + $1.balance } }

    /// The won that are missing; 0: enough is kept apart.
    package var shortfall: Int64 { max(required - held, 0) }

    /// Whether a finding must say so: a company that never entered a balance does not keep money apart here.
    package var isShort: Bool { !custody.isEmpty && shortfall > 0 }
}

/// What an issuer of prepaid means compares with the law's limits.
package struct PrepaidStatus: Sendable, Equatable {
    /// A quarter of a year.
    package struct Quarter: Sendable, Equatable {
        package let from: Date
        /// The first moment after it; in the last one, the moment of the status.
        package let to: Date
        /// Won outstanding at its end.
        package let outstanding: Int64
        /// Won issued in it, before refunds.
        package let issued: Int64
    }

    package let at: Date
    package let safeguard: Safeguard
    /// From the first quarter of the year before to the present one, which is not over.
    package let quarters: [Quarter]
    /// Won issued in the year before the moment.
    package let issuedInTwelveMonths: Int64
    package let rules: PrepaidRules

    /// The mean of the won outstanding at the ends of the quarters that are over.
    package var averageOutstanding: Int64 {
        let ends = quarters.dropLast().map(\.outstanding)
        return ends.isEmpty ? 0 : ends.reduce(0, +) / Int64(ends.count)
    }

    /// Won issued in the calendar year before.
    package var issuedLastYear: Int64 { quarters.prefix(4).reduce(0) { $0 + $1.issued } }

    /// Whether a limit is reached, so that the issuer must register.
    package var isAboveLimit: Bool {
        averageOutstanding >= rules.outstandingLimit || issuedLastYear >= rules.issuanceLimit
    }
}
