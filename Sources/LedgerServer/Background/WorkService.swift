import Foundation
import Ledger
import Logging
import Metrics
import PGVerifier
import ServiceLifecycle
import Timing
import Traces

/// Processes the due items of one work list.
///
/// An item is leased to one process at a time. A lease ends with its process (``LeaseService``), or with its time.
struct WorkService<Worker: WorkItemWorker>: Service {
    private let list: WorkList<Worker.Item>
    private let worker: Worker
    private let logger: Logger
    /// The number of waiting items, counted regularly, so that a scrape of metrics does not wait for the database.
    private let waiting: Meter

    /// The number of items that are processed at the same time.
    private let concurrency = 16
    /// The time between two counts of waiting items.
    private let countInterval: Duration = .seconds(2)
    private let repetition: Repetition

    /// - Parameter pause: the pause between two polls.
    init(list: WorkList<Worker.Item>, worker: Worker, pause: Duration = .milliseconds(500), logger: Logger) {
        self.list = list
        self.worker = worker
        self.logger = logger
        waiting = Meter(label: "\(worker.metric)_waiting")
        repetition = Repetition(
            pause: pause, longestPause: .seconds(4), failure: "can't process \(worker.name) now",
            recovery: "processing \(worker.name) again", logger: logger)
    }

    /// Makes the service poll at once.
    var wakeup: (list: String, Wakeup) { (list.name, repetition.wakeup) }

    /// Processes items until the service shuts down; items that were taken before are finished.
    func run() async throws {
        var nextCount = Time.current.instant
        await repetition.run {
            let taken = try await workOffDue()
            if nextCount <= Time.current.instant {
                waiting.set(try await list.waiting())
                nextCount = Time.current.instant + countInterval
            }
            return taken == concurrency ? .atOnce : .afterPause
        }
    }

    private func workOffDue() async throws -> Int {
        let due = try await list.takeDue(limit: concurrency, lease: worker.lease) { id, error in
            logger.error("\(worker.name): can't read an item", metadata: ["id": "\(id)", "error": "\(error)"])
        }
        await withDiscardingTaskGroup { group in
            for item in due { group.addTask { await workOn(item) } }
        }
        if !due.isEmpty { logger.info("processed \(worker.name)", metadata: ["items": "\(due.count)"]) }
        return due.count
    }

    /// Processes an item that is leased to this process, and stores the result.
    func workOn(_ item: Worker.Item) async {
        do {
            _ = try await GatewayCaller.$current.withValue(.service(worker.name)) {
                try await tracedAnew("work on \(worker.name)") { try await worker.work(on: item, of: list) }
            }
        } catch {
            // The item is taken again when its lease ends.
            logger.warning("\(worker.name): an item failed", metadata: ["id": "\(item.id)", "error": "\(error)"])
        }
    }
}

/// Processes items of one kind.
protocol WorkItemWorker: Sendable {
    associatedtype Item: WorkItem where Item.Decision: Sendable

    /// The name of the items in logs.
    var name: String { get }
    /// The prefix of the metrics' names.
    var metric: String { get }
    /// The duration of a lease; it must be longer than the processing of an item.
    var lease: Duration { get }

    /// Processes an item. After an error, the item is taken again.
    func work(on item: Item) async throws -> WorkOutcome<Item.Decision>
}

extension WorkItemWorker {
    /// Enough for a request to the gateway and a commit.
    var lease: Duration { .seconds(60) }

    /// Processes an item and stores the result.
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

/// The result of processing an item.
enum WorkOutcome<Decision: Sendable>: Sendable {
    /// The item is decided.
    case decided(Decision, String)
    /// The item is decided, and its row already has the decision.
    case recorded(Decision)
    /// The item must be taken again after this time; nil: it keeps its reason.
    case postponed(Duration, String?)
}
