import Foundation
import Logging
import Metrics
import Postgres

/// Writes batches of acts for a share of the stripes, over a connection of its own.
///
/// A batch is tried whole; what goes wrong decides what is tried next (``PostgresError/remedy``). Trying again is always
/// safe, also after a commit whose reply was lost: every attempt first reads, under the accounts' locks, what is
/// recorded under the acts' keys, so whatever was committed is found and not done twice.
actor LedgerWriter {
    private let configuration: PostgresConfiguration
    private let chart: SystemChart
    private let lotOrdering: LotOrdering
    private let logger: Logger
    private let patience: Duration
    private let metrics = LedgerMetrics()
    private var connection: PostgresConnection?
    private var ids = RecordIDs()
    private var planning = PlanningPace()

    /// A writer that connects when it is first needed.
    ///
    /// - Parameter patience: how long a batch may go on being tried while the database can't be reached again.
    init(
        configuration: PostgresConfiguration, chart: SystemChart, lotOrdering: LotOrdering = .standard, logger: Logger,
        patience: Duration = .seconds(8)
    ) {
        self.configuration = configuration.forWriting
        self.chart = chart
        self.lotOrdering = lotOrdering
        self.logger = logger
        self.patience = patience
    }

    /// Performs the acts in one transaction and answers each when it is committed.
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
                    break  // the session whose reply was lost may live on, and hold the locks until it has ended
                case .replay, .wait, .separate:
                    return await postSeparately(acts, trial, after: error.cause)
                case .reconnect, .giveUp:
                    await reset()
                    return acts.map { _ in .failure(trial.failure(because: error.cause)) }
                }
            }
        }
    }

    /// One act may be at fault for all: each alone, so that it fails alone.
    ///
    /// What can't be tried in time fails untried, for all who came later wait behind this batch.
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

/// What the attempts at a batch have shown so far.
private struct Trial {
    /// Whether the commit of an attempt may have happened unseen.
    var mayBeCommitted = false
    /// Whether the batch was planned again because another transaction was in its way.
    var isReplayed = false
    /// Until when to go on; nil while nothing has failed.
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
            ? LedgerError(.outcomeUnknown, "the connection broke during the commit, and there was no time to look")
            : LedgerError(.unavailable, "its batch had to be tried one by one, which took too long")
    }
}

/// When the server is to plan a writer's statements anew.
///
/// It plans them for the tables as they are, and keeps the plans until statistics change: a plan made when a table was
/// known to be nearly empty reads an index as a whole, and goes on doing so while a burst fills the table. So the
/// ledger is planned for anew whenever the writer has doubled what it wrote, and at the latest after so many acts
/// that planning costs next to nothing.
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

/// Where an attempt failed, and why.
private struct AttemptError: Error, CustomStringConvertible {
    /// What a failed attempt tells of whether its acts are in the books.
    enum Standing {
        /// It failed before it could read that.
        case notTold
        /// They are not: it had found none of them, under the locks, and was refused itself.
        case notCommitted
        /// The commit was on its way: it may have happened.
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
    /// Whether its act may have been done before: what is recorded of it was found.
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
        } catch {
            await rollBack()
            throw AttemptError(storing: plan.answers, error)
        }
        return plan.answers
    }

    private func batchStore(on connection: PostgresConnection) -> BatchStore {
        BatchStore(connection: connection, chart: chart, lotOrdering: lotOrdering)
    }

    private func connected() async throws(PostgresError) -> PostgresConnection {
        if let connection, connection.isUsable { return connection }
        let connection = try await PostgresConnection.connect(configuration)
        self.connection = connection
        return connection
    }

    /// Makes the connection fit for the next attempt, or lets it go.
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

extension PostgresConfiguration {
    /// For sessions that read by key: compiling a plan takes longer than carrying it out.
    var forReading: PostgresConfiguration {
        var configuration = self
        configuration.settings.merge(["jit": "off"]) { $1 }
        return configuration
    }

    /// For sessions that post.
    ///
    /// Their statements are prepared when tables may be empty, and a plan made then reads whole tables for ever; every
    /// look-up of a writer is by key, so whole-table reads and the joins that need them are forbidden.
    var forWriting: PostgresConfiguration {
        var configuration = self
        configuration.settings.merge([
            "enable_seqscan": "off", "enable_hashjoin": "off", "enable_mergejoin": "off", "jit": "off",
            "plan_cache_mode": "force_generic_plan",
        ]) { _, ours in ours }
        return configuration
    }
}
