package import CivilTime
package import Foundation
package import Postgres

/// An adjustment at the end of a month: it brings the balance of an account to what the month's policy says.
package struct Adjustment: Sendable, Equatable, Identifiable {
    package let id: Int64
    package let subject: AccountingPolicy.Subject
    package let month: CivilMonth
    /// The account's balance afterwards.
    package let target: Int64
    /// What it changed by; 0: nothing was posted.
    package let amount: Int64
    /// nil: nothing was posted.
    package let journalEntryID: Int64?
    /// The policy that it follows; nil: none, so it takes back what earlier ones booked.
    package let policyID: Int64?
    package let adjustedBy: String
    package let recordedAt: Date
}

/// A cohort's part of an adjustment.
package struct AdjustmentCohort: Sendable, Equatable {
    package let cohort: Cohort
    /// Its part of the adjustment's target.
    package let target: Int64
}

/// What an adjustment would book.
package struct AdjustmentPreview: Sendable, Equatable {
    package let policies: PoliciesInForce
    package let cohorts: [AdjustmentCohort]
    /// The account's balance now, or when the last adjustment was booked.
    package let booked: Int64

    /// The account's balance afterwards.
    package var target: Int64 { cohorts.target }

    /// The won whose coins expired, of each ₩1,000 that were not given back.
    ///
    /// Only a month of sale that has no coins left counts; nil: there is none.
    /// This is what the history proposes for ``AccountingPolicy/Method/expectedPattern(expected:highlyProbable:)``.
    package var observedBreakage: Int64? {
        let over = cohorts.map(\.cohort).filter { $0.deferred == 0 }
        let kept = over.reduce(0) { $0 + $1.sold - $1.refunded }
        return kept > 0 ? over.reduce(0) { $0 + $1.expired } * 1000 / kept : nil
    }
}

/// Where the next page of adjustments begins: after this one.
package struct AdjustmentCursor: Sendable, Codable, Equatable {
    /// The last adjustment's number.
    package let number: Int64
}

extension AccountingPolicy.Subject {
    /// The account that adjustments bring to their target.
    var account: SystemAccount { self == .breakage ? .expectedBreakage : .deferredBonus }

    /// The other side of the entry.
    var revenue: SystemAccount { self == .breakage ? .expectedBreakageRevenue : .bonusAllocation }
}

extension [AdjustmentCohort] {
    /// The sum of the cohorts' targets.
    var target: Int64 { reduce(0) { $0 + $1.target } }
}

extension Adjustment {
    private static let columns = """
        id, subject, month, target, amount, journal_entry_id,
        CASE subject WHEN 'breakage' THEN breakage_policy_id ELSE bonus_policy_id END, adjusted_by, recorded_at, number
        """

    /// An adjustment with its place in the order of adjustments.
    typealias Numbered = (adjustment: Adjustment, number: Int64)

    static func find(_ ids: [Int64]) -> PostgresQuery<[Adjustment]> {
        PostgresQuery("SELECT \(columns) FROM adjustment WHERE id = ANY($1)", [ids]) { row in
            try row.make(numbered).adjustment
        }
    }

    /// The last adjustment of a subject.
    static func last(of subject: AccountingPolicy.Subject) -> PostgresQuery<Adjustment?> {
        .first(
            "SELECT \(columns) FROM adjustment WHERE subject = $1 ORDER BY number DESC LIMIT 1", [subject.rawValue]
        ) { row in try row.make(numbered).adjustment }
    }

    /// The last month that is adjusted, of any subject.
    static let lastMonth = PostgresQuery<CivilMonth?>.first(
        "SELECT month FROM adjustment ORDER BY month DESC LIMIT 1", [])

    /// Has the database measure what was sold, deferred and expired at the end of a month, as the session's snapshot shows
    /// it.
    ///
    /// - Returns: the measurement's id.
    static func measureBasis(of month: CivilMonth, in zone: TimeZone) -> PostgresQuery<Int64> {
        .one(
            "INSERT INTO adjustment_basis (month, zone) VALUES ($1, $2) RETURNING id",
            [month.description, zone.identifier])
    }

    /// Adjustments, the last one first.
    ///
    /// Returns up to `limit` + 1 rows, to show whether there are more.
    static func list(before number: Int64?, limit: Int) -> PostgresQuery<[Numbered]> {
        PostgresQuery(
            "SELECT \(columns) FROM adjustment WHERE number < $1 ORDER BY number DESC LIMIT $2",
            [number ?? Int64.max, Int64(limit + 1)]
        ) { row in try row.make(numbered) }
    }

    private static func numbered(_ adjustment: Adjustment, _ number: Int64) -> Numbered { (adjustment, number) }
}

extension Adjustment: PostgresReadable {
    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> Adjustment {
        try row.make(at: &column, Adjustment.init)
    }
}

extension AdjustmentCohort {
    /// The cohorts of an adjustment, by month.
    static func list(of adjustment: Int64) -> PostgresQuery<[AdjustmentCohort]> {
        PostgresQuery(
            """
            SELECT sold_in, purchases, sold, refunded, used, expired, deferred, coalesce(allocated, deferred), target
            FROM adjustment_cohort WHERE adjustment_id = $1 ORDER BY sold_in
            """,
            [adjustment]
        ) { row in try row.make(AdjustmentCohort.init) }
    }
}
