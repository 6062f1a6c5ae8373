import Foundation
import Ledger
import Logging
import Metrics
import ServiceLifecycle

/// Reconciles the days that are over, and works on runs that were asked for, one after the other.
///
/// Every process tries: one of them makes a day's run, for a day has one, and one at a time has the right to a run.
struct ReconciliationService: Service {
    let reconciler: Reconciler
    let schedule: DailySchedule
    let logger: Logger
    private let differences = Meter(label: "ledgerd_reconciliation_differences")

    /// How often is looked for what is due.
    private static let shortestPause: Duration = .seconds(1)
    /// How often at the least while the database is away.
    private static let longestPause: Duration = .seconds(15)

    init(reconciler: Reconciler, schedule: DailySchedule, logger: Logger) {
        self.reconciler = reconciler
        self.schedule = schedule
        self.logger = logger
    }

    private var reconciliations: Reconciliations { reconciler.ledger.reconciliations }
    private var gateways: [String] { reconciler.gateways.all.map(\.name) }

    /// Works until the service shuts down; a run is left at the page it has come to.
    func run() async throws {
        let repetition = Repetition(
            pause: Self.shortestPause, longestPause: Self.longestPause,
            failure: "reconciliations can't be worked on now", logger: logger)
        var lastDay: String?
        await repetition.run {
            lastDay = try await beginDays(after: lastDay)
            while !Repetition.isOver, let lease = try await reconciliations.take(ofGateways: gateways) {
                count(await reconciler.work(on: lease), lease.run)
            }
            return .afterPause
        }
    }

    /// Makes the runs of days whose time has come.
    ///
    /// - Returns: the latest day that has a run, as far as this process knows.
    private func beginDays(after known: String?) async throws(LedgerError) -> String? {
        let now = Date()
        guard let latest = schedule.latest(at: now), known != latest.name else { return known }
        let last = try await reconciliations.latestDay()
        for day in schedule.due(after: last, at: now) {
            let draft = ReconciliationDraft(period: day.period, heals: true, gateways: gateways, day: day.name)
            let run = try await reconciliations.start(draft)
            if let run { logger.info("a day is reconciled", metadata: ["day": "\(day.name)", "id": "\(run.run.id)"]) }
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
                "reconciled",
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
    /// Makes a run; see ``start(_:stage:)``.
    func start(_ draft: ReconciliationDraft) async throws(LedgerError) -> Started? {
        let stages = ReconciliationStage.of(gateways: draft.gateways, heals: draft.heals)
        return try await start(draft, stage: (stages.first ?? .books).rawValue)
    }
}
