import Batching
import Metrics

/// The only way into the books: commands wait here while the batch before theirs is being committed.
///
/// The queue is bounded. When it is full the caller is told so at once; waiting longer would only let it grow.
struct PostingQueue: Sendable {
    /// The most commands that may wait.
    static let capacity = 8192
    /// The most commands in one transaction.
    static let batchLimit = 1024

    private let queue: BatchQueue<Command, Answer>
    private let writer: LedgerWriter

    init(writer: LedgerWriter, batchLimit: Int = Self.batchLimit) {
        self.writer = writer
        self.queue = BatchQueue(capacity: Self.capacity, batchLimit: batchLimit) { commands in
            await writer.post(commands).map { answer in answer.mapError { $0 } }
        }
    }

    /// How many commands wait.
    var depth: Int { get async { await queue.depth } }

    func submit(_ command: Command) async throws(LedgerError) -> Answer {
        do {
            return try await queue.submit(command)
        } catch {
            throw LedgerError(any: error)
        }
    }

    /// Refuses further commands, commits those that wait, and closes the connection.
    func close() async {
        await queue.close()
        await writer.close()
    }
}
