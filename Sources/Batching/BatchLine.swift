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
/// is here. It is used under a lock, so it resumes nobody itself: it returns who is to be resumed.
struct BatchLine {
    /// What a worker does next.
    enum Work {
        /// Perform a batch, which is empty if all its callers have left.
        case perform([any BatchCaller])
        /// End, because nobody waits, and resume these, which wait for the end of the last worker.
        case end(drained: [CheckedContinuation<Void, Never>])
    }

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

    /// Adds a caller, and returns which tasks are to be started for it.
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

    /// What a worker does next.
    mutating func next() -> Work {
        while unanswered.first?.isAnswered == true { unanswered.removeFirst() }
        if waiting.isEmpty { return .end(drained: endWorker()) }
        var batch: [any BatchCaller] = []
        batch.reserveCapacity(min(waiting.count, batchLimit))
        while batch.count < batchLimit, let caller = waiting.popFirst() {
            if !caller.isAnswered { batch.append(caller) }
        }
        return .perform(batch)
    }

    private mutating func endWorker() -> [CheckedContinuation<Void, Never>] {
        workers -= 1
        guard workers == 0 else { return [] }
        defer { drained = [] }
        return drained
    }

    /// Refuses further callers, and tells whether all are answered; if not, the last worker's end returns `whenDrained`.
    mutating func close(_ whenDrained: CheckedContinuation<Void, Never>) -> Bool {
        isClosed = true
        if workers > 0 { drained.append(whenDrained) }
        return workers == 0
    }

    /// When the patience of the next caller ends; nil: nobody waits, and the watch ends.
    mutating func nextDeadline() -> ContinuousClock.Instant? {
        guard let patience, let next = unanswered.first else {
            isWatched = false
            return nil
        }
        return next.submitted + patience
    }

    /// Removes and returns those that wait for an answer although their patience has ended.
    mutating func takeTheLate(at now: ContinuousClock.Instant) -> [any BatchCaller] {
        guard let patience else { return [] }
        var late: [any BatchCaller] = []
        while let caller = unanswered.first, caller.isAnswered || caller.submitted + patience <= now {
            unanswered.removeFirst()
            if !caller.isAnswered { late.append(caller) }
        }
        return late
    }
}
