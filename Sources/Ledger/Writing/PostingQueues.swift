import Logging
import Postgres

/// The posting queues.
///
/// Each has a part of the stripes and its own writer.
struct PostingQueues: Sendable {
    private let queues: [PostingQueue]
    private let stripes: Int64

    init(_ configuration: LedgerConfiguration, chart: SystemChart, logger: Logger) {
        stripes = chart.stripes
        queues = (0..<max(1, configuration.writers)).map { _ in
            let writer = LedgerWriter(
                configuration: configuration.database, chart: chart, lotOrdering: configuration.lotOrdering,
                logger: logger)
            return PostingQueue(writer: writer, batchLimit: configuration.batchLimit)
        }
    }

    /// Performs an act in a batch with concurrent acts, and returns after the commit.
    func submit<A: Act>(_ act: A) async throws(LedgerError) -> Answer<A.Success> {
        let stripe = Stripe(of: act.user, among: stripes)
        return try Answer(try await queues[Int(stripe.number) % queues.count].submit(act))
    }

    /// The number of waiting acts in all queues.
    var depth: Int {
        get async {
            var depth = 0
            for queue in queues { depth += await queue.depth }
            return depth
        }
    }

    /// Refuses new acts, commits the waiting ones, and closes the connections.
    func close() async {
        for queue in queues { await queue.close() }
    }
}
