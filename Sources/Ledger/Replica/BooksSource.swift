package import Foundation
package import Postgres

/// Where the whole books are read, for exports, doctor and drill: the primary or, if there is one, a standby.
///
/// Balances and histories are always read from the primary. A standby is read when it has everything that the primary
/// had when the report was requested, so a report of a standby shows no older books. Nothing is written, locked or kept
/// on the standby, so any hot standby will do.
package struct BooksSource: Sendable {
    package let primary: PostgresConfiguration
    let replica: Replica?

    /// A standby, and how late it may be.
    package struct Replica: Sendable {
        let database: PostgresConfiguration
        let patience: Duration

        /// - Parameters:
        ///   - database: a standby is preferred among its hosts, unless it says otherwise.
        ///   - patience: how long a report waits until the standby has caught up.
        package init(_ database: PostgresConfiguration, patience: Duration) {
            self.database = database.preferringStandby
            self.patience = patience
        }

        /// The same, with less patience.
        package func waiting(atMost limit: Duration) -> Replica { Replica(database, patience: min(patience, limit)) }
    }

    /// - Parameter replica: nil: the primary is read.
    package init(_ primary: PostgresConfiguration, replica: Replica? = nil) {
        self.primary = primary
        self.replica = replica
    }

    /// Whether there is a standby.
    package var hasReplica: Bool { replica != nil }
}

/// The server that a report was read from, and up to when the report is complete.
package struct SnapshotOrigin: Sendable, Equatable {
    package enum Server: String, Sendable {
        case primary, standby
    }

    package let server: Server
    /// Everything that was recorded up to this time is in the report.
    package let time: Date
}

extension BooksSource {
    /// A connection, and the origin of snapshots that it takes from now on.
    typealias Session = (connection: PostgresConnection, origin: SnapshotOrigin)

    /// Connects to the standby and waits until it has caught up; without one, or if no host is a standby any more,
    /// connects to the primary.
    ///
    /// - Parameters:
    ///   - waitsForBatches: whether the primary's running batches are waited for, so that an entry recorded before the
    ///     origin's time is not missing. For a standby they always are.
    ///   - tuning: the settings of the session.
    /// - Throws: ``LedgerError/Code/replicaUnavailable``, ``LedgerError/Code/unavailable``.
    func open(
        waitsForBatches: Bool, _ tuning: (PostgresConfiguration) -> PostgresConfiguration
    ) async throws(LedgerError) -> Session {
        guard let replica else { return try await openPrimary(tuning, waitsForBatches) }
        let bookmark = try await self.bookmark()
        let connection: PostgresConnection
        do {
            connection = try await PostgresConnection.connect(tuning(replica.database))
        } catch {
            throw LedgerError(.replicaUnavailable, "the standby of replica_url can't be reached", underlying: error)
        }
        do {
            guard try await connection.run(Bookmark.isStandby) else {
                // A failover made it a primary: the one of database_url is the right one.
                await connection.close()
                return try await openPrimary(tuning, waitsForBatches)
            }
            try await bookmark.wait(for: connection, atMost: replica.patience)
            return (connection, SnapshotOrigin(server: .standby, time: bookmark.time))
        } catch {
            await connection.close()
            throw LedgerError(any: error, readingFrom: .standby)
        }
    }

    private func bookmark() async throws(LedgerError) -> Bookmark {
        do {
            return try await reading { try await PostgresConnection.with(primary) { try await Bookmark(on: $0) } }
        } catch {
            guard let cause = error.underlying, cause.isFunctionWithheld, cause.sqlState != .insufficientPrivilege
            else {
                throw error
            }
            // Aurora, whose instances share their storage.
            throw LedgerError(
                .replicaUnavailable,
                "the database does not tell how far its WAL is, so it is unknown what a standby has: remove replica_url",
                underlying: cause)
        }
    }

    private func openPrimary(
        _ tuning: (PostgresConfiguration) -> PostgresConfiguration, _ waitsForBatches: Bool
    ) async throws(LedgerError) -> Session {
        try await reading {
            let connection = try await PostgresConnection.connect(tuning(primary))
            let time = try await waitsForBatches ? connection.waitForBatches() : connection.run(ClosedPeriod.clock)
            return (connection, SnapshotOrigin(server: .primary, time: time))
        }
    }

    /// Lends a session as ``open(waitsForBatches:_:)`` makes it, and closes it.
    ///
    /// - Throws: ``LedgerError``, also for errors of the work.
    func with<Output>(
        waitsForBatches: Bool = false, _ tuning: (PostgresConfiguration) -> PostgresConfiguration,
        _ work: (PostgresConnection, SnapshotOrigin) async throws -> Output
    ) async throws(LedgerError) -> Output {
        let (connection, origin) = try await open(waitsForBatches: waitsForBatches, tuning)
        do {
            let output = try await work(connection, origin)
            await connection.close()
            return output
        } catch {
            await connection.close()
            throw LedgerError(any: error, readingFrom: origin.server)
        }
    }

    /// Where reports would be read now; for `ledgerd check`.
    package func origin() async throws(LedgerError) -> SnapshotOrigin {
        try await with {
            $0
        } _: { _, origin in
            origin
        }
    }
}

extension LedgerError {
    /// Maps an error of a report.
    ///
    /// A standby cancels a query, or ends its session, when it must replay what removes rows that the query may still
    /// read (PostgreSQL manual, "Handling Query Conflicts").
    init(any error: any Error, readingFrom server: SnapshotOrigin.Server) {
        let cause = error as? PostgresError ?? (error as? LedgerError)?.underlying
        guard server == .standby, let cause, (error as? LedgerError)?.code != .replicaUnavailable else {
            self.init(any: error)
            return
        }
        if cause.sqlState == .serializationFailure {
            self.init(
                .replicaUnavailable,
                "the standby cancelled the query, because replay had to remove rows that it reads: repeat it, or set "
                    + "hot_standby_feedback or a longer max_standby_streaming_delay on the standby", underlying: cause)
        } else if cause.meansUnavailable {
            self.init(.replicaUnavailable, "the standby of replica_url can't be reached", underlying: cause)
        } else {
            self.init(any: error)
        }
    }
}
