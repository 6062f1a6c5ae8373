import Ledger
import Logging
import Metrics
import ServiceLifecycle
import Timing

/// Numbers what happened, as soon as it is committed.
///
/// Several processes can do this at the same time; each event is numbered once.
struct EventPublishingService: Service {
    let ledger: Ledger
    let logger: Logger
    /// Rung after each commit of this process.
    let wakeup: Wakeup

    /// The longest pause: for occurrences, and for entries of a process that ended before it published them.
    private static let interval: Duration = .milliseconds(250)
    /// The shortest time between two batches, so that under load many events share one: a batch takes the time of several
    /// acts from the writers.
    private static let shortestPause: Duration = .milliseconds(50)
    /// The time between two measurements of the lag.
    private static let lagInterval: Duration = .seconds(5)

    private let published = Counter(label: "ledgerd_events_published_total")
    private let lag = Gauge(label: "ledgerd_events_lag_seconds")

    init(ledger: Ledger, wakeup: Wakeup, logger: Logger) {
        self.ledger = ledger
        self.wakeup = wakeup
        self.logger = logger
    }

    /// Runs until the service shuts down.
    func run() async throws {
        let repetition = Repetition(
            pause: Self.interval, longestPause: .seconds(4), failure: "can't publish events now",
            recovery: "publishing events again", logger: logger, wakeup: wakeup)
        var nextLag = Time.current.instant
        await repetition.run {
            if nextLag <= Time.current.instant {
                await recordLag()
                nextLag = Time.current.instant + Self.lagInterval
            }
            do {
                // The first run of a large ledger takes minutes; a shutdown keeps what is numbered so far.
                let count = try await cancelWhenGracefulShutdown { try await ledger.events.publisher.publish() }
                published.increment(by: count)
                if count > 0 { try? await Time.current.sleep(for: Self.shortestPause) }
            } catch {
                await recordLag()
                throw error
            }
            return .afterPause
        }
    }

    /// While the lag is unknown, the last one stays.
    private func recordLag() async {
        guard let waited = try? await ledger.events.publisher.lag() else { return }
        lag.record(waited / .seconds(1))
    }
}
