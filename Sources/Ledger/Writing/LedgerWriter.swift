import Foundation
import Logging
import Metrics
import Postgres
import Timing

/// Writes batches of acts for a part of the stripes on its own connection.
///
/// A batch is tried as a whole. The error decides what is tried next (``PostgresError/remedy``). Trying again is always
/// safe, even after a commit whose reply was lost: under the accounts' locks, every attempt first reads what is
/// recorded under the acts' keys, so a committed act is found and not done twice. Purchases that the database credits meet
/// their unique keys instead, and are then planned.
actor LedgerWriter {
    private let configuration: PostgresConfiguration
    private let chart: SystemChart
    private let presence: Presence
    private let lotOrdering: LotOrdering
    private let vatSettings: VATSettings
    private let coinDays: CoinDays
    private let lotLimits: LotLimits
    private let creditsInDatabase: Bool
    private let logger: Logger
    private let patience: Duration
    private let time: Time
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
    ///   - creditsInDatabase: whether batches of purchases are credited by a function of the database.
    ///   - patience: how long a batch is retried while the database is unavailable.
    ///   - onCommit: called after each commit.
    init(
        configuration: PostgresConfiguration, chart: SystemChart, presence: Presence = Presence(),
        lotOrdering: LotOrdering = .standard, vatSettings: VATSettings = .off, coinDays: CoinDays = .exact,
        lotLimits: LotLimits = LotLimits(), creditsInDatabase: Bool = true, logger: Logger,
        patience: Duration = .seconds(8), time: Time = .current, onCommit: @escaping @Sendable () -> Void = {}
    ) {
        self.configuration = configuration.forWriting
        self.chart = chart
        self.presence = presence
        self.lotOrdering = lotOrdering
        self.vatSettings = vatSettings
        self.coinDays = coinDays
        self.lotLimits = lotLimits
        self.creditsInDatabase = creditsInDatabase
        self.logger = logger
        self.patience = patience
        self.time = time
        self.onCommit = onCommit
    }

    /// Performs the acts in one transaction, and returns their answers after the commit.
    func post(_ acts: [any Act]) async -> [Result<any AnyAnswer, LedgerError>] {
        await post(acts, BatchTrial())
    }

    /// Returns when the writer has run a task: a writer that hangs in a plan runs none.
    func takeTurn() {}

    /// Closes the connection.
    func close() async {
        await reset()
    }

    private func post(_ acts: [any Act], _ before: BatchTrial) async -> [Result<any AnyAnswer, LedgerError>] {
        var trial = before
        while true {
            do {
                switch try await attempt(acts) {
                case .answered(let answers): return answers
                case .tooLarge(let sizes): return await postInParts(acts, sizes, trial)
                }
            } catch {
                metrics.failed(error.cause)
                logger.warning("a batch failed", metadata: ["acts": "\(acts.count)", "error": "\(error)"])
                trial.learn(from: error, deadline: time.instant + patience)
                switch error.cause.remedy {
                case .replay where !trial.isReplayed, .divide where acts.count == 1 && trial.mayTryAgainAlone:
                    trial.isReplayed = true
                case .divide where acts.count > 1:
                    return await postInParts(acts, error.sizes, trial)
                case .reconnect where trial.hasTime(at: time.instant),
                    .giveUp where trial.mayBeCommitted && trial.hasTime(at: time.instant):
                    await reset()
                    try? await time.sleep(for: .milliseconds(100))
                case .wait where trial.mayBeCommitted && trial.hasTime(at: time.instant):
                    break  // the session whose reply was lost may still run and have the locks
                case .replay, .wait, .separate, .divide:
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
        _ acts: [any Act], _ trial: BatchTrial, after cause: PostgresError
    ) async -> [Result<any AnyAnswer, LedgerError>] {
        guard acts.count > 1 else { return [.failure(trial.failure(because: cause))] }
        metrics.separated()
        let single = trial.ofPart(until: time.instant + patience * 2)
        var answers: [Result<any AnyAnswer, LedgerError>] = []
        for act in acts {
            answers += single.hasTime(at: time.instant) ? await post([act], single) : [.failure(single.failureOfTime)]
        }
        return answers
    }

    /// Posts the acts in two batches, because one takes too long: first those that change few lots.
    ///
    /// So the others are done when the act that takes too long fails alone in the end.
    ///
    /// - Parameter sizes: the number of lots that each act changes; empty: not known.
    private func postInParts(
        _ acts: [any Act], _ sizes: [Int], _ trial: BatchTrial
    ) async -> [Result<any AnyAnswer, LedgerError>] {
        metrics.divided()
        let end = time.instant + patience * 2
        var divided = trial.ofPart(until: trial.isDivided ? trial.deadline ?? end : end)
        divided.isDivided = true
        var answers: [(place: Int, answer: Result<any AnyAnswer, LedgerError>)] = []
        for part in Self.parts(sizes.count == acts.count ? sizes : acts.map { _ in 0 }) {
            let answered =
                divided.hasTime(at: time.instant)
                ? await post(part.map { acts[$0] }, divided) : part.map { _ in .failure(divided.failureOfTime) }
            answers += zip(part, answered).map { ($0, $1) }
        }
        return answers.sorted { $0.place < $1.place }.map(\.answer)
    }

    /// The places of the acts in two parts of about the same size, the smallest acts first.
    private static func parts(_ sizes: [Int]) -> [ArraySlice<Int>] {
        let places = sizes.indices.sorted { sizes[$0] < sizes[$1] }
        // Each act costs something, also one that changes no lot.
        let all = sizes.reduce(sizes.count, +)
        var sum = 0
        let small = places.prefix { place in
            sum += sizes[place] + 1
            return sum <= all / 2
        }
        let count = min(max(small.count, 1), places.count - 1)
        return [places[..<count], places[count...]]
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

// MARK: - One attempt

extension LedgerWriter {
    private enum Attempt {
        case answered([Result<any AnyAnswer, LedgerError>])
        /// Nothing was written: the acts change so many lots that they must not be one batch.
        case tooLarge(sizes: [Int])
    }

    private func attempt(_ acts: [any Act]) async throws(AttemptError) -> Attempt {
        if creditsInDatabase, let purchases = Crediting.purchases(among: acts),
            let answers = try await credit(purchases)
        {
            return .answered(answers)
        }
        return try await plan(acts)
    }

    /// Lets a function of the database credit purchases.
    ///
    /// - Returns: nil: nothing was written, and the acts must be planned.
    private func credit(
        _ acts: [CreditPurchase]
    ) async throws(AttemptError) -> [Result<any AnyAnswer, LedgerError>]? {
        let store: BatchStore
        do throws(PostgresError) {
            store = batchStore(on: try await connected())
            if planning.isDue(before: acts.count) { try await store.discardPlans() }
            ids.add(blocksFrom: try await store.blocks(forPurchases: acts.count, besides: ids))
        } catch {
            throw AttemptError(loading: error)
        }
        let crediting = Crediting(
            acts, ids: &ids, among: chart.stripes, vatSettings: vatSettings, coinDays: coinDays, at: time.now)
        do throws(PostgresError) {
            let answers = try await metrics.timingCommit(of: acts.count) {
                () async throws(PostgresError) -> [Answer<Credited>] in
                try await traceRoundTrip("commit") { () throws(PostgresError) in try await store.credit(crediting) }
            }
            metrics.count(crediting.turnover)
            onCommit()
            return answers.map { .success($0) }
        } catch {
            await rollBack()
            guard error.meansPlanning else { throw AttemptError(crediting: error) }
            metrics.planned(error)
            return nil
        }
    }

    private func plan(_ acts: [any Act]) async throws(AttemptError) -> Attempt {
        // As if it changed more lots than all others, so that these are done before it.
        guard acts.count == 1 || !acts.contains(where: \.isAlone) else {
            return .tooLarge(sizes: acts.map { $0.isAlone ? acts.count : 0 })
        }
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
        guard !plan.isTooLarge else {
            await rollBack()
            return .tooLarge(sizes: plan.lotsChanged)
        }
        do throws(PostgresError) {
            try await metrics.timingCommit(of: acts.count) { () async throws(PostgresError) in
                try await traceRoundTrip("commit") { () throws(PostgresError) in try await store.store(plan) }
            }
            metrics.count(plan.journal.turnover)
            onCommit()
        } catch {
            await rollBack()
            throw AttemptError(storing: plan, error)
        }
        return .answered(plan.answers)
    }

    private func batchStore(on connection: PostgresConnection) -> BatchStore {
        BatchStore(
            connection: connection, chart: chart, leaseHolder: presence.leaseHolder, lotOrdering: lotOrdering,
            vatSettings: vatSettings, coinDays: coinDays, lotLimits: lotLimits)
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
