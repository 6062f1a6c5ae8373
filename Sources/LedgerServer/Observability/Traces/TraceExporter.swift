import Logging
import Metrics
import ServiceLifecycle
import Timing
import Traces

/// Sends spans to the collector, one request at a time.
///
/// Nobody waits for it. While the collector fails, the spans of one request are sent again a few times, then dropped;
/// those that come meanwhile wait in the queue, and are dropped when it is full.
actor TraceExporter: Service {
    private let queue: SpanQueue
    private let wakeup: Wakeup
    private let collector: Collector
    private let logger: Logger
    private let exported = Counter(label: "ledgerd_trace_spans_exported_total")

    /// The spans that are being sent, and how often that failed.
    private var batch: [FinishedSpan] = []
    private var failures = 0
    private var notBefore = Time.current.instant
    private var isFailing = false

    private static let interval = Duration.seconds(1)
    private static let requestTimeout = Duration.seconds(10)
    private static let mostFailures = 5
    /// How long stopping waits for the collector.
    private static let flushTimeout = Duration.seconds(3)

    /// - Parameter wakeup: rung when the spans of one request wait.
    init(queue: SpanQueue, wakeup: Wakeup, collector: Collector, logger: Logger) {
        self.queue = queue
        self.wakeup = wakeup
        self.collector = collector
        self.logger = logger
    }

    /// Sends until the service shuts down, and then what is left, for a few seconds.
    func run() async throws {
        while !Repetition.isOver {
            await cancelWhenGracefulShutdown { [wakeup] in await wakeup.wait(atMost: Self.interval) }
            await cancelWhenGracefulShutdown { await self.sendWaiting() }
        }
        await flush()
        collector.shutdown()
    }

    private func sendWaiting() async {
        while Time.current.instant >= notBefore, !Task.isCancelled, takeBatch() {
            let outcome = await send(within: Self.requestTimeout)
            settle(outcome)
            guard case .accepted = outcome else { return }
        }
    }

    /// Sends what is left, and gives up at the first failure.
    private func flush() async {
        let deadline = Time.current.instant + Self.flushTimeout
        var outcome = Collector.Outcome.accepted(rejected: 0)
        while case .accepted = outcome, Time.current.instant < deadline, takeBatch() {
            outcome = await send(within: deadline - Time.current.instant)
            settle(outcome)
        }
        let left = batch.count + queue.count
        if left > 0 { logger.warning("the last spans were not sent to the collector", metadata: ["spans": "\(left)"]) }
    }

    private func takeBatch() -> Bool {
        if batch.isEmpty { batch = queue.take() }
        return !batch.isEmpty
    }
}

// MARK: - One request

extension TraceExporter {
    private func send(within timeout: Duration) async -> Collector.Outcome {
        let version = BuildInfo.current.version
        let body = ExportTraceRequest.body(batch, resource: Collector.resource, version: version)
        return await collector.send(body, within: timeout)
    }

    private func settle(_ outcome: Collector.Outcome) {
        switch outcome {
        case .accepted(let rejected):
            let rejected = min(rejected, batch.count)
            exported.increment(by: batch.count - rejected)
            drop(rejected, because: "refused")
            batch = []
            failures = 0
            if isFailing { logger.info("spans reach the collector again") }
            isFailing = false
        case .refused(let reason):
            warn(reason)
            drop(batch.count, because: "refused")
            batch = []
            failures = 0
        case .failed(let reason):
            // A request that a shutdown cut off is sent again by the flush.
            if Task.isCancelled { return }
            warn(reason)
            failures += 1
            notBefore = Time.current.instant + Self.interval * (1 << min(failures - 1, 10))
            guard failures >= Self.mostFailures else { return }
            drop(batch.count, because: "unreachable")
            batch = []
            failures = 0
        }
    }

    private func drop(_ count: Int, because reason: String) {
        guard count > 0 else { return }
        Counter(label: "ledgerd_trace_spans_dropped_total", dimensions: [("reason", reason)]).increment(by: count)
    }

    /// An outage is one line of the log.
    private func warn(_ reason: String) {
        if !isFailing { logger.warning("spans do not reach the collector", metadata: ["error": "\(reason)"]) }
        isFailing = true
    }
}
