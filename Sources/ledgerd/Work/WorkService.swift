import Foundation
import Ledger
import Logging
import Metrics
import ServiceLifecycle

/// Works off the items of one list as they fall due, one after the other by whichever process comes first.
///
/// An item is leased to one process at a time. What a crash leaves is taken up when its lease ends.
struct WorkService<Worker: WorkItemWorker>: Service {
    let list: WorkList<Worker.Item>
    let worker: Worker
    let logger: Logger

    /// How many items are worked on at the same time.
    private let concurrency = 16
    /// How long an item is one process's: longer than working on it can take.
    private let lease: Duration = .seconds(60)
    /// How often due items are looked for.
    private let interval: Duration = .milliseconds(500)

    /// Works until the service shuts down; what was taken by then is finished.
    func run() async throws {
        while !Task.isShuttingDownGracefully && !Task.isCancelled {
            let taken = await workOffDue()
            if taken < concurrency {
                try? await cancelWhenGracefulShutdown { try await Task.sleep(for: interval) }
            }
        }
    }

    private func workOffDue() async -> Int {
        do {
            let due = try await list.takeDue(limit: concurrency, lease: lease)
            await withDiscardingTaskGroup { group in
                for item in due { group.addTask { await workOn(item) } }
            }
            return due.count
        } catch {
            logger.warning("\(worker.name) can't be worked off now", metadata: ["error": "\(error)"])
            return 0
        }
    }

    private func workOn(_ item: Worker.Item) async {
        do {
            switch try await worker.work(on: item) {
            case .decided(let decision, let reason):
                try await list.decide(item, decision, because: reason)
                Counter(label: worker.counter, dimensions: [("decision", decision.rawValue)]).increment()
            case .postponed(let delay, let reason):
                try await list.postpone(item, because: reason, by: delay)
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
    /// The metric that counts decisions.
    var counter: String { get }

    /// Does what there is to do; thrown errors leave the item as it is, to be taken again.
    func work(on item: Item) async throws -> WorkOutcome<Item.Decision>
}

/// What came of working on an item.
enum WorkOutcome<Decision: Sendable>: Sendable {
    /// It is done with.
    case decided(Decision, String)
    /// It is to be taken again after this time.
    case postponed(Duration, String)
}
