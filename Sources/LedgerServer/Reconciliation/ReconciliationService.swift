import Foundation
package import Ledger
import Logging
import Metrics
import ServiceLifecycle
import Timing

/// Starts the daily reconciliations, and performs all runs, one after the other.
///
/// Every process does this: a day has only one run, and only one process at a time can take a run.
struct ReconciliationService: Service {
    let reconciler: Reconciler
    let schedule: DailySchedule
    let logger: Logger
    private let differences = Meter(label: "ledgerd_reconciliation_differences")

    /// The pause between two checks for due runs.
    private static let shortestPause: Duration = .seconds(1)
    /// The maximum pause while the database is unavailable.
    private static let longestPause: Duration = .seconds(15)

    init(reconciler: Reconciler, schedule: DailySchedule, logger: Logger) {
        self.reconciler = reconciler
        self.schedule = schedule
        self.logger = logger
    }

    private var reconciliations: Reconciliations { reconciler.ledger.reconciliations }
    private var gateways: [String] { reconciler.gateways.all.map { $0.name } }

    /// Performs runs until the service shuts down; an interrupted run continues at its last page.
    func run() async throws {
        let repetition = Repetition(
            pause: Self.shortestPause, longestPause: Self.longestPause,
            failure: "can't perform reconciliations now", logger: logger)
        var lastDay: String?
        await repetition.run {
            lastDay = try await beginDays(after: lastDay)
            while !Repetition.isOver, let lease = try await reconciliations.take(ofGateways: gateways) {
                count(await reconciler.work(on: lease), lease.run)
            }
            return .afterPause
        }
    }

    /// Starts the runs of due days.
    ///
    /// - Returns: the latest day that has a run, as far as this process knows.
    private func beginDays(after known: String?) async throws(LedgerError) -> String? {
        let now = Time.current.now
        guard let latest = schedule.latest(at: now), known != latest.name else { return known }
        let last = try await reconciliations.latestDay()
        for day in schedule.due(after: last, at: now) {
            let draft = ReconciliationDraft(period: day.period, heals: true, gateways: gateways, day: day.name)
            guard let run = try await reconciliations.start(draft)?.run else { continue }
            logger.info("daily reconciliation started", metadata: ["day": "\(day.name)", "id": "\(run.id)"])
        }
        return latest.name
    }

    private func count(_ end: Reconciler.End, _ run: ReconciliationRun) {
        let outcome: String
        switch end {
        case .completed(let counts):
            outcome = counts.differences == 0 ? "agrees" : "differs"
            differences.set(counts.differences)
            logger.info(
                "reconciliation completed",
                metadata: [
                    "id": "\(run.id)", "payments": "\(counts.payments)", "differences": "\(counts.differences)",
                    "healed": "\(counts.healed)",
                ])
        case .takenOver: outcome = "taken_over"
        case .interrupted: outcome = "interrupted"
        case .failed: outcome = "failed"
        }
        Counter(label: "ledgerd_reconciliation_runs_total", dimensions: [("outcome", outcome)]).increment()
    }
}

extension Reconciliations {
    /// Starts a run; see ``start(_:stage:)``.
    package func start(_ draft: ReconciliationDraft) async throws(LedgerError) -> Started? {
        let stages = ReconciliationStage.of(gateways: draft.gateways, heals: draft.heals)
        return try await start(draft, stage: (stages.first ?? .books).rawValue)
    }
}
