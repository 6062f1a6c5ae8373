import Postgres

/// What is known of a batch after the attempts so far.
struct BatchTrial {
    /// Whether an attempt may have committed without a reply.
    var mayBeCommitted = false
    /// Whether the batch was planned again because of a conflict with another transaction.
    var isReplayed = false
    /// Whether the batch is a part of one that took too long.
    var isDivided = false
    /// When to stop retrying; nil: nothing has failed yet.
    var deadline: ContinuousClock.Instant?

    /// Whether an act that took too long is tried once more: somebody may have cancelled it.
    var mayTryAgainAlone: Bool { !isReplayed && !isDivided }

    /// For a part of the batch, which is planned anew.
    func ofPart(until deadline: ContinuousClock.Instant) -> BatchTrial {
        BatchTrial(mayBeCommitted: mayBeCommitted, deadline: deadline)
    }

    func hasTime(at now: ContinuousClock.Instant) -> Bool { deadline.map { now < $0 } ?? true }

    mutating func learn(from error: AttemptError, deadline last: ContinuousClock.Instant) {
        deadline = deadline ?? last
        switch error.standing {
        case .notTold: break
        case .notCommitted: mayBeCommitted = false
        case .unknown: mayBeCommitted = true
        }
    }

    func failure(because cause: PostgresError) -> LedgerError {
        mayBeCommitted
            ? LedgerError(.outcomeUnknown, "the connection broke during the commit", underlying: cause)
            : LedgerError(cause)
    }

    var failureOfTime: LedgerError {
        mayBeCommitted
            ? LedgerError(.outcomeUnknown, "the connection broke during the commit, and time ran out before a check")
            : LedgerError(.unavailable, "the acts of the batch had to be tried in parts, and time ran out")
    }
}

/// The error of a failed attempt.
struct AttemptError: Error, CustomStringConvertible {
    /// What a failed attempt shows about whether its acts are committed.
    enum Standing {
        /// Unknown: it failed before it could read the outcomes.
        case notTold
        /// They are not committed: under the locks it found no outcomes, and its own statements failed.
        case notCommitted
        /// Its own commit may have happened.
        case unknown
    }

    let cause: PostgresError
    let standing: Standing
    /// The number of lots that each act changes; empty: the batch was not planned yet.
    let sizes: [Int]

    var description: String { "\(cause)" }

    /// Purchases that the database was to credit, without a look at what is recorded.
    init(crediting cause: PostgresError) {
        self.cause = cause
        standing = cause.isOutcomeUnknown || cause.code == .decoding ? .unknown : .notTold
        sizes = []
    }

    init(loading cause: PostgresError) {
        self.cause = cause
        standing = .notTold
        sizes = []
    }

    init(storing plan: Plan, _ cause: PostgresError) {
        self.cause = cause
        sizes = plan.lotsChanged
        if cause.isOutcomeUnknown || cause.code == .decoding {
            standing = .unknown
        } else {
            standing = plan.answers.contains { $0.mayBeRepeat } ? .notTold : .notCommitted
        }
    }
}

extension Result where Success == any AnyAnswer, Failure == LedgerError {
    /// Whether the act may have been done before.
    fileprivate var mayBeRepeat: Bool { (try? get().isRepeat) ?? true }
}
