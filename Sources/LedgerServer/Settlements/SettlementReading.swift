import Dispatch
import Synchronization

/// Reads settlement files one at a time: a workbook may take seconds, and hundreds of MiB of memory.
///
/// It has a thread of its own, because Swift's cooperative pool has only one for each core.
package actor SettlementReading {
    /// The process's.
    package static let shared = SettlementReading()

    /// The most files that are read or wait for it; each is in memory.
    private let limit: Int
    private let count = Mutex(0)
    private let queue = QueueExecutor()

    package nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    /// How many files are read or wait now.
    nonisolated var taken: Int { count.withLock { $0 } }

    init(limit: Int = 8) { self.limit = limit }

    /// Runs what reads a file.
    ///
    /// - Throws: `overloaded` when too many files wait; the closure's error.
    package nonisolated func read<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let isTaken = count.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
        guard isTaken else { throw Problem(.overloaded, "too many settlement files are read at the same time") }
        defer { count.withLock { $0 -= 1 } }
        return try await run(work)
    }

    private func run<Value: Sendable>(_ work: @Sendable () throws -> Value) throws -> Value { try work() }
}

/// A queue as the executor of an actor.
private final class QueueExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "settlement files")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
