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

    private struct Ticket {
        let item: Item
        let continuation: CheckedContinuation<Answer, any Error>
    }

    private let capacity: Int
    private let batchLimit: Int
    private let concurrency: Int
    private let perform: Perform
    private var waiting = Turns<Ticket>()
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
    ///   - perform: performs a batch.
    package init(capacity: Int, batchLimit: Int, concurrency: Int = 1, perform: @escaping Perform) {
        precondition(capacity > 0 && batchLimit > 0, "capacity and batch limit must be positive")
        precondition(concurrency > 0, "concurrency must be positive")
        self.capacity = capacity
        self.batchLimit = batchLimit
        self.concurrency = concurrency
        self.perform = perform
    }

    /// The number of waiting items.
    package var depth: Int { waiting.count }

    /// Performs the item in one of the next batches and returns its answer.
    ///
    /// - Throws: ``BatchQueueError`` when the queue is full or closed (the item was not performed), or the error of
    ///   this item.
    package func submit(_ item: Item, in lane: Lane = .common) async throws -> Answer {
        guard !isClosed else { throw BatchQueueError.closed }
        guard waiting.count < capacity else { throw BatchQueueError.full }
        return try await withCheckedThrowingContinuation { continuation in
            waiting.append(Ticket(item: item, continuation: continuation), in: lane)
            startIfFree()
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
        Task { await inTrace(of: nil) { await work() } }
    }

    private func work() async {
        while !waiting.isEmpty {
            let batch = nextBatch()
            let answers = await perform(batch.map(\.item))
            precondition(answers.count == batch.count, "a batch must return one answer per item")
            for (ticket, answer) in zip(batch, answers) { ticket.continuation.resume(with: answer) }
        }
        workers -= 1
        guard workers == 0 else { return }
        for continuation in drained { continuation.resume() }
        drained = []
    }

    private func nextBatch() -> [Ticket] {
        var batch: [Ticket] = []
        batch.reserveCapacity(min(waiting.count, batchLimit))
        while batch.count < batchLimit, let ticket = waiting.popFirst() { batch.append(ticket) }
        return batch
    }
}

/// Why a ``BatchQueue`` refused an item.
package enum BatchQueueError: Error, Sendable {
    /// Too many items are waiting.
    case full
    /// The queue was closed.
    case closed
}
