package import Foundation
import Timing

/// A comparison of a period's payments at the gateways with the books.
package struct ReconciliationRun: Sendable, Equatable, Identifiable {
    /// The status of a run.
    package enum Status: String, Sendable, CaseIterable {
        /// The run continues, now or when the gateways can be asked again.
        case running
        /// All payments are compared.
        case completed
        /// The run ended after too many failures.
        case failed
    }

    package let id: Int64
    package let period: Range<Date>
    /// Whether the run fixes the differences that the gateway's records settle.
    package let heals: Bool
    /// The gateways whose payments are compared.
    package let gateways: [String]
    /// The day of a daily run, such as `2026-11-20`; nil: a person or service started the run.
    package let day: String?
    package let status: Status
    /// The current stage.
    package let stage: String
    /// Where the stage continues, in a format of the stage; nil: at its beginning.
    package let place: String?
    /// The number of failures in a row.
    package let failures: Int64
    /// The last failure; nil: none.
    package let failure: String?
    /// The counts of the result; nil: the run has not ended.
    package let counts: ReconciliationCounts?
    /// When the run was requested.
    package let startedAt: Date
    /// When the run ended; nil: it has not.
    package let endedAt: Date?
}

/// A reconciliation run to start.
package struct ReconciliationDraft: Sendable, Equatable {
    package let period: Range<Date>
    /// Whether to fix the differences that the gateway's records settle.
    package let heals: Bool
    /// The gateways whose payments to compare.
    package let gateways: [String]
    /// The day of a daily run, such as `2026-11-20`.
    ///
    /// There is one run per day.
    package let day: String?
    /// The request's idempotency key.
    ///
    /// A repeat returns the first run.
    package let key: CallerKey?

    package init(
        period: Range<Date>, heals: Bool, gateways: [String], day: String? = nil, key: CallerKey? = nil
    ) {
        self.period = period
        self.heals = heals
        self.gateways = gateways
        self.day = day
        self.key = key
    }
}

/// The number of payments of a run by kind.
package struct ReconciliationCounts: Sendable, Equatable, Codable {
    /// The number of payments of each kind.
    ///
    /// All kinds are included.
    package let kinds: [String: Int64]
    /// Payments that are not examined yet.
    package let unexamined: Int64
    /// Differences that were fixed.
    package let healed: Int64
    /// Differences that are left.
    package let differences: Int64

    /// The number of items with the same kind and outcome.
    struct Group: Sendable {
        let kind: ReconciliationKind?
        let outcome: ReconciliationOutcome?
        let count: Int64
    }

    init(_ groups: [Group]) {
        var kinds = Dictionary(uniqueKeysWithValues: ReconciliationKind.allCases.map { ($0.rawValue, Int64(0)) })
        for group in groups { if let kind = group.kind { kinds[kind.rawValue, default: 0] += group.count } }
        self.kinds = kinds
        unexamined = groups.filter { $0.kind == nil }.reduce(0) { $0 + $1.count }
        let differing = groups.filter { $0.kind?.isDifference ?? false }
        healed = differing.filter { $0.outcome?.isHealed ?? false }.reduce(0) { $0 + $1.count }
        differences = differing.reduce(0) { $0 + $1.count } - healed
    }

    /// The number of payments of a kind.
    package func count(of kind: ReconciliationKind) -> Int64 { kinds[kind.rawValue] ?? 0 }

    /// The number of all payments.
    package var payments: Int64 { kinds.values.reduce(unexamined, +) }
}

/// The right to work on a run.
///
/// One process has it at a time.
package struct ReconciliationLease: Sendable {
    /// The run when the lease was taken.
    package let run: ReconciliationRun
    /// Identifies this lease.
    ///
    /// A later lease of the run has another token.
    let token: String
}

extension ReconciliationDraft {
    /// What is wrong with a requested period; nil: it can be compared.
    ///
    /// A gateway lists payments in short windows, so an unlimited period would keep it busy for days.
    package static func fault(of period: (from: Date, to: Date)) -> PeriodFault? {
        if period.from < Date(timeIntervalSince1970: 0) { return .beginsBefore1970 }
        if period.from > Time.current.now { return .isToCome }
        if period.from >= period.to { return .isEmpty }
        // The days of a leap year, plus an hour for a change of clocks.
        return period.to.timeIntervalSince(period.from) > 366 * 86_400 + 3600 ? .isTooLong : nil
    }

    /// Why a period can't be compared.
    package enum PeriodFault: Sendable {
        case beginsBefore1970, isToCome, isEmpty, isTooLong
    }
}
