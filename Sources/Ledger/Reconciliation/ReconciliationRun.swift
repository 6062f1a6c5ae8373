package import Foundation

/// A comparison of a period's payments at the gateways with the books.
package struct ReconciliationRun: Sendable, Equatable, Identifiable {
    /// Where a run stands.
    package enum Status: String, Sendable, CaseIterable {
        /// It goes on, now or when the gateways can be asked again.
        case running
        /// All is compared.
        case completed
        /// It was given up after failing too often.
        case failed
    }

    /// Its id.
    package let id: Int64
    /// The moments it is about.
    package let period: Range<Date>
    /// Whether it does what the gateway's word decides.
    package let heals: Bool
    /// The gateways whose payments it compares.
    package let gateways: [String]
    /// The day of a daily run, `2026-11-20`; nil: somebody asked for it.
    package let day: String?
    /// Where it stands.
    package let status: Status
    /// What it is doing.
    package let stage: String
    /// Where the stage goes on, in its own words; nil: it begins.
    package let place: String?
    /// How often in a row it failed.
    package let failures: Int64
    /// Why the last attempt ended; nil: it did not fail.
    package let failure: String?
    /// What it came to; nil while it runs.
    package let counts: ReconciliationCounts?
    /// When it was asked for.
    package let startedAt: Date
    /// When it ended.
    package let endedAt: Date?
}

/// What is to be compared.
package struct ReconciliationDraft: Sendable, Equatable {
    /// The moments it is about.
    package let period: Range<Date>
    /// Whether to do what the gateway's word decides.
    package let heals: Bool
    /// The gateways whose payments to compare.
    package let gateways: [String]
    /// The day of a daily run, `2026-11-20`; there is one run of a day.
    package let day: String?
    /// Who asks, and the caller's own name for it: the same again is answered with the first run.
    package let key: CallerKey?

    /// A run to make.
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

/// How many payments of a run are of each kind.
package struct ReconciliationCounts: Sendable, Equatable, Codable {
    /// How many there are of each kind, of all kinds.
    package let kinds: [String: Int64]
    /// How many are still to be examined.
    package let unexamined: Int64
    /// How many differences something was done about, so that nothing is left of them.
    package let healed: Int64
    /// How many differences are left.
    package let differences: Int64

    /// So many items that came to the same.
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

    /// How many there are of a kind.
    package func count(of kind: ReconciliationKind) -> Int64 { kinds[kind.rawValue] ?? 0 }

    /// How many payments there are in all.
    package var payments: Int64 { kinds.values.reduce(unexamined, +) }
}

/// The right to work on a run, which one process has at a time.
package struct ReconciliationLease: Sendable {
    /// The run as it was when the right was taken.
    package let run: ReconciliationRun
    /// Tells this right from one that another process takes when this one is over.
    let token: String
}

extension ReconciliationDraft {
    /// What is wrong with a period that somebody asks for; nil: it can be compared.
    ///
    /// A gateway lists a period window by window, so a period without bounds would keep it busy for days.
    package static func fault(of period: (from: Date, to: Date)) -> PeriodFault? {
        if period.from < Date(timeIntervalSince1970: 0) { return .beginsBefore1970 }
        if period.from > Date() { return .isToCome }
        if period.from >= period.to { return .isEmpty }
        // A leap year's days, and the hour that a change of clocks may add.
        return period.to.timeIntervalSince(period.from) > 366 * 86_400 + 3600 ? .isTooLong : nil
    }

    /// Why a period can't be compared.
    package enum PeriodFault: Sendable {
        case beginsBefore1970, isToCome, isEmpty, isTooLong
    }
}
