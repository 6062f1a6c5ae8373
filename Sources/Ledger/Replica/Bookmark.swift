import Foundation
import Postgres

/// What the primary had at a time: a place in its WAL, and what shows that a standby is one of this primary.
struct Bookmark: Sendable {
    /// Everything that was recorded up to this time is before ``place``.
    let time: Date
    /// The end of the WAL on the primary's disk, such as `0/16B3740`.
    private let place: String
    private let systemIdentifier: Int64
    private let lastLink: ChainLink?

    /// Reads it from the primary.
    init(on primary: PostgresConnection) async throws {
        // A commit is on disk before its locks are released, so the place is after all batches that were waited for.
        time = try await primary.waitForBatches()
        lastLink = try await primary.run(ChainLink.last)
        (place, systemIdentifier) = try await primary.run(Self.position)
    }

    /// Waits until the standby has replayed what the primary had.
    ///
    /// - Throws: ``LedgerError/Code/replicaUnavailable`` when that takes longer than `patience`, or when it is a standby
    ///   of another primary.
    func wait(for standby: PostgresConnection, atMost patience: Duration) async throws {
        guard try await standby.run(Self.systemIdentifier) == systemIdentifier else { throw LedgerError.foreign }
        let deadline = ContinuousClock.now + patience
        while case let bytes = try await standby.run(bytesBehind), bytes > 0 {
            guard .now < deadline else { throw LedgerError.late(bytes, patience) }
            try await Task.sleep(for: .milliseconds(20))
        }
        // A primary that was forked from the same cluster has other links.
        guard let lastLink else { return }
        let same = try await standby.run(ChainLink.after(lastLink.id - 1, limit: 1)).first
        guard same?.id == lastLink.id, same?.state == lastLink.state else { throw LedgerError.foreign }
    }

    /// Whether the server only replays what a primary wrote.
    static let isStandby = PostgresQuery<Bool>.one("SELECT pg_is_in_recovery()")

    private static let position = PostgresQuery<(String, Int64)>.one(
        "SELECT pg_current_wal_flush_lsn()::text, (SELECT system_identifier FROM pg_control_system())"
    ) { row in (try row[0], try row[1]) }

    private static let systemIdentifier = PostgresQuery<Int64>.one(
        "SELECT system_identifier FROM pg_control_system()")

    private var bytesBehind: PostgresQuery<Int64> {
        .one("SELECT pg_wal_lsn_diff($1::text::pg_lsn, pg_last_wal_replay_lsn())::bigint", [place])
    }
}

extension LedgerError {
    fileprivate static let foreign = LedgerError(
        .replicaUnavailable, "the server of replica_url is not a standby of the database of database_url")

    fileprivate static func late(_ bytes: Int64, _ patience: Duration) -> LedgerError {
        LedgerError(
            .replicaUnavailable,
            "the standby is \(bytes) bytes of WAL behind the primary, and did not catch up within \(patience)")
    }
}
