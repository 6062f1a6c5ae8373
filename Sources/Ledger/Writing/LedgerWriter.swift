import Foundation
import Logging
import Metrics
import Postgres

/// Writes batches of acts for a part of the stripes on its own connection.
///
/// A batch is tried as a whole. The error decides what is tried next (``PostgresError/remedy``). Trying again is always
/// safe, even after a commit whose reply was lost: under the accounts' locks, every attempt first reads what is
/// recorded under the acts' keys, so a committed act is found and not done twice.
actor LedgerWriter {
    private let configuration: PostgresConfiguration
    private let chart: SystemChart
    private let presence: Presence
    private let lotOrdering: LotOrdering
    private let vatSettings: VATSettings
    private let logger: Logger
    private let patience: Duration
    private let onCommit: @Sendable () -> Void
    private let metrics = LedgerMetrics()
    private var connection: PostgresConnection?
    private var ids = RecordIDs()
    private var planning = PlanningPace()

    /// Creates a writer.
    ///
    /// It connects when it is first used.
    ///
    /// - Parameters:
    ///   - patience: how long a batch is retried while the database is unavailable.
    ///   - onCommit: called after each commit.
    init(
        configuration: PostgresConfiguration, chart: SystemChart, presence: Presence = Presence(),
        lotOrdering: LotOrdering = .standard, vatSettings: VATSettings = .off, logger: Logger,
        patience: Duration = .seconds(8),
        onCommit: @escaping @Sendable () -> Void = {}
    ) {
        self.configuration = configuration.forWriting
        self.chart = chart
        self.presence = presence
        self.lotOrdering = lotOrdering
        self.vatSettings = vatSettings
        self.logger = logger
        self.patience = patience
        self.onCommit = onCommit
    }

    /// Performs the acts in one transaction, and returns their answers after the commit.
    func post(_ acts: [any Act]) async -> [Result<any AnyAnswer, LedgerError>] {
        await post(acts, Trial())
    }

    /// Closes the connection.
    func close() async {
        await reset()
    }

    private func post(_ acts: [any Act], _ before: Trial) async -> [Result<any AnyAnswer, LedgerError>] {
        var trial = before
        while true {
            do {
                return try await attempt(acts)
            } catch {
                metrics.failed(error.cause)
                logger.warning("a batch failed", metadata: ["acts": "\(acts.count)", "error": "\(error)"])
                trial.learn(from: error, patience: patience)
                switch error.cause.remedy {
                case .replay where !trial.isReplayed:
                    trial.isReplayed = true
                case .reconnect where trial.hasTime, .giveUp where trial.mayBeCommitted && trial.hasTime:
                    await reset()
                    try? await Task.sleep(for: .milliseconds(100))
                case .wait where trial.mayBeCommitted && trial.hasTime:
                    break  // the session whose reply was lost may still run and have the locks
                case .replay, .wait, .separate:
                    return await postSeparately(acts, trial, after: error.cause)
                case .reconnect, .giveUp:
                    await reset()
                    return acts.map { _ in .failure(trial.failure(because: error.cause)) }
                }
            }
        }
    }

    /// Posts each act alone, because one act may have made the whole batch fail.
    ///
    /// Acts that can't be tried in time fail, because all later acts wait for this batch.
    private func postSeparately(
        _ acts: [any Act], _ trial: Trial, after cause: PostgresError
    ) async -> [Result<any AnyAnswer, LedgerError>] {
        guard acts.count > 1 else { return [.failure(trial.failure(because: cause))] }
        metrics.separated()
        let single = Trial(mayBeCommitted: trial.mayBeCommitted, deadline: .now + patience * 2)
        var answers: [Result<any AnyAnswer, LedgerError>] = []
        for act in acts {
            answers += single.hasTime ? await post([act], single) : [.failure(single.failureOfTime)]
        }
        return answers
    }
}

/// What is known after the attempts so far.
private struct Trial {
    /// Whether an attempt may have committed without a reply.
    var mayBeCommitted = false
    /// Whether the batch was planned again because of a conflict with another transaction.
    var isReplayed = false
    /// When to stop retrying; nil: nothing has failed yet.
    var deadline: ContinuousClock.Instant?

    var hasTime: Bool { deadline.map { ContinuousClock.now < $0 } ?? true }

    mutating func learn(from error: AttemptError, patience: Duration) {
        deadline = deadline ?? .now + patience
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
            : LedgerError(.unavailable, "the acts of the batch had to be tried one by one, and time ran out")
    }
}

/// Decides when the server plans a writer's statements again.
///
/// PostgreSQL keeps a plan until statistics change. A plan that was made for a nearly empty table scans a whole index,
/// even after a burst has filled the table. So statements are planned again whenever the writer has doubled the number
/// of its acts, and at the latest after `mostActs`, when the cost of planning is negligible.
private struct PlanningPace {
    private static let mostActs = 16_384
    private var acts = 0
    private var actsSince = 0

    mutating func isDue(before batch: Int) -> Bool {
        let isDue = actsSince > 0 && actsSince >= min(acts / 2, Self.mostActs)
        actsSince = batch + (isDue ? 0 : actsSince)
        acts += batch
        return isDue
    }
}

/// The error of a failed attempt.
private struct AttemptError: Error, CustomStringConvertible {
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

    var description: String { "\(cause)" }

    init(loading cause: PostgresError) {
        self.cause = cause
        standing = .notTold
    }

    init(storing answers: [Result<any AnyAnswer, LedgerError>], _ cause: PostgresError) {
        self.cause = cause
        if cause.isOutcomeUnknown || cause.code == .decoding {
            standing = .unknown
        } else {
            standing = answers.contains { $0.mayBeRepeat } ? .notTold : .notCommitted
        }
    }
}

extension Result where Success == any AnyAnswer, Failure == LedgerError {
    /// Whether the act may have been done before.
    fileprivate var mayBeRepeat: Bool { (try? get().isRepeat) ?? true }
}

// MARK: - One attempt

extension LedgerWriter {
    private func attempt(_ acts: [any Act]) async throws(AttemptError) -> [Result<any AnyAnswer, LedgerError>] {
        let store: BatchStore
        let plan: Plan
        do throws(PostgresError) {
            store = batchStore(on: try await connected())
            if planning.isDue(before: acts.count) { try await store.discardPlans() }
            plan = try await traceRoundTrip("load") { () throws(PostgresError) in
                try await store.plan(acts, ids: ids)
            }
            ids = plan.ids
        } catch {
            await rollBack()
            throw AttemptError(loading: error)
        }
        do throws(PostgresError) {
            try await metrics.timingCommit(of: acts.count) { () async throws(PostgresError) in
                try await traceRoundTrip("commit") { () throws(PostgresError) in try await store.store(plan) }
            }
            metrics.count(plan.journal.turnover)
            onCommit()
        } catch {
            await rollBack()
            throw AttemptError(storing: plan.answers, error)
        }
        return plan.answers
    }

    private func batchStore(on connection: PostgresConnection) -> BatchStore {
        BatchStore(
            connection: connection, chart: chart, leaseHolder: presence.leaseHolder, lotOrdering: lotOrdering,
            vatSettings: vatSettings)
    }

    private func connected() async throws(PostgresError) -> PostgresConnection {
        if let connection, connection.isUsable { return connection }
        let connection = try await PostgresConnection.connect(configuration)
        self.connection = connection
        return connection
    }

    /// Rolls back, or closes the connection if that fails.
    private func rollBack() async {
        guard let connection else { return }
        do {
            try await batchStore(on: connection).rollBack()
        } catch {
            await reset()
        }
    }

    private func reset() async {
        await connection?.close()
        connection = nil
    }
}
