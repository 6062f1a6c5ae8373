import DequeModule

/// A caller whose item waits in a ``BatchQueue`` or is being performed.
protocol BatchCaller: AnyObject, Sendable {
    /// When the item was submitted.
    var submitted: ContinuousClock.Instant { get }
    var isAnswered: Bool { get }
    /// Answers the caller with an error, unless it is answered.
    func refuse(_ error: BatchQueueError)
}

/// The callers of a ``BatchQueue``, and which of its tasks run.
///
/// Not generic: the compiler does not specialise a generic queue for the items of another module, and most of its work
/// is here.
struct BatchLine {
    private let capacity: Int
    private let batchLimit: Int
    private let concurrency: Int
    private let patience: Duration?
    private var waiting = Turns<any BatchCaller>()
    /// With patience: the callers in the order of their arrival, without those at its begin that are answered.
    private var unanswered = Deque<any BatchCaller>()
    private var isWatched = false
    private var workers = 0
    private var isClosed = false
    private var drained: [CheckedContinuation<Void, Never>] = []

    init(capacity: Int, batchLimit: Int, concurrency: Int, patience: Duration?) {
        precondition(capacity > 0 && batchLimit > 0, "capacity and batch limit must be positive")
        precondition(concurrency > 0, "concurrency must be positive")
        self.capacity = capacity
        self.batchLimit = batchLimit
        self.concurrency = concurrency
        self.patience = patience
    }

    /// The number of waiting callers.
    var depth: Int { waiting.count }

    /// Adds a caller, and tells which tasks are to be started for it.
    mutating func append(
        _ caller: some BatchCaller, in lane: Lane
    ) throws(BatchQueueError) -> (worker: Bool, watch: Bool) {
        guard !isClosed else { throw .closed }
        guard waiting.count < capacity else { throw .full }
        waiting.append(caller, in: lane)
        let needed = (worker: workers < concurrency, watch: patience != nil && !isWatched)
        if needed.worker { workers += 1 }
        if patience != nil {
            unanswered.append(caller)
            isWatched = true
        }
        return needed
    }

    /// The next batch, which is empty if all its callers have left; nil: nobody waits, and the worker ends.
    mutating func nextBatch() -> [any BatchCaller]? {
        while unanswered.first?.isAnswered == true { unanswered.removeFirst() }
        if waiting.isEmpty {
            endWorker()
            return nil
        }
        var batch: [any BatchCaller] = []
        batch.reserveCapacity(min(waiting.count, batchLimit))
        while batch.count < batchLimit, let caller = waiting.popFirst() {
            if !caller.isAnswered { batch.append(caller) }
        }
        return batch
    }

    private mutating func endWorker() {
        workers -= 1
        guard workers == 0 else { return }
        for continuation in drained { continuation.resume() }
        drained = []
    }

    /// Refuses further callers, and resumes `whenDrained` when all are answered.
    mutating func close(_ whenDrained: CheckedContinuation<Void, Never>) {
        isClosed = true
        if workers == 0 { whenDrained.resume() } else { drained.append(whenDrained) }
    }

    /// When the patience of the next caller ends; nil: nobody waits, and the watch ends.
    mutating func nextDeadline() -> ContinuousClock.Instant? {
        guard let patience, let next = unanswered.first else {
            isWatched = false
            return nil
        }
        return next.submitted + patience
    }

    /// Refuses the callers whose patience has ended.
    mutating func refuseTheLate(at now: ContinuousClock.Instant) {
        guard let patience else { return }
        while let caller = unanswered.first, caller.isAnswered || caller.submitted + patience <= now {
            caller.refuse(.late)
            unanswered.removeFirst()
        }
    }
}
