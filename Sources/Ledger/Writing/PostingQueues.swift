import Logging
import Postgres
import Synchronization

/// The posting queues.
///
/// Each has its own writer. All but the first are used only under load, each for a part of the stripes.
final class PostingQueues: Sendable {
    private let queues: [PostingQueue]
    private let stripes: Int64
    private let spread: Mutex<WriterSpread>

    init(_ configuration: LedgerConfiguration, chart: SystemChart, presence: Presence, logger: Logger) {
        stripes = chart.stripes
        spread = Mutex(WriterSpread(batchLimit: configuration.batchLimit))
        queues = (0..<max(1, configuration.writers)).map { _ in
            let writer = LedgerWriter(
                configuration: configuration.database, chart: chart, presence: presence,
                lotOrdering: configuration.lotOrdering, vatSettings: configuration.vatSettings,
                coinDays: configuration.coinDays.inForce(in: chart), lotLimits: configuration.lotLimits,
                creditsInDatabase: configuration.creditsInDatabase, logger: logger, onCommit: configuration.onCommit)
            return PostingQueue(writer: writer, batchLimit: configuration.batchLimit)
        }
    }

    /// Performs an act in a batch with concurrent acts, and returns after the commit.
    ///
    /// An act of a user who was merged meanwhile is performed for the other one. That one may be merged, too, so it is tried
    /// until it is not; each time needs another merge.
    func submit<A: Act>(_ act: A) async throws(LedgerError) -> Answer<A.Success> {
        let isSpread = spread.withLock { $0.enter() }
        defer { spread.withLock { $0.leave() } }
        var act = act
        while true {
            let stripe = Stripe(of: act.user, among: stripes)
            let answer = try Answer<A.Success>(
                try await queues[isSpread ? Int(stripe.number) % queues.count : 0].submit(act))
            guard case .userMerged(let user) = answer.refusal, let next = act.of(user) else { return answer }
            act = next
        }
    }

    /// The number of waiting acts in all queues.
    var depth: Int { queues.reduce(0) { $0 + $1.depth } }

    /// The number of acts that are not answered yet.
    var underWay: Int { spread.withLock { $0.underWay } }

    /// Returns when each writer has run a task.
    func takeTurns() async {
        for queue in queues { await queue.takeTurn() }
    }

    /// Refuses new acts, commits the waiting ones, and closes the connections.
    func close() async {
        for queue in queues { await queue.close() }
    }
}

/// Whether acts are spread over all writers.
///
/// A batch costs PostgreSQL far more than one more act in it. So few acts share the batches of the first writer, and
/// the others start when more acts are under way than one batch can hold. Two writers that have acts of one stripe
/// wait for each other, as two processes do (decision 0081), so the change back comes late.
struct WriterSpread {
    private let widest: Int
    private(set) var underWay = 0
    private var isSpread = false

    init(batchLimit: Int) { widest = batchLimit }

    /// Counts an act, and tells whether it may go to another writer than the first.
    mutating func enter() -> Bool {
        underWay += 1
        if underWay > widest { isSpread = true }
        return isSpread
    }

    /// Counts an act that is answered.
    mutating func leave() {
        underWay -= 1
        if underWay < widest / 4 { isSpread = false }
    }
}
