import CivilTime
import Postgres

/// The subject and month of an adjustment: the last adjustment and the policies in force are read.
struct AdjustmentTouch: Sendable, Hashable {
    let subject: AccountingPolicy.Subject
    let month: CivilMonth
}

/// A plan's adjustments.
struct PlannedAdjustments: Sendable {
    private let policies: [CivilMonth: PoliciesInForce]
    private var last: [AccountingPolicy.Subject: Adjustment]
    private var new: [(adjustment: Adjustment, act: BookAdjustment)] = []

    /// - Parameters:
    ///   - last: the last adjustment of each subject that an act names.
    ///   - policies: those in force in the months that acts name.
    init(_ snapshot: Snapshot) {
        last = Dictionary(snapshot.lastAdjustments.map { ($0.subject, $0) }) { first, _ in first }
        policies = snapshot.policies
    }

    func last(of subject: AccountingPolicy.Subject) -> Adjustment? { last[subject] }

    /// Whether the policies that an act was computed by still apply.
    func areInForce(_ policies: PoliciesInForce, in month: CivilMonth) -> Bool { self.policies[month] == policies }

    /// Adds an adjustment.
    ///
    /// Later acts of the batch see it.
    mutating func insert(_ adjustment: Adjustment, of act: BookAdjustment) {
        last[act.subject] = adjustment
        new.append((adjustment, act))
    }

    static func lookUps(for touches: BatchTouches) -> [PostgresQuery<SnapshotPart>] {
        touches.adjustments.flatMap { touch in
            [
                Adjustment.last(of: touch.subject).into { $0.lastAdjustments += $1.map { [$0] } ?? [] },
                AccountingPolicy.inForce(in: touch.month).into { $0.policies[touch.month] = PoliciesInForce($1) },
            ]
        }
    }

    /// To be written after the journal's entries.
    ///
    /// The cohorts come first, because the database adds them up.
    var facts: [PostgresQuery<Int>] {
        new.flatMap { adjustment, act in
            [Self.insert(act.cohorts, of: adjustment), Self.insert(adjustment, act)]
        }
    }

    private static func insert(_ cohorts: [AdjustmentCohort], of adjustment: Adjustment) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO adjustment_cohort (
                adjustment_id, sold_in, purchases, sold, refunded, used, expired, deferred, allocated, target)
            SELECT $1, * FROM unnest(
                $2::text[], $3::int8[], $4::int8[], $5::int8[], $6::int8[], $7::int8[], $8::int8[], $9::int8[],
                $10::int8[])
            """,
            [
                adjustment.id, cohorts.map(\.cohort.soldIn.description), cohorts.map(\.cohort.purchases),
                cohorts.map(\.cohort.sold), cohorts.map(\.cohort.refunded), cohorts.map(\.cohort.used),
                cohorts.map(\.cohort.expired), cohorts.map(\.cohort.deferred),
                cohorts.map { adjustment.subject == .bonus ? $0.cohort.allocated : nil }, cohorts.map(\.target),
            ])
    }

    private static func insert(_ adjustment: Adjustment, _ act: BookAdjustment) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO adjustment (
                id, subject, month, ends_at, breakage_policy_id, bonus_policy_id, target, amount, journal_entry_id,
                adjusted_by, recorded_at, basis_id)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
            """,
            [
                adjustment.id, adjustment.subject.rawValue, adjustment.month.description, act.endsAt,
                adjustment.subject == .breakage ? act.policies.breakage?.id : nil, act.policies.bonus?.id,
                adjustment.target, adjustment.amount, adjustment.journalEntryID, adjustment.adjustedBy,
                adjustment.recordedAt, act.basisID,
            ])
    }
}
