import Foundation
import Postgres

/// Stores reconciliation runs: requests, progress and results.
package struct Reconciliations: Sendable {
    /// How long a lease lasts without being renewed: longer than a page or a batch of look-ups can take.
    package static var lease: Duration { .seconds(150) }
    /// The number of failures in a row after which a run ends as failed.
    static let mostFailures: Int64 = 60

    let pools: Pools
    private let presence: Presence

    init(_ pools: Pools, _ presence: Presence) {
        self.pools = pools
        self.presence = presence
    }

    /// The result of starting a run.
    package struct Started: Sendable {
        /// The run.
        package let run: ReconciliationRun
        /// Whether an earlier request with the same idempotency key started it.
        package let isRepeat: Bool
    }

    /// Starts a run at a stage.
    ///
    /// - Returns: nil when the day already has a run, or the idempotency key was used for another period.
    package func start(_ draft: ReconciliationDraft, stage: String) async throws(LedgerError) -> Started? {
        try await reading {
            if let run = try await pools.work.run(ReconciliationRun.insert(draft, stage: stage)) {
                return Started(run: run, isRepeat: false)
            }
            guard let key = draft.key, let run = try await pools.work.run(ReconciliationRun.find(key)),
                run.period.isStored(as: draft.period), run.heals == draft.heals
            else { return nil }
            return Started(run: run, isRepeat: true)
        }
    }

    /// The unfinished run with the same period, gateways and mode; nil: none.
    package func unfinished(_ draft: ReconciliationDraft) async throws(LedgerError) -> ReconciliationRun? {
        try await reading { try await pools.work.run(ReconciliationRun.unfinished(draft)) }
    }

    /// The latest day that has a daily run, such as `2026-11-20`.
    package func latestDay() async throws(LedgerError) -> String? {
        try await reading { try await pools.work.run(ReconciliationRun.latestDay) }
    }

    /// The run that was started under a key; nil: none.
    package func find(under key: CallerKey) async throws(LedgerError) -> ReconciliationRun? {
        try await reading { try await pools.work.run(ReconciliationRun.find(key)) }
    }

    /// The run with this id.
    package func find(_ id: Int64) async throws(LedgerError) -> ReconciliationRun? {
        try await reading { try await pools.work.run(ReconciliationRun.find(id)) }
    }

    /// The counts of a run so far.
    package func counts(of run: ReconciliationRun) async throws(LedgerError) -> ReconciliationCounts {
        if let counts = run.counts { return counts }
        return try await reading {
            ReconciliationCounts(try await pools.work.run(ReconciliationCounts.groups(of: run.id)))
        }
    }

    /// Runs that were started in the period, newest first.
    ///
    /// - Parameter status: only runs with this status; nil: all.
    package func list(
        in period: Period = .always, _ status: ReconciliationRun.Status? = nil,
        after cursor: After<Int64>? = nil, limit: Int
    ) async throws(LedgerError) -> Page<ReconciliationRun, After<Int64>> {
        try await reading {
            let found = try await pools.work.run(
                ReconciliationRun.list(in: period, status, before: cursor?.id, limit: limit))
            return Page(found, limit: limit)
        }
    }

    /// A run's payments of these kinds, in the order in which they were found.
    package func listItems(
        of run: Int64, _ kinds: [ReconciliationKind] = ReconciliationKind.allCases,
        after cursor: After<Int64>? = nil, limit: Int
    ) async throws(LedgerError) -> Page<ReconciliationItem, After<Int64>> {
        try await reading {
            let found = try await pools.work.run(
                ReconciliationItem.list(of: run, kinds, after: cursor?.id, limit: limit))
            return Page(found, limit: limit)
        }
    }

    /// The purchases that share `imp_uid` or `merchant_uid` with one of the payments, at any gateway.
    package func purchases(sharing payments: [PaymentIdentity]) async throws(LedgerError) -> KnownPurchases {
        try await reading { KnownPurchases(try await pools.work.run(Purchase.refunding(sharing: payments))) }
    }
}

extension Range<Date> {
    /// Whether the database stores both as the same period: it rounds times to microseconds.
    fileprivate func isStored(as other: Self) -> Bool {
        lowerBound.microsecondsSince1970 == other.lowerBound.microsecondsSince1970
            && upperBound.microsecondsSince1970 == other.upperBound.microsecondsSince1970
    }
}

// MARK: - Working on a run

extension Reconciliations {
    /// Takes the lease of a free run: of this one, or of the one that has waited longest.
    ///
    /// - Parameter gateways: the gateways that this process can ask. Runs with other gateways are not taken.
    package func take(
        _ id: Int64? = nil, ofGateways gateways: [String]
    ) async throws(LedgerError) -> ReconciliationLease? {
        let token = UUID().uuidString
        return try await reading {
            let take = ReconciliationRun.take(
                id, ofGateways: gateways, token: token, for: Self.lease, by: presence.leaseHolder)
            return try await pools.work.run(take).map { ReconciliationLease(run: $0, token: token) }
        }
    }

    /// Stores the payments of a page, and the next place of the run, in one transaction.
    ///
    /// - Returns: false when another process has the lease. Then nothing was changed.
    package func advance(
        _ lease: ReconciliationLease, to stage: String, place: String?, adding comparisons: [Comparison] = []
    ) async throws(LedgerError) -> Bool {
        // The run's row is updated first: a process that takes the run over waits for it, or already has the lease, and
        // then nothing is added here.
        let advance = ReconciliationRun.advance(lease, to: stage, place: place, for: Self.lease)
        return try await reading {
            guard !comparisons.isEmpty else { return try await pools.work.run(advance) == 1 }
            return try await pools.work.withConnection { connection in
                try await connection.pipeline(advance, ReconciliationItem.insert(comparisons, lease)).0 == 1
            }
        }
    }

    /// Adds purchases that were paid or refunded in the run's period and were not found at the gateways.
    package func addCredited(_ lease: ReconciliationLease) async throws(LedgerError) {
        try await reading { _ = try await pools.work.run(ReconciliationItem.insertCredited(lease)) }
    }

    /// Payments that are not examined yet, at most `limit`.
    package func unexamined(
        of lease: ReconciliationLease, limit: Int
    ) async throws(LedgerError) -> [ReconciliationItem] {
        try await reading { try await pools.work.run(ReconciliationItem.unexamined(of: lease.run.id, limit: limit)) }
    }

    /// Stores the results of examining payments.
    ///
    /// A comparison of nil removes a payment that neither side has.
    package func store(
        _ examined: [(id: Int64, comparison: Comparison?)], of lease: ReconciliationLease
    ) async throws(LedgerError) {
        let kept = examined.compactMap { item in item.comparison.map { (id: item.id, comparison: $0) } }
        let gone = examined.filter { $0.comparison == nil }.map(\.id)
        try await reading {
            if !kept.isEmpty { _ = try await pools.work.run(ReconciliationItem.update(kept, of: lease)) }
            if !gone.isEmpty { _ = try await pools.work.run(ReconciliationItem.remove(gone, of: lease)) }
        }
    }

    /// Merges payments that two APIs of a gateway returned.
    ///
    /// The credited one stays, or otherwise that of the first API.
    package func unite(_ lease: ReconciliationLease) async throws(LedgerError) {
        try await reading { _ = try await pools.work.run(ReconciliationItem.removeTwins(of: lease)) }
    }

    /// Differences that the gateway's records may settle and that nothing was done about yet, at most `limit`.
    package func unhealed(
        of lease: ReconciliationLease, limit: Int
    ) async throws(LedgerError) -> [ReconciliationItem] {
        try await reading { try await pools.work.run(ReconciliationItem.unhealed(of: lease.run.id, limit: limit)) }
    }

    /// Stores what was done about payments.
    package func store(
        _ outcomes: [(id: Int64, outcome: ReconciliationOutcome)], of lease: ReconciliationLease
    ) async throws(LedgerError) {
        try await reading { _ = try await pools.work.run(ReconciliationItem.update(outcomes, of: lease)) }
    }

    /// Marks all other differences as decisions for a person.
    package func leaveToPerson(_ lease: ReconciliationLease) async throws(LedgerError) {
        try await reading { _ = try await pools.work.run(ReconciliationItem.leaveToPerson(of: lease)) }
    }

    /// Ends a run.
    ///
    /// - Returns: the counts; nil when another process has the lease.
    package func complete(_ lease: ReconciliationLease) async throws(LedgerError) -> ReconciliationCounts? {
        try await reading {
            let counts = ReconciliationCounts(try await pools.work.run(ReconciliationCounts.groups(of: lease.run.id)))
            return try await pools.work.run(ReconciliationRun.complete(lease, counts)) == 1 ? counts : nil
        }
    }

    /// Gives the lease back, so that the run can be taken after `delay`.
    ///
    /// A run with too many failures in a row ends as failed.
    package func release(
        _ lease: ReconciliationLease, because failure: String? = nil, after delay: Duration = .zero
    ) async throws(LedgerError) {
        try await reading {
            _ = try await pools.work.run(
                ReconciliationRun.release(lease, because: failure, after: delay, mostFailures: Self.mostFailures))
        }
    }
}
