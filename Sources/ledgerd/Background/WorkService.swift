import Foundation
import Ledger
import Logging
import Metrics
import PGVerifier
import ServiceLifecycle
import Traces

/// Works off the items of one list as they fall due, one after the other by whichever process comes first.
///
/// An item is leased to one process at a time. What a crash leaves is taken up when its lease ends.
struct WorkService<Worker: WorkItemWorker>: Service {
    private let list: WorkList<Worker.Item>
    private let worker: Worker
    private let logger: Logger
    /// While the database is away the last count known stays, and no scrape has to wait for it.
    private let waiting: Meter

    /// How many items are worked on at the same time.
    private let concurrency = 16
    /// How often those that wait are counted.
    private let countInterval: Duration = .seconds(2)
    private let repetition: Repetition

    /// - Parameter pause: how often due items are looked for by itself.
    init(list: WorkList<Worker.Item>, worker: Worker, pause: Duration = .milliseconds(500), logger: Logger) {
        self.list = list
        self.worker = worker
        self.logger = logger
        waiting = Meter(label: "\(worker.metric)_waiting")
        repetition = Repetition(
            pause: pause, longestPause: .seconds(4), failure: "\(worker.name) can't be worked off now",
            recovery: "\(worker.name) are worked off again", logger: logger)
    }

    /// Has it look for due items at once.
    var wakeup: (list: String, Wakeup) { (list.name, repetition.wakeup) }

    /// Works until the service shuts down; what was taken by then is finished.
    func run() async throws {
        var nextCount = ContinuousClock.now
        await repetition.run {
            let taken = try await workOffDue()
            if nextCount <= .now {
                waiting.set(try await list.waiting())
                nextCount = .now + countInterval
            }
            return taken == concurrency ? .atOnce : .afterPause
        }
    }

    private func workOffDue() async throws -> Int {
        let due = try await list.takeDue(limit: concurrency, lease: worker.lease) { id, error in
            logger.error("\(worker.name): one can't be read", metadata: ["id": "\(id)", "error": "\(error)"])
        }
        await withDiscardingTaskGroup { group in
            for item in due { group.addTask { await workOn(item) } }
        }
        if !due.isEmpty { logger.info("worked off \(worker.name)", metadata: ["items": "\(due.count)"]) }
        return due.count
    }

    /// Works on an item that is this process's, and keeps what came of it.
    func workOn(_ item: Worker.Item) async {
        do {
            _ = try await GatewayCaller.$current.withValue(.service(worker.name)) {
                try await tracedAnew("work on \(worker.name)") { try await worker.work(on: item, of: list) }
            }
        } catch {
            // Its lease runs out and it is taken again.
            logger.warning("\(worker.name): one failed", metadata: ["id": "\(item.id)", "error": "\(error)"])
        }
    }
}

/// Knows what to do with an item.
protocol WorkItemWorker: Sendable {
    associatedtype Item: WorkItem where Item.Decision: Sendable

    /// What the items are, for logs.
    var name: String { get }
    /// What their metrics' names begin with.
    var metric: String { get }
    /// How long an item is one process's: longer than working on it can take.
    var lease: Duration { get }

    /// Does what there is to do; thrown errors leave the item as it is, to be taken again.
    func work(on item: Item) async throws -> WorkOutcome<Item.Decision>
}

extension WorkItemWorker {
    /// Time for a question to the gateway and a commit.
    var lease: Duration { .seconds(60) }

    /// Does what there is to do, and writes down what came of it.
    func work(on item: Item, of list: WorkList<Item>) async throws -> WorkOutcome<Item.Decision> {
        let outcome = try await work(on: item)
        switch outcome {
        case .decided(let decision, let reason):
            try await list.decide(item, decision, because: reason)
            count(decision)
        case .recorded(let decision): count(decision)
        case .postponed(let delay, let reason):
            try await list.postpone(item, because: reason, by: delay)
        }
        return outcome
    }

    private func count(_ decision: Item.Decision) {
        Counter(label: "\(metric)_decided_total", dimensions: [("decision", decision.rawValue)]).increment()
    }
}

/// What came of working on an item.
enum WorkOutcome<Decision: Sendable>: Sendable {
    /// It is done with.
    case decided(Decision, String)
    /// It is done with, and what it came to wrote the decision into its row.
    case recorded(Decision)
    /// It is to be taken again after this time.
    case postponed(Duration, String)
}
