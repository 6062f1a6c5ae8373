import Batching
import Metrics
import Traces

/// The queue of acts that wait while the previous batch is being committed.
///
/// There is no other way to write the books.
///
/// The queue is bounded. When it is full, new acts are refused at once.
struct PostingQueue: Sendable {
    /// The most acts that can wait.
    static let capacity = 8192
    /// The most acts in one transaction.
    static let batchLimit = 1024

    private let queue: BatchQueue<QueuedAct, any AnyAnswer>
    private let writer: LedgerWriter

    init(writer: LedgerWriter, batchLimit: Int = Self.batchLimit) {
        self.writer = writer
        self.queue = BatchQueue(capacity: Self.capacity, batchLimit: batchLimit) { queued in
            await traceBatch(queued) { await writer.post(queued.map(\.act)) }
                .map { answer in answer.mapError { $0 } }
        }
    }

    /// The number of waiting acts.
    var depth: Int { queue.depth }

    func submit(_ act: any Act) async throws(LedgerError) -> any AnyAnswer {
        try await tracePosting(act) { queued throws(LedgerError) in
            do {
                return try await queue.submit(queued)
            } catch {
                throw LedgerError(any: error)
            }
        }
    }

    /// Returns when the writer has run a task.
    func takeTurn() async { await writer.takeTurn() }

    /// Refuses new acts, commits the waiting ones, and closes the connection.
    func close() async {
        await queue.close()
        await writer.close()
    }
}
