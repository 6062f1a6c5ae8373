import Traces

/// Work that arrives while a batch is under way waits and becomes the next batch.
///
/// There is no timer: an item that arrives at an idle queue is performed at once and waits for nobody; the busier the
/// queue, the larger the batches and the less each item costs. One batch is under way at a time, or as many as the
/// queue was made for: items gather only while all of those are. The ledger's postings and its reads batch this way.
/// Where items have lanes, the lanes take turns at the places of a batch (``Turns``).
package actor BatchQueue<Item: Sendable, Answer: Sendable> {
    /// Performs a batch and answers each item, in the items' order.
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
    ///   - capacity: how many items may wait; one more is refused with ``BatchQueueError/full``.
    ///   - batchLimit: the largest batch.
    ///   - concurrency: how many batches may be under way at once. Only with one, and without lanes, are batches performed
    ///     in the order in which their items came.
    ///   - perform: performs a batch.
    package init(capacity: Int, batchLimit: Int, concurrency: Int = 1, perform: @escaping Perform) {
        precondition(capacity > 0 && batchLimit > 0, "a queue needs room and a batch needs an item")
        precondition(concurrency > 0, "a queue that may perform nothing answers nobody")
        self.capacity = capacity
        self.batchLimit = batchLimit
        self.concurrency = concurrency
        self.perform = perform
    }

    /// How many items wait for the next batch.
    package var depth: Int { waiting.count }

    /// Performs the item in the next batch and returns its own answer.
    ///
    /// - Throws: ``BatchQueueError`` when the queue is full or closed (the item was not performed), or the error that
    ///   performing gave this item.
    package func submit(_ item: Item, in lane: Lane = .common) async throws -> Answer {
        guard !isClosed else { throw BatchQueueError.closed }
        guard waiting.count < capacity else { throw BatchQueueError.full }
        return try await withCheckedThrowingContinuation { continuation in
            waiting.append(Ticket(item: item, continuation: continuation), in: lane)
            startIfFree()
        }
    }

    /// Refuses further items and returns when those accepted before are answered.
    package func close() async {
        isClosed = true
        guard workers > 0 else { return }
        await withCheckedContinuation { drained.append($0) }
    }

    private func startIfFree() {
        guard workers < concurrency else { return }
        workers += 1
        // Not a child of the caller's task, nor a part of its trace: the batch belongs to all who wait in it, and none may
        // cancel it.
        Task { await inTrace(of: nil) { await work() } }
    }

    private func work() async {
        while !waiting.isEmpty {
            let batch = nextBatch()
            let answers = await perform(batch.map(\.item))
            precondition(answers.count == batch.count, "each item of a batch has one answer")
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

/// Why a ``BatchQueue`` did not take an item.
package enum BatchQueueError: Error, Sendable {
    /// As many items wait as may wait.
    case full
    /// The queue was closed.
    case closed
}
