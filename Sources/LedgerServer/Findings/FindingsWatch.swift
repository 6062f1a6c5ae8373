import Ledger
import Logging
import Metrics
import ServiceLifecycle
import Timing

/// Notes each minute the hours in which more moved than a limit allows, resolves the findings that the books have ended, and shows
/// what waits for people in the metrics.
///
/// Several processes may do so: they come to the same.
struct FindingsWatch: Service {
    let ledger: Ledger
    let limits: HourlyLimits
    let logger: Logger

    private static let interval = Duration.seconds(60)

    /// Runs until the service shuts down.
    func run() async throws {
        let repetition = Repetition(
            pause: Self.interval, longestPause: Self.interval, failure: "can't look at findings now", logger: logger)
        var shown = WaitingMetrics()
        await repetition.run {
            try await ledger.findings.note(above: limits, at: Time.current.now)
            try await ledger.findings.settle()
            shown.show(try await ledger.figures.waitingForPeople())
            Gauge(label: "ledgerd_refund_questions_deadline_timestamp_seconds")
                .record(try await ledger.refundQuestions.firstDeadline()?.timeIntervalSince1970 ?? 0)
            return .afterPause
        }
    }
}

/// The gauges of what waits for people.
struct WaitingMetrics {
    /// The acts of proposals that were shown: without proposals they show 0.
    private var acts: Set<String> = []

    /// Sets the gauges of all kinds of findings, and of all acts that were ever proposed in this process's time.
    mutating func show(_ waiting: WaitingForPeople) {
        acts.formUnion(waiting.approvals.map(\.name))
        show(
            waiting.findings, of: Finding.Kind.all.map(\.rawValue), label: "kind", count: "ledgerd_findings_open",
            age: "ledgerd_findings_oldest_seconds")
        show(
            waiting.approvals, of: acts.sorted(), label: "act", count: "ledgerd_approvals_waiting",
            age: "ledgerd_approvals_oldest_seconds")
    }

    private func show(
        _ groups: [WaitingForPeople.Group], of names: [String], label: String, count: String, age: String
    ) {
        let found = Dictionary(groups.map { ($0.name, $0) }) { first, _ in first }
        for name in names {
            Gauge(label: count, dimensions: [(label, name)]).record(found[name]?.count ?? 0)
            Gauge(label: age, dimensions: [(label, name)]).record(found[name]?.age ?? 0)
        }
    }
}
