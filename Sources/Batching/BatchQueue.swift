import DequeModule
package import Timing
import Traces

/// A queue in which items that arrive while a batch is running wait and form the next batch.
///
/// There is no timer: an item in an idle queue is performed at once. The busier the queue, the larger the batches and
/// the lower the cost of each item. By default one batch runs at a time; items wait only while the maximum number of
/// batches is running. The ledger uses it for postings and reads. If items have lanes, the lanes take turns for the
/// places in a batch (``Turns``).
package actor BatchQueue<Item: Sendable, Answer: Sendable> {
    /// Performs a batch and returns an answer for each item, in the same order.
    package typealias Perform = @Sendable ([Item]) async -> [Result<Answer, any Error>]

    /// An item whose caller waits, until it has an answer.
    private final class Ticket {
        let item: Item
        let submitted: ContinuousClock.Instant
        private var continuation: CheckedContinuation<Answer, any Error>?

        init(
            _ item: Item, at submitted: ContinuousClock.Instant, _ continuation: CheckedContinuation<Answer, any Error>
        ) {
            self.item = item
            self.submitted = submitted
            self.continuation = continuation
        }

        var isAnswered: Bool { continuation == nil }

        /// Answers the caller, unless that was done before.
        func answer(_ answer: Result<Answer, any Error>) {
            continuation?.resume(with: answer)
            continuation = nil
        }
    }

    private let capacity: Int
    private let batchLimit: Int
    private let concurrency: Int
    private let patience: Duration?
    private let time: Time
    private let perform: Perform
    private var waiting = Turns<Ticket>()
    /// With patience: the tickets in the order of their arrival, without those at its begin that are answered.
    private var unanswered = Deque<Ticket>()
    private var isWatching = false
    private var workers = 0
    private var isClosed = false
    private var drained: [CheckedContinuation<Void, Never>] = []

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
        precondition(capacity > 0 && batchLimit > 0, "capacity and batch limit must be positive")
        precondition(concurrency > 0, "concurrency must be positive")
        self.capacity = capacity
        self.batchLimit = batchLimit
        self.concurrency = concurrency
        self.patience = patience
        self.time = time
        self.perform = perform
    }

    /// The number of waiting items.
    package var depth: Int { waiting.count }

    /// Performs the item in one of the next batches and returns its answer.
    ///
    /// - Throws: ``BatchQueueError`` when the queue is full or closed (the item was not performed) or the queue's
    ///   patience has ended, or the error of this item.
    package func submit(_ item: Item, in lane: Lane = .common) async throws -> Answer {
        guard !isClosed else { throw BatchQueueError.closed }
        guard waiting.count < capacity else { throw BatchQueueError.full }
        return try await withCheckedThrowingContinuation { continuation in
            let ticket = Ticket(item, at: time.instant, continuation)
            waiting.append(ticket, in: lane)
            startIfFree()
            if let patience { watch(ticket, for: patience) }
        }
    }

    /// Refuses new items, and returns when all accepted items are answered.
    package func close() async {
        isClosed = true
        guard workers > 0 else { return }
        await withCheckedContinuation { drained.append($0) }
    }

    private func startIfFree() {
        guard workers < concurrency else { return }
        workers += 1
        // Not a child of the caller's task, nor a part of its trace: the batch belongs to all its callers, and none of
        // them may cancel it.
        Task { await Time.$current.withValue(time) { await inTrace(of: nil) { await work() } } }
    }

    private func work() async {
        while !waiting.isEmpty {
            let batch = nextBatch()
            // All its callers have left.
            if batch.isEmpty { continue }
            let answers = await perform(batch.map(\.item))
            precondition(answers.count == batch.count, "a batch must return one answer per item")
            for (ticket, answer) in zip(batch, answers) { ticket.answer(answer) }
            while unanswered.first?.isAnswered == true { unanswered.removeFirst() }
        }
        workers -= 1
        guard workers == 0 else { return }
        for continuation in drained { continuation.resume() }
        drained = []
    }

    private func nextBatch() -> [Ticket] {
        var batch: [Ticket] = []
        batch.reserveCapacity(min(waiting.count, batchLimit))
        while batch.count < batchLimit, let ticket = waiting.popFirst() {
            if !ticket.isAnswered { batch.append(ticket) }
        }
        return batch
    }

    // MARK: - Patience

    private func watch(_ ticket: Ticket, for patience: Duration) {
        unanswered.append(ticket)
        guard !isWatching else { return }
        isWatching = true
        Task { await inTrace(of: nil) { await dismissTheLate(after: patience) } }
    }

    /// Answers callers whose patience has ended, until nobody waits.
    private func dismissTheLate(after patience: Duration) async {
        while let oldest = unanswered.first {
            try? await time.sleep(until: oldest.submitted + patience)
            while let ticket = unanswered.first, ticket.isAnswered || ticket.submitted + patience <= time.instant {
                ticket.answer(.failure(BatchQueueError.late))
                unanswered.removeFirst()
            }
        }
        isWatching = false
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
