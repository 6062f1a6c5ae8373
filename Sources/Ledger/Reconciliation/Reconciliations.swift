import Foundation
import Postgres

/// Comparisons of the gateways' payments with the books: what is asked for, how far it has come, and what it found.
package struct Reconciliations: Sendable {
    /// How long a process may work on a run without a word: longer than a page, or a batch of look-ups, can take.
    package static var lease: Duration { .seconds(150) }
    /// How often in a row a run may fail before it is given up.
    static let mostFailures: Int64 = 60

    private let pools: Pools

    init(_ pools: Pools) { self.pools = pools }

    /// A run, and whether it was there before.
    package struct Started: Sendable {
        /// The run.
        package let run: ReconciliationRun
        /// Whether an earlier request with the same key made it.
        package let isRepeat: Bool
    }

    /// Makes a run that begins with a stage.
    ///
    /// - Returns: nil when the draft is of a day that has a run, or its key was used for another period.
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

    /// The run of exactly this that has not ended, if there is one.
    package func unfinished(_ draft: ReconciliationDraft) async throws(LedgerError) -> ReconciliationRun? {
        try await reading { try await pools.work.run(ReconciliationRun.unfinished(draft)) }
    }

    /// The latest day, `2026-11-20`, that has a daily run.
    package func latestDay() async throws(LedgerError) -> String? {
        try await reading { try await pools.work.run(ReconciliationRun.latestDay) }
    }

    /// The run with this id.
    package func find(_ id: Int64) async throws(LedgerError) -> ReconciliationRun? {
        try await reading { try await pools.work.run(ReconciliationRun.find(id)) }
    }

    /// What a run has come to so far.
    package func counts(of run: ReconciliationRun) async throws(LedgerError) -> ReconciliationCounts {
        if let counts = run.counts { return counts }
        return try await reading {
            ReconciliationCounts(try await pools.work.run(ReconciliationCounts.groups(of: run.id)))
        }
    }

    /// Runs that were started in the period, newest first.
    ///
    /// - Parameter status: only those that stand so.
    package func list(
        in period: Period = .always, _ status: ReconciliationRun.Status? = nil,
        after cursor: ReconciliationCursor? = nil, limit: Int
    ) async throws(LedgerError) -> Page<ReconciliationRun, ReconciliationCursor> {
        try await reading {
            let found = try await pools.work.run(
                ReconciliationRun.list(in: period, status, before: cursor?.id, limit: limit))
            return Page(found, limit: limit) { shown in shown.last.map { ReconciliationCursor(id: $0.id) } }
        }
    }

    /// A run's payments of these kinds, in the order in which they were found.
    package func listItems(
        of run: Int64, _ kinds: [ReconciliationKind] = ReconciliationKind.allCases,
        after cursor: ReconciliationCursor? = nil, limit: Int
    ) async throws(LedgerError) -> Page<ReconciliationItem, ReconciliationCursor> {
        try await reading {
            let found = try await pools.work.run(
                ReconciliationItem.list(of: run, kinds, after: cursor?.id, limit: limit))
            return Page(found, limit: limit) { shown in shown.last.map { ReconciliationCursor(id: $0.id) } }
        }
    }

    /// The purchases that share their `imp_uid` or `merchant_uid` with one of the payments, whatever the gateway.
    package func purchases(sharing payments: [PaymentIdentity]) async throws(LedgerError) -> KnownPurchases {
        try await reading { KnownPurchases(try await pools.work.run(Purchase.refunding(sharing: payments))) }
    }
}

extension Range<Date> {
    /// Whether the database keeps both as the same: to the microsecond, which floating-point numbers may miss by a bit.
    fileprivate func isStored(as other: Self) -> Bool {
        lowerBound.microsecondsSince1970 == other.lowerBound.microsecondsSince1970
            && upperBound.microsecondsSince1970 == other.upperBound.microsecondsSince1970
    }
}

/// Where a list of runs or of their payments goes on.
package struct ReconciliationCursor: Sendable, Codable, Equatable {
    /// The last one's id.
    package let id: Int64
}

// MARK: - Working on a run

extension Reconciliations {
    /// Takes a run on which nobody works: this one, or the one that waits longest.
    ///
    /// - Parameter gateways: those that can be asked here; runs about others are not taken.
    package func take(
        _ id: Int64? = nil, ofGateways gateways: [String]
    ) async throws(LedgerError) -> ReconciliationLease? {
        let token = UUID().uuidString
        return try await reading {
            try await pools.work.run(ReconciliationRun.take(id, ofGateways: gateways, token: token, for: Self.lease))
                .map { ReconciliationLease(run: $0, token: token) }
        }
    }

    /// Stores what a page came to, and where the run goes on after it, in one transaction.
    ///
    /// - Returns: false when the right to the run has passed to another process; nothing was moved on.
    package func advance(
        _ lease: ReconciliationLease, to stage: String, place: String?, adding comparisons: [Comparison] = []
    ) async throws(LedgerError) -> Bool {
        // The run's row goes first: whoever took the run over waits for it, or has it and nothing is added here.
        let advance = ReconciliationRun.advance(lease, to: stage, place: place, for: Self.lease)
        return try await reading {
            guard !comparisons.isEmpty else { return try await pools.work.run(advance) == 1 }
            return try await pools.work.withConnection { connection in
                try await connection.pipeline(advance, ReconciliationItem.insert(comparisons, lease)).0 == 1
            }
        }
    }

    /// Adds what was credited as paid in the run's period, or given back in it, and was not met at the gateways.
    package func addCredited(_ lease: ReconciliationLease) async throws(LedgerError) {
        try await reading { _ = try await pools.work.run(ReconciliationItem.insertCredited(lease)) }
    }

    /// Some of the payments that are still to be examined.
    package func unexamined(
        of lease: ReconciliationLease, limit: Int
    ) async throws(LedgerError) -> [ReconciliationItem] {
        try await reading { try await pools.work.run(ReconciliationItem.unexamined(of: lease.run.id, limit: limit)) }
    }

    /// Stores what examining payments came to, and takes those out of the run that neither side has: nil.
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

    /// Makes one of the payments that were met through two APIs of a gateway: the one that was credited stays, or else
    /// the first API's.
    package func unite(_ lease: ReconciliationLease) async throws(LedgerError) {
        try await reading { _ = try await pools.work.run(ReconciliationItem.removeTwins(of: lease)) }
    }

    /// Some of the payments about which nothing was done yet although the gateway's word may decide them.
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

    /// Leaves all other differences to a person.
    package func leaveToPerson(_ lease: ReconciliationLease) async throws(LedgerError) {
        try await reading { _ = try await pools.work.run(ReconciliationItem.leaveToPerson(of: lease)) }
    }

    /// Ends a run.
    ///
    /// - Returns: what it came to; nil when the right to it has passed to another process.
    package func complete(_ lease: ReconciliationLease) async throws(LedgerError) -> ReconciliationCounts? {
        try await reading {
            let counts = ReconciliationCounts(try await pools.work.run(ReconciliationCounts.groups(of: lease.run.id)))
            return try await pools.work.run(ReconciliationRun.complete(lease, counts)) == 1 ? counts : nil
        }
    }

    /// Gives a run back, to be taken up after a while; one that failed too often in a row is given up.
    package func release(
        _ lease: ReconciliationLease, because failure: String? = nil, after delay: Duration = .zero
    ) async throws(LedgerError) {
        try await reading {
            _ = try await pools.work.run(
                ReconciliationRun.release(lease, because: failure, after: delay, mostFailures: Self.mostFailures))
        }
    }
}
