import Foundation
import Ledger
import Logging
import Timing

/// Performs a run within the command `ledgerd reconcile`.
struct ReconciliationAtTerminal: Sendable {
    private let ledger: Ledger
    private let reconciler: Reconciler
    private let gateways: [String]
    private let statusLine: StatusLine?

    init(
        crediter: ReceiptCrediter, usedBonus: UsedBonus, freezesDisputed: Bool, grace: Duration,
        statusLine: StatusLine?
    ) {
        let logger = Logger(label: "ledgerd", factory: { _ in SwiftLogNoOpLogHandler() })
        self.statusLine = statusLine
        ledger = crediter.ledger
        gateways = crediter.gateways.all.map { $0.name }
        reconciler = Reconciler(
            crediter: crediter,
            reviewer: PaymentReviewer(
                crediter: crediter, usedBonus: usedBonus, freezesDisputed: freezesDisputed, grace: grace,
                logger: logger),
            logger: logger)
    }

    /// Starts a run, or continues an interrupted one of the same request, and prints the result.
    ///
    /// - Returns: the number of remaining differences.
    func perform(_ period: Range<Date>, heals: Bool, asJSON: Bool) async throws -> Int64 {
        let draft = ReconciliationDraft(period: period, heals: heals, gateways: gateways)
        let run = try await end(of: try await begin(draft))
        let counts = try await ledger.reconciliations.counts(of: run)
        let report = ReconciliationPrinter(ledger: ledger, run: run, counts: counts)
        if asJSON { try await report.printJSON() } else { try await report.printText() }
        return counts.differences
    }

    private func begin(_ draft: ReconciliationDraft) async throws -> ReconciliationRun {
        if let run = try await ledger.reconciliations.unfinished(draft) { return run }
        guard let started = try await ledger.reconciliations.start(draft) else {
            throw LedgerError.unexpected("a run was not created")
        }
        return started.run
    }

    /// Performs the run, or waits while another process does.
    private func end(of run: ReconciliationRun) async throws -> ReconciliationRun {
        let report: Reconciler.Report? = statusLine.map { line in
            { @Sendable progress in line.show(progress.text) }
        }
        while true {
            if let lease = try await ledger.reconciliations.take(run.id, ofGateways: gateways) {
                let end = await reconciler.work(on: lease, report: report)
                statusLine?.end()
                if case .failed(let reason) = end { throw RunFailed(id: run.id, reason: reason) }
            }
            guard let now = try await ledger.reconciliations.find(run.id) else {
                throw RunFailed(id: run.id, reason: "")
            }
            switch now.status {
            case .completed: return now
            case .failed: throw RunFailed(id: run.id, reason: now.failure ?? "")
            case .running: try await Time.current.sleep(for: .seconds(1))
            }
        }
    }

    /// The error of an interrupted run.
    struct RunFailed: Error, CustomStringConvertible {
        let id: Int64
        let reason: String

        var description: String {
            "reconciliation \(id) was interrupted: \(reason); repeat the command to continue it"
        }
    }
}

extension Reconciler.Progress {
    /// For a person, such as `5/6 examining: 64 of 120 payments`.
    fileprivate var text: String {
        let total = total.map { " of \($0)" } ?? ""
        return "\(number)/\(stages) \(stage.rawValue): \(payments)\(total) payments"
    }
}
