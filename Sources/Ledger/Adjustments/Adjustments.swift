package import CivilTime
package import Foundation
import Postgres

/// Accounting policies, and the adjustments that they ask for at the end of each month.
///
/// `docs/month-end.md` explains both with an example.
package struct Adjustments: Sendable {
    /// The result of setting a policy.
    package enum PolicyOutcome: Sendable, Equatable {
        /// Set now.
        case set(AccountingPolicy)
        /// The same policy was set for the same month before.
        case unchanged(AccountingPolicy)
        /// The month, or a part of it, is closed: the books are closed until this moment.
        case monthClosed(until: Date)
        /// The month or a later one is adjusted: this is the last one.
        case monthAdjusted(last: CivilMonth?)
    }

    private let pools: Pools

    init(_ pools: Pools) { self.pools = pools }

    /// Sets how a subject is accounted for from a month on.
    ///
    /// - Parameter zone: of the month.
    package func setPolicy(
        _ method: AccountingPolicy.Method, from month: CivilMonth, in zone: TimeZone, by caller: String
    ) async throws(LedgerError) -> PolicyOutcome {
        try await reading {
            do {
                let (policy, isNew) = try await pools.write(
                    AccountingPolicy.insert(method, from: month, start: month.start(in: zone), by: caller),
                    unlessSameAs: AccountingPolicy.inForce(in: month), lock: AccountingPolicy.lock
                ) { $0.method == method && $0.month == month }
                return isNew ? .set(policy) : .unchanged(policy)
            } catch let error as PostgresError {
                switch error.constraint {
                case "accounting_policy_of_open_month":
                    return .monthClosed(until: try await pools.writes.run(ClosedPeriod.openFrom) ?? .distantPast)
                case "accounting_policy_before_adjustment":
                    return .monthAdjusted(last: try await pools.writes.run(Adjustment.lastMonth))
                default: throw error
                }
            }
        }
    }

    /// All policies, the last set first.
    package func listPolicies(
        after cursor: After<Int64>? = nil, limit: Int
    ) async throws(LedgerError) -> Page<AccountingPolicy, After<Int64>> {
        try await reading {
            let found = try await pools.reads.run(AccountingPolicy.list(before: cursor?.id, limit: limit))
            return Page(found, limit: limit)
        }
    }

    /// The policies of a month.
    package func policies(in month: CivilMonth) async throws(LedgerError) -> PoliciesInForce {
        try await reading { PoliciesInForce(try await pools.reads.run(AccountingPolicy.inForce(in: month))) }
    }

    /// The balance to which a subject's account is adjusted.
    package func booked(_ subject: AccountingPolicy.Subject) async throws(LedgerError) -> Int64 {
        try await reading { try await pools.reads.run(Adjustment.last(of: subject))?.target ?? 0 }
    }

    /// The preview of a month's adjustment, from what the books have now.
    ///
    /// It reads the purchases of all months, so it takes as long as a report; callers wait for each other.
    ///
    /// - Parameter zone: of the months.
    package func preview(
        _ subject: AccountingPolicy.Subject, of month: CivilMonth, in zone: TimeZone
    ) async throws(LedgerError) -> AdjustmentPreview {
        try await reading {
            try await pools.adjusting.withConnection { connection in
                try await connection.transaction(mode: "ISOLATION LEVEL REPEATABLE READ READ ONLY") { connection in
                    try AdjustmentPreview(of: subject, in: month, zone, on: connection)
                }
            }
        }
    }

    /// Whether the books have more purchases than this, which it counts no further.
    package func hasMorePurchases(than few: Int64) async throws(LedgerError) -> Bool {
        try await reading {
            try await pools.reads.run(.one("SELECT EXISTS (SELECT FROM purchase OFFSET $1)", [few]))
        }
    }

    /// The act that books the adjustment of a month.
    ///
    /// The database measures in the same snapshot what the cohorts must add up to.
    ///
    /// - Parameter zone: of the months.
    package func adjustment(
        _ subject: AccountingPolicy.Subject, of month: CivilMonth, in zone: TimeZone, key: CallerKey
    ) async throws(LedgerError) -> BookAdjustment {
        try await reading {
            try await pools.adjusting.withConnection { connection in
                try await connection.transaction(mode: "ISOLATION LEVEL REPEATABLE READ") { connection in
                    let preview = try AdjustmentPreview(of: subject, in: month, zone, on: connection)
                    // Last, because others wait for transactions that have written.
                    let basis = try connection.run(Adjustment.measureBasis(of: month, in: zone))
                    return BookAdjustment(
                        idempotencyKey: key, subject: subject, month: month, endsAt: month.next.start(in: zone),
                        policies: preview.policies, cohorts: preview.cohorts, basisID: basis)
                }
            }
        }
    }

    /// What is not booked of the months that were over at a moment, since the closing before it, oldest month first.
    package func missing(
        until: Date, in zone: TimeZone, limit: Int
    ) async throws(LedgerError) -> [MissingAdjustment] {
        try await reading {
            try await pools.missing(before: until) { from in
                MissingAdjustment.list(from: from, until: until, in: zone, limit: limit)
            }
        }
    }

    /// The adjustment with this id; nil: not found.
    package func find(_ id: Int64) async throws(LedgerError) -> Adjustment? {
        try await reading { try await pools.writes.run(Adjustment.find([id])).first }
    }

    /// What an adjustment comes from, by month of sale.
    package func cohorts(of id: Int64) async throws(LedgerError) -> [AdjustmentCohort] {
        try await reading { try await pools.reads.run(AdjustmentCohort.list(of: id)) }
    }

    /// Adjustments, the last one first.
    package func list(
        after cursor: AdjustmentCursor? = nil, limit: Int
    ) async throws(LedgerError) -> Page<Adjustment, AdjustmentCursor> {
        try await reading {
            let found = try await pools.reads.run(Adjustment.list(before: cursor?.number, limit: limit))
            let page = Page(found, limit: limit) { $0.last.map { AdjustmentCursor(number: $0.number) } }
            return Page(elements: page.elements.map(\.adjustment), next: page.next)
        }
    }
}

extension AdjustmentPreview {
    /// What the session's snapshot says.
    fileprivate init(
        of subject: AccountingPolicy.Subject, in month: CivilMonth, _ zone: TimeZone,
        on connection: isolated PostgresConnection
    ) throws {
        let policies = PoliciesInForce(try connection.run(AccountingPolicy.inForce(in: month)))
        let last = try connection.run(Adjustment.last(of: subject))
        let cohorts = try connection.run(
            Cohort.list(before: month.next.start(in: zone), in: zone, for: subject, policies))
        self.init(
            policies: policies,
            cohorts: cohorts.map { AdjustmentCohort(cohort: $0, target: $0.target(by: policies[subject]?.method)) },
            booked: last?.target ?? 0)
    }
}

extension Cohort {
    /// The cohorts of a subject before a moment.
    fileprivate static func list(
        before end: Date, in zone: TimeZone, for subject: AccountingPolicy.Subject, _ policies: PoliciesInForce
    ) -> PostgresQuery<[Cohort]> {
        PostgresQuery(
            CohortSQL.cohorts(
                where: { "\($0).effective_at < $1::timestamptz" }, in: "$2::text",
                bonusPrice: policies.bonus?.method.bonusPrice ?? (subject == .bonus ? 0 : nil),
                scaled: subject == .breakage),
            [end, zone.identifier])
    }
}
