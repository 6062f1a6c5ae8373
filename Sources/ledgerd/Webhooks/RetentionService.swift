import Ledger
import Logging
import ServiceLifecycle

/// Deletes what strangers can make and nobody needs any more: events that were decided, and counts of refused receipts.
///
/// Every process does; what one is deleting the others pass over.
struct RetentionService: Service {
    let ledger: Ledger
    let webhookRetention: Duration
    let logger: Logger

    /// How often is looked.
    private static let interval: Duration = .seconds(600)
    /// How many rows are deleted at once, so that no statement holds others up.
    private static let batch = 1000
    /// How long others have the database to themselves after each.
    private static let pause: Duration = .milliseconds(100)

    func run() async throws {
        let repetition = Repetition(
            pause: Self.interval, failure: "old webhook events can't be deleted now", logger: logger)
        await repetition.run {
            let events = try await purge { try await ledger.webhooks.purge(olderThan: webhookRetention, limit: $0) }
            if events > 0 { logger.info("deleted old webhook events", metadata: ["events": "\(events)"]) }
            _ = try await purge { try await ledger.refusals.purge(limit: $0) }
            return .afterPause
        }
    }

    private func purge(_ delete: (Int) async throws -> Int) async throws -> Int {
        var deleted = 0
        while !Repetition.isOver {
            let gone = try await delete(Self.batch)
            deleted += gone
            if gone < Self.batch { break }
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: Self.pause) }
        }
        return deleted
    }
}
