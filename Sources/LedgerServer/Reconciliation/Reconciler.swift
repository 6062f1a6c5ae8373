import Foundation
import Ledger
import Logging
import PGVerifier
import ServiceLifecycle

/// Performs a run: reads the gateways' lists of the period, compares each page with the books, examines mismatches,
/// and, on request, fixes the differences that the gateway's records settle.
///
/// The position is stored with each page, so that another process can continue the run.
struct Reconciler: Sendable {
    let gateways: Gateways
    let ledger: Ledger
    let policy: VerdictPolicy
    let logger: Logger
    let healer: ReconciliationHealer
    let reviewer: PaymentReviewer

    /// The result of working on a run.
    enum End: Sendable {
        /// The run is completed.
        case completed(ReconciliationCounts)
        /// Another process has taken over the run.
        case takenOver
        /// This process is stopping; the run continues later.
        case interrupted
        /// The gateway or the database was unavailable; the run continues later.
        case failed(String)
    }

    /// The progress of a run.
    struct Progress: Sendable {
        let stage: ReconciliationStage
        /// The number of the stage in the run, from 1.
        let number: Int
        let stages: Int
        /// The number of payments in the stage since this process took the run.
        var payments = 0
        /// The number of payments of the whole stage; nil if unknown.
        var total: Int?
        /// Whether the stage began in this process, so that what it has met is a part of the total.
        fileprivate let isCounted: Bool
    }

    typealias Report = @Sendable (Progress) -> Void

    /// The number of payments that are examined at the same time.
    static let concurrency = 64

    init(crediter: ReceiptCrediter, reviewer: PaymentReviewer, logger: Logger) {
        gateways = crediter.gateways
        ledger = crediter.ledger
        policy = crediter.rules.policy
        self.logger = logger
        healer = ReconciliationHealer(crediter: crediter, reviewer: reviewer)
        self.reviewer = reviewer
    }

    /// Works on a run until it ends or fails.
    ///
    /// - Parameter report: gets the progress.
    func work(on lease: ReconciliationLease, report: Report? = nil) async -> End {
        do {
            var place = lease.run.place
            for stage in lease.run.stagesLeft {
                if let end = try await perform(stage, of: lease, from: place, report) { return end }
                place = nil
            }
            let counts = try await ledger.reconciliations.complete(lease)
            return counts.map(End.completed) ?? .takenOver
        } catch {
            return await giveBack(lease, because: error)
        }
    }

    /// - Returns: nil if the stage is complete.
    private func perform(
        _ stage: ReconciliationStage, of lease: ReconciliationLease, from place: String?,
        _ report: Report?
    ) async throws -> End? {
        var progress = try await begin(stage, of: lease, isCounted: report != nil && place == nil)
        var place = place
        repeat {
            report?(progress)
            if Task.isCancelled || Task.isShuttingDownGracefully {
                try await ledger.reconciliations.release(lease)
                return .interrupted
            }
            let step = try await step(stage, of: lease, at: place)
            progress.payments += step.payments
            if progress.isCounted, let total = step.total { progress.total = total }
            guard try await keep(step, stage, lease) else { return .takenOver }
            place = step.next
        } while place != nil
        report?(progress)
        return nil
    }

    /// Counts what the stage is to do, if somebody wants to know and it begins.
    private func begin(
        _ stage: ReconciliationStage, of lease: ReconciliationLease, isCounted: Bool
    ) async throws -> Progress {
        let stages = ReconciliationStage.of(gateways: lease.run.gateways, heals: lease.run.heals)
        var progress = Progress(
            stage: stage, number: (stages.firstIndex(of: stage) ?? 0) + 1, stages: stages.count, isCounted: isCounted)
        guard isCounted, stage == .examining || stage == .healing else { return progress }
        let counts = try await ledger.reconciliations.counts(of: lease.run)
        let healable = ReconciliationKind.allCases.filter(\.isHealable).reduce(0) { $0 + counts.count(of: $1) }
        progress.total = Int(stage == .examining ? counts.unexamined : healable)
        return progress
    }

    /// The result of one page or batch.
    private struct Step {
        var comparisons: [Comparison] = []
        var payments = 0
        /// The number of payments on all pages; nil if the gateway does not tell.
        var total: Int?
        /// The position of the next page; nil if the stage is complete.
        var next: String?
    }

    private func step(
        _ stage: ReconciliationStage, of lease: ReconciliationLease, at place: String?
    ) async throws -> Step {
        switch stage {
        case .list(let name, let list):
            guard let gateway = gateways.gateway(named: name) as? any ListsChanges else { return Step() }
            let page = try await gateway.page(of: list, in: lease.run.period, at: place)
            let comparisons = try await firstLook(at: page.elements, lease.run.period)
            return Step(
                comparisons: comparisons, payments: page.elements.count, total: page.total, next: page.next)
        case .books:
            try await ledger.reconciliations.addCredited(lease)
            return Step()
        case .examining:
            let examined = try await examine(some: lease)
            if examined == 0 { try await ledger.reconciliations.unite(lease) }
            return batch(examined)
        case .healing: return batch(try await heal(some: lease))
        }
    }

    /// The step of a batch.
    ///
    /// Batches select items by their state, so the position only tells that there can be more.
    private func batch(_ payments: Int) -> Step { Step(payments: payments, next: payments > 0 ? "more" : nil) }

    /// Stores a step and the next position.
    private func keep(_ step: Step, _ stage: ReconciliationStage, _ lease: ReconciliationLease) async throws -> Bool {
        let next = step.next == nil ? ReconciliationStage.after(stage, in: lease.run) : stage
        return try await ledger.reconciliations.advance(
            lease, to: (next ?? stage).rawValue, place: step.next, adding: step.comparisons)
    }

    private func giveBack(_ lease: ReconciliationLease, because error: any Error) async -> End {
        let reason = "\(error)"
        logger.warning("reconciliation interrupted", metadata: ["id": "\(lease.run.id)", "error": "\(reason)"])
        // A run that waits for the decision of a refund has not failed, however long that takes.
        let isFailure = !(error is RefundUndecided)
        let delay =
            isFailure ? Backoff.reconciliation.delay(afterAttempts: Int(lease.run.failures)) : .seconds(60)
        // If this fails too, the lease ends by itself.
        try? await ledger.reconciliations.release(lease, because: isFailure ? reason : nil, after: delay)
        return .failed(reason)
    }
}

extension ReconciliationStage {
    /// The stage after this one; nil for the last.
    fileprivate static func after(_ stage: Self, in run: ReconciliationRun) -> Self? {
        of(gateways: run.gateways, heals: run.heals).drop { $0 != stage }.dropFirst().first
    }
}

extension Backoff {
    /// The delays after a failure of a run.
    fileprivate static let reconciliation = Backoff(base: .seconds(5), cap: .seconds(900), floor: .seconds(1))
}
