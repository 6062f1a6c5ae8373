import Foundation
import Logging
import Metrics
import Postgres

/// Writes batches of commands for a share of the stripes, over a connection of its own.
///
/// A batch is tried whole; what goes wrong decides what is tried next (``PostgresError/remedy``). Trying again is always
/// safe, also after a commit whose reply was lost: every attempt first reads, under the accounts' locks, what is
/// recorded under the commands' keys, so whatever was committed is found and not done twice.
actor LedgerWriter {
    /// How long a batch may go on being tried while the database can't be reached again.
    private static let patience: Duration = .seconds(8)

    private let configuration: PostgresConfiguration
    private let chart: SystemChart
    private let logger: Logger
    private let metrics = LedgerMetrics()
    private var connection: PostgresConnection?
    private var ids = RecordIDs()

    init(configuration: PostgresConfiguration, chart: SystemChart, logger: Logger) {
        self.configuration = configuration.forWriting
        self.chart = chart
        self.logger = logger
    }

    /// Performs the commands in one transaction and answers each when it is committed.
    func post(_ commands: [Command]) async -> [Result<Outcome, LedgerError>] {
        let deadline = ContinuousClock.now + Self.patience
        var mayBeCommitted = false
        var replayed = false
        while true {
            do {
                return try await attempt(commands).map(Result.success)
            } catch {
                metrics.failed(error.cause.remedy)
                logger.warning("a batch failed", metadata: ["commands": "\(commands.count)", "error": "\(error)"])
                mayBeCommitted = mayBeCommitted || error.wasCommitting
                switch error.cause.remedy {
                case .replay where !replayed:
                    replayed = true
                case .reconnect where ContinuousClock.now < deadline,
                    .giveUp where mayBeCommitted && ContinuousClock.now < deadline:
                    await reset()
                    try? await Task.sleep(for: .milliseconds(100))
                case .replay, .separate:
                    return await postSeparately(commands, after: error.cause)
                case .reconnect, .giveUp:
                    return failAll(commands, mayBeCommitted: mayBeCommitted, because: error.cause)
                }
            }
        }
    }

    /// Closes the connection.
    func close() async {
        await reset()
    }

    /// One command may be at fault for all: each alone, so that it fails alone.
    private func postSeparately(
        _ commands: [Command], after cause: PostgresError
    ) async
        -> [Result<Outcome, LedgerError>]
    {
        guard commands.count > 1 else { return failAll(commands, mayBeCommitted: false, because: cause) }
        metrics.separated()
        var answers: [Result<Outcome, LedgerError>] = []
        for command in commands { answers += await post([command]) }
        return answers
    }

    private func failAll(
        _ commands: [Command], mayBeCommitted: Bool, because cause: PostgresError
    )
        -> [Result<Outcome, LedgerError>]
    {
        let error =
            mayBeCommitted
            ? LedgerError(.outcomeUnknown, "the connection broke during the commit", underlying: cause)
            : LedgerError(cause)
        return commands.map { _ in .failure(error) }
    }
}

// MARK: - One attempt

extension LedgerWriter {
    /// Where an attempt failed, and why.
    private struct AttemptError: Error, CustomStringConvertible {
        let cause: PostgresError
        /// The commit was on its way: if the connection broke, it may have happened.
        let wasCommitting: Bool

        var description: String { "\(cause)" }
    }

    private func attempt(_ commands: [Command]) async throws(AttemptError) -> [Outcome] {
        let store: BatchStore
        let plan: Plan
        do throws(PostgresError) {
            store = BatchStore(connection: try await connected(), chart: chart)
            let snapshot = try await store.load(commands, ids: ids)
            plan = Plan(commands, on: snapshot)
            ids = plan.ids
        } catch {
            await rollBack()
            throw AttemptError(cause: error, wasCommitting: false)
        }
        do throws(PostgresError) {
            try await metrics.timingCommit(of: commands.count) { () async throws(PostgresError) in
                try await store.store(plan)
            }
        } catch {
            await rollBack()
            throw AttemptError(cause: error, wasCommitting: error.code != .server)
        }
        return plan.outcomes
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
            try await BatchStore(connection: connection, chart: chart).rollBack()
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
    /// For sessions that post.
    ///
    /// Their statements are prepared when tables may be empty, and a plan made then reads whole tables for ever; every
    /// look-up of a writer is by key, so whole-table reads and the joins that need them are forbidden. What is committed
    /// is on disk, whatever the cluster's default says.
    fileprivate var forWriting: PostgresConfiguration {
        var configuration = self
        configuration.settings.merge([
            "enable_seqscan": "off", "enable_hashjoin": "off", "enable_mergejoin": "off", "jit": "off",
            "plan_cache_mode": "force_generic_plan", "synchronous_commit": "on",
        ]) { _, ours in ours }
        return configuration
    }
}
