import Batching
import Metrics
import Traces

/// The only way into the books: acts wait here while the batch before theirs is being committed.
///
/// The queue is bounded. When it is full the caller is told so at once; waiting longer would only let it grow.
struct PostingQueue: Sendable {
    /// The most acts that may wait.
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

    /// How many acts wait.
    var depth: Int { get async { await queue.depth } }

    func submit(_ act: any Act) async throws(LedgerError) -> any AnyAnswer {
        try await tracePosting(act) { queued throws(LedgerError) in
            do {
                return try await queue.submit(queued)
            } catch {
                throw LedgerError(any: error)
            }
        }
    }

    /// Refuses further acts, commits those that wait, and closes the connection.
    func close() async {
        await queue.close()
        await writer.close()
    }
}
