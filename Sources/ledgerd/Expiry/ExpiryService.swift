import Ledger
import Logging
import Metrics
import ServiceLifecycle

/// Has holds and lots expire when their time is up.
///
/// Several processes may do it at once: a hold or a lot expires once, whoever says so.
struct ExpiryService: Service {
    let ledger: Ledger
    let logger: Logger

    /// How many are taken at a time: as many as one batch of the ledger holds.
    private static let batch = 1024
    private static let shortestPause: Duration = .seconds(1)
    /// While the database is away.
    private static let longestPause: Duration = .seconds(30)

    /// Works until the service shuts down.
    func run() async throws {
        var pause = Self.shortestPause
        while !Task.isShuttingDownGracefully && !Task.isCancelled {
            do {
                let isMore = try await expireDue()
                pause = Self.shortestPause
                if isMore { continue }
            } catch {
                // An outage is one line, however long it lasts.
                if pause == Self.shortestPause {
                    logger.warning("what is due can't expire now", metadata: ["error": "\(error)"])
                }
                pause = min(pause * 2, Self.longestPause)
            }
            try? await cancelWhenGracefulShutdown { [pause] in try await Task.sleep(for: pause) }
        }
    }

    /// - Returns: whether more may be due.
    private func expireDue() async throws -> Bool {
        let holds = try await ledger.dueHolds(limit: Self.batch)
        try await expire(holds.map { .expireHold(ExpireHold(user: $0.user, holdID: $0.id)) }, "holds")
        let lots = try await ledger.dueLots(limit: Self.batch)
        try await expire(lots.map { .expireLot(ExpireLot(user: $0.user, lotID: $0.id)) }, "lots")
        return holds.count == Self.batch || lots.count == Self.batch
    }

    /// Submits the commands together, so that they share batches.
    private func expire(_ commands: [Command], _ what: String) async throws {
        guard !commands.isEmpty else { return }
        let expired = try await withThrowingTaskGroup(of: Bool.self) { group in
            for command in commands { group.addTask { try await !ledger.submit(command).isRepeat } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        guard expired > 0 else { return }
        Counter(label: "ledgerd_expired_total", dimensions: [("what", what)]).increment(by: expired)
        logger.info("expired", metadata: ["what": "\(what)", "count": "\(expired)"])
    }
}
