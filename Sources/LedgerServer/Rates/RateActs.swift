import CivilTime
import Foundation
import Ledger
import PGVerifier
import Timing

/// What finance does with rates of foreign currencies.
struct RateActs: Sendable {
    let ledger: Ledger
    /// The time zone of days.
    let timeZone: TimeZone

    /// Sets the rate of a day, or proposes it to another person; a repeat changes nothing.
    ///
    /// - Parameter rate: the number as it is quoted.
    /// - Throws: ``InputFault``; `invalid_request` for a day that has not begun.
    func set(
        _ rate: String, per: Int64, from source: String, of currency: ForeignCurrency, for day: CivilDate,
        by person: String
    ) async throws -> Rates.Setting {
        guard day.daysSince1970 <= CivilDate(of: Time.current.now, in: timeZone).daysSince1970 else {
            throw Problem.invalid(member: "day", "day must not be in the future")
        }
        let quotation = try Self.quotation(rate, per: per)
        let setting = try await ledger.rates.set(
            RateDraft(currency: currency, day: day, quotation: quotation, source: source), by: person)
        if case .published = setting { try await takeUpReceipts() }
        return setting
    }

    /// Looks at once at the receipts that may have waited for the rate.
    ///
    /// If the process ends before, they are looked at when they are due.
    private func takeUpReceipts() async throws(LedgerError) {
        try await ledger.retries.expedite(because: WaitReason.priceNotBookable.rawValue)
    }

    /// Publishes the rate that another person set for a day; a repeat changes nothing.
    ///
    /// - Parameter rate: the number as the approver has it from its source.
    /// - Throws: ``InputFault``, also for another rate than waits; `approval_by_proposer`; `not_found`.
    func approve(
        _ rate: String, per: Int64, of currency: ForeignCurrency, for day: CivilDate, by person: String
    ) async throws -> Rate {
        let quotation = try Self.quotation(rate, per: per)
        switch try await ledger.rates.approve(quotation, of: currency, for: day, by: person) {
        case .published(let rate):
            try await takeUpReceipts()
            return rate
        case .ownProposal: throw Problem(.approvalByProposer, "another person than the proposer must approve it")
        case .other: throw InputFault("rate", "is not the rate that waits for approval")
        case .notFound: throw Problem.noneWaiting
        }
    }

    /// Withdraws the rate that waits for a day; a repeat changes nothing.
    ///
    /// - Throws: `not_found`.
    func withdraw(
        of currency: ForeignCurrency, for day: CivilDate, by person: String
    ) async throws -> RateProposal {
        guard let withdrawn = try await ledger.rates.withdraw(of: currency, for: day, by: person) else {
            throw Problem.noneWaiting
        }
        return withdrawn
    }

    private static func quotation(_ rate: String, per: Int64) throws(InputFault) -> Quotation {
        guard Quotation.units.contains(per) else { throw InputFault("per", "must be 1 or 100") }
        guard let quotation = Quotation(rate, per: per) else { throw InputFault("rate", "must be \(Quotation.rule)") }
        return quotation
    }
}

extension Problem {
    fileprivate static let noneWaiting = Problem(.notFound, "no rate of the currency and day waits for approval")
}
