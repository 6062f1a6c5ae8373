package import CivilTime
import Currencies
package import Foundation

/// A rate of a foreign currency that was published for a day.
///
/// It never changes: a correction is the day's next version.
package struct Rate: Sendable, Equatable, Identifiable {
    package let id: Int64
    package let currency: ForeignCurrency
    package let day: CivilDate
    /// 1, 2, 3, …: the newest one counts, from when it was published on.
    package let version: Int64
    package let quotation: Quotation
    /// Who quotes it, such as a bank or a broker, and of which kind it is.
    package let source: String
    /// The caller.
    package let setBy: String
    package let setAt: Date
    /// The second person; nil: none was needed.
    package let approvedBy: String?
    package let publishedAt: Date
}

extension Rate {
    /// What an amount is worth in won, rounded half-even; nil: it does not fit 64 bits.
    ///
    /// - Parameter amount: in minor units of the currency.
    package func worth(of amount: Int64) -> Int64? {
        quotation.worth(of: amount, in: currency)
    }

    /// The worth of an amount as the price of a purchase; nil: it is worth no won, or more than ``Price/highest``.
    ///
    /// - Parameter amount: in minor units of the currency.
    package func price(of amount: Int64) -> Price? { worth(of: amount).flatMap(Price.init(won:)) }
}

/// A rate that one person proposes, because two people have to agree on it.
package struct RateProposal: Sendable, Equatable, Identifiable {
    package enum Status: String, Sendable, CaseIterable {
        /// Another person has to approve it.
        case waiting
        /// Another person approved it: it is a rate.
        case published
        /// It was withdrawn, or another rate of the day was set.
        case withdrawn
    }

    package let id: Int64
    package let currency: ForeignCurrency
    package let day: CivilDate
    package let quotation: Quotation
    package let source: String
    /// The caller.
    package let proposedBy: String
    package let proposedAt: Date
    package let status: Status
    /// The version under which it was published; nil: it was not.
    package let version: Int64?
    /// Who approved, withdrew or replaced it; nil: it waits.
    package let decidedBy: String?
    package let decidedAt: Date?
}

/// A rate to set.
package struct RateDraft: Sendable {
    package let currency: ForeignCurrency
    package let day: CivilDate
    package let quotation: Quotation
    package let source: String

    package init(currency: ForeignCurrency, day: CivilDate, quotation: Quotation, source: String) {
        self.currency = currency
        self.day = day
        self.quotation = quotation
        self.source = source
    }

    func isSame(as other: Quotation, from source: String) -> Bool {
        quotation.isWorth(other) && self.source == source
    }
}
