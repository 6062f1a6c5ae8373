import Metrics
import Synchronization

/// Spans that have ended and wait to be sent.
///
/// It is bounded: when it is full, a span is dropped and counted. Who ends a span never waits.
package final class SpanQueue: Sendable {
    /// How many spans one request to the collector holds at most.
    package static let batchLimit = 512

    private let capacity: Int
    private let spans = Mutex<[FinishedSpan]>([])
    private let batchIsReady: @Sendable () -> Void
    private let dropped = Counter(label: "ledgerd_trace_spans_dropped_total", dimensions: [("reason", "queue_full")])

    /// - Parameters:
    ///   - capacity: how many spans may wait.
    ///   - batchIsReady: called when there are as many as one request holds.
    package init(capacity: Int = 8192, batchIsReady: @escaping @Sendable () -> Void = {}) {
        self.capacity = capacity
        self.batchIsReady = batchIsReady
    }

    /// How many wait.
    package var count: Int { spans.withLock { $0.count } }

    func append(_ span: FinishedSpan) {
        let count = spans.withLock { spans in
            guard spans.count < capacity else { return 0 }
            spans.append(span)
            return spans.count
        }
        if count == 0 { dropped.increment() }
        if count == Self.batchLimit { batchIsReady() }
    }

    /// Takes the oldest spans, as many as one request holds.
    package func take() -> [FinishedSpan] {
        spans.withLock { spans in
            let batch = Array(spans.prefix(Self.batchLimit))
            spans.removeFirst(batch.count)
            return batch
        }
    }
}
