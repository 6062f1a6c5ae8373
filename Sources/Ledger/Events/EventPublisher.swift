import Postgres

/// Numbers everything that happened, once it is committed: 1, 2, 3, … without gaps.
///
/// A number is never changed or given twice. Any number of processes may publish; they take turns.
///
/// Those that are numbered together are the difference of two snapshots: what is visible now and was not visible when
/// the last were numbered. Nothing is missed, whatever the order of commits, and nothing waits for a transaction that
/// stays open. Whoever posts to an account has seen the account's last posting, so a snapshot that has a posting has
/// all earlier postings of the account.
package struct EventPublisher: Sendable {
    /// The key of the advisory lock of publishers: "ledgevnt" in ASCII.
    package static let lockKey: Int64 = 7_810_759_523_990_662_772
    /// The most events that one transaction numbers.
    static let batchLimit = 200_000
    /// How often entries of the same time are put in order, before the others are tried again.
    private static let mostAttempts = 5

    /// Tests lower it.
    var batchLimit = Self.batchLimit
    private let pool: PostgresPool

    init(_ pools: Pools) { pool = pools.publishing }

    /// Numbers everything that is committed and has no number.
    ///
    /// - Returns: the number of new events.
    /// - Throws: ``LedgerError``. What was numbered before stays.
    @discardableResult
    package func publish() async throws(LedgerError) -> Int64 {
        try await reading {
            try await pool.withConnection { connection in
                var published: Int64 = 0
                while true {
                    let batch = try await Self.publish(upTo: batchLimit, on: connection)
                    published += batch.count
                    if batch.count > 0 { _ = try await connection.run(EventBatch.notify) }
                    if batch.isWhole || Task.isCancelled { return published }
                }
            }
        }
    }

    /// How long the oldest entry that has no number has waited; zero: none waits.
    package func lag() async throws(LedgerError) -> Duration {
        try await reading { .milliseconds(try await pool.run(EventBatch.waiting) ?? 0) }
    }

    private static func publish(upTo limit: Int, on connection: PostgresConnection) async throws -> EventBatch {
        var order: [Int64] = []
        for _ in 0..<mostAttempts {
            // In one round trip. Each statement has its own snapshot, so the second sees what was published while the
            // first waited.
            let batch = try await connection.pipeline(
                .begin, EventBatch.lock, EventBatch.publish(upTo: limit, inOrder: order), .commit
            ).2
            guard !batch.ties.isEmpty else { return batch }
            order = try await EventOrder.read(batch.ties, on: connection)
        }
        throw LedgerError.unexpected("entries of the same time can't be put in order")
    }
}
