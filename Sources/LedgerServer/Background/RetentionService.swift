import Ledger
import Logging
import ServiceLifecycle
import Timing

/// Deletes old rows: decided webhook events and counts of refused receipts, which outsiders can create, attempts to
/// deliver events, and sessions of the console that are over; and erases bank accounts of providers that serve nobody, and what was
/// kept of forgotten users as long as it must.
///
/// Every process does this, and skips rows that another process is deleting.
struct RetentionService: Service {
    let ledger: Ledger
    let webhookRetention: Duration
    let logger: Logger

    /// The time between two runs.
    private static let interval: Duration = .seconds(600)
    /// The maximum number of rows per statement, so that no statement blocks others for long.
    private static let batch = 1000
    /// The pause after each statement.
    private static let pause: Duration = .milliseconds(100)

    func run() async throws {
        let repetition = Repetition(
            pause: Self.interval, failure: "can't delete old webhook events now", logger: logger)
        await repetition.run {
            let events = try await purge { try await ledger.webhooks.purge(olderThan: webhookRetention, limit: $0) }
            if events > 0 { logger.info("deleted old webhook events", metadata: ["events": "\(events)"]) }
            _ = try await purge { try await ledger.refusals.purge(limit: $0) }
            _ = try await purge { try await ledger.sessions.purge(limit: $0) }
            _ = try await purge { try await ledger.endpoints.purgeAttempts(limit: $0) }
            let accounts = try await purge { try await ledger.providers.purgeAccounts(limit: $0) }
            if accounts > 0 { logger.info("erased bank accounts of providers", metadata: ["accounts": "\(accounts)"]) }
            let kept = try await ledger.forgettings.endKept()
            if kept > 0 { logger.info("erased kept ids of forgotten users", metadata: ["users": "\(kept)"]) }
            return .afterPause
        }
    }

    private func purge(_ delete: (Int) async throws -> Int) async throws -> Int {
        var deleted = 0
        while !Repetition.isOver {
            let gone = try await delete(Self.batch)
            deleted += gone
            if gone < Self.batch { break }
            try? await cancelWhenGracefulShutdown { try await Time.current.sleep(for: Self.pause) }
        }
        return deleted
    }
}
