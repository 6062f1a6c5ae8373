import Synchronization
package import Timing
import Traces

/// A queue in which items that arrive while a batch is running wait and form the next batch.
///
/// There is no timer: an item in an idle queue is performed at once. The busier the queue, the larger the batches and
/// the lower the cost of each item. By default one batch runs at a time; items wait only while the maximum number of
/// batches is running. The ledger uses it for postings and reads. If items have lanes, the lanes take turns for the
/// places in a batch (``Turns``).
///
/// Not an actor: most requests come through here, and a caller leaves its item without waiting for the actor's turn.
package final class BatchQueue<Item: Sendable, Answer: Sendable>: Sendable {
    /// Performs a batch and returns an answer for each item, in the same order.
    package typealias Perform = @Sendable ([Item]) async -> [Result<Answer, any Error>]

    /// An item whose caller waits, until it has an answer.
    private final class Ticket: BatchCaller {
        let item: Item
        let submitted: ContinuousClock.Instant
        private let continuation: Mutex<CheckedContinuation<Answer, any Error>?>

        init(
            _ item: Item, at submitted: ContinuousClock.Instant, _ continuation: CheckedContinuation<Answer, any Error>
        ) {
            self.item = item
            self.submitted = submitted
            self.continuation = Mutex(continuation)
        }

        var isAnswered: Bool { continuation.withLock { $0 == nil } }

        func refuse(_ error: BatchQueueError) { answer(.failure(error)) }

        /// Answers the caller, unless that was done before.
        func answer(_ answer: Result<Answer, any Error>) {
            let caller = continuation.withLock { continuation in
                defer { continuation = nil }
                return continuation
            }
            caller?.resume(with: answer)
        }
    }

    private let time: Time
    private let perform: Perform
    private let line: Mutex<BatchLine>

    /// Creates an idle queue.
    ///
    /// - Parameters:
    ///   - capacity: the most items that can wait. Further items are refused with ``BatchQueueError/full``.
    ///   - batchLimit: the largest batch.
    ///   - concurrency: the most batches that run at a time. Items are performed in the order of arrival only if this
    ///     is 1 and they have no lanes.
    ///   - patience: how long a caller waits for its answer, about; nil: as long as it takes. A batch goes on without
    ///     the callers that have left, so set it only where performing an item has no effect.
    ///   - time: the time that patience and batches go by.
    ///   - perform: performs a batch.
    package init(
        capacity: Int, batchLimit: Int, concurrency: Int = 1, patience: Duration? = nil, time: Time = .current,
        perform: @escaping Perform
    ) {
        self.time = time
        self.perform = perform
        line = Mutex(
            BatchLine(capacity: capacity, batchLimit: batchLimit, concurrency: concurrency, patience: patience))
    }

    /// The number of waiting items.
    package var depth: Int { line.withLock { $0.depth } }

    /// Performs the item in one of the next batches and returns its answer.
    ///
    /// - Throws: ``BatchQueueError`` when the queue is full or closed (the item was not performed) or the queue's
    ///   patience has ended, or the error of this item.
    package func submit(_ item: Item, in lane: Lane = .common) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            let ticket = Ticket(item, at: time.instant, continuation)
            do throws(BatchQueueError) {
                let needed = try line.withLock { line throws(BatchQueueError) in try line.append(ticket, in: lane) }
                if needed.worker { startWorker() }
                if needed.watch { startWatch() }
            } catch {
                ticket.refuse(error)
            }
        }
    }

    /// Refuses new items, and returns when all accepted items are answered.
    package func close() async {
        await withCheckedContinuation { continuation in
            if line.withLock({ $0.close(continuation) }) { continuation.resume() }
        }
    }

    private func startWorker() {
        // Not a child of the caller's task, nor a part of its trace: the batch belongs to all its callers, and none of
        // them may cancel it.
        Task { await Time.$current.withValue(time) { await inTrace(of: nil) { await work() } } }
    }

    private func work() async {
        while true {
            switch line.withLock({ $0.next() }) {
            case .perform(let callers): await answer(callers.compactMap { $0 as? Ticket })
            case .end(let drained): return drained.forEach { $0.resume() }
            }
        }
    }

    private func answer(_ batch: [Ticket]) async {
        // All its callers have left.
        if batch.isEmpty { return }
        let answers = await perform(batch.map(\.item))
        precondition(answers.count == batch.count, "a batch must return one answer per item")
        for (ticket, answer) in zip(batch, answers) { ticket.answer(answer) }
    }

    /// Refuses callers whose patience has ended, until nobody waits.
    private func startWatch() {
        Task {
            await inTrace(of: nil) {
                while let deadline = line.withLock({ $0.nextDeadline() }) {
                    try? await time.sleep(until: deadline)
                    let now = time.instant
                    for caller in line.withLock({ $0.takeTheLate(at: now) }) { caller.refuse(.late) }
                }
            }
        }
    }
}

/// Why a ``BatchQueue`` refused an item.
package enum BatchQueueError: Error, Sendable {
    /// Too many items are waiting.
    case full
    /// The queue was closed.
    case closed
    /// There was no answer within the queue's patience.
    case late
}
