import Synchronization

/// Which server is the primary, as far as the process has seen.
///
/// A standby that is promoted begins a new timeline (PostgreSQL manual, "Timelines"). A former primary that is cut off
/// does not know of it, and answers reads that are out of date until somebody stops it. Connections that share a
/// succession do not believe it once one of them has seen the next primary.
///
/// A standby has no timeline of its own, and is never taken for a former primary.
///
/// Acts need no such care: a former primary has no synchronous standby, and so confirms no commit.
package final class Succession: Sendable {
    /// A server's place in the succession.
    struct Reign: Sendable, Equatable {
        /// The cluster's identifier.
        ///
        /// A restored dump has another, and its timelines are its own.
        let system: Int64
        let timeline: Int64

        /// The present one of the server that answers; nil: it is a standby.
        static let present = PostgresQuery<Reign?>.first(
            """
            SELECT system_identifier, ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int8
            FROM pg_control_system()
            WHERE NOT pg_is_in_recovery()
            """
        ) { row in Reign(system: try row[0], timeline: try row[1]) }
    }

    private let latest = Mutex<Reign?>(nil)

    /// Begins without having seen a server.
    package init() {}

    /// Whether no later primary of the same cluster is known.
    func isCurrent(_ reign: Reign) -> Bool {
        latest.withLock { latest in
            guard let latest, latest.system == reign.system else { return true }
            return reign.timeline >= latest.timeline
        }
    }

    /// Notes the primary of a new connection.
    ///
    /// - Throws: `connectionFailed` if it is a former one.
    func note(_ reign: Reign) throws(PostgresError) {
        guard isCurrent(reign) else {
            throw PostgresError(.connectionFailed, "the server is a former primary: another one has been promoted")
        }
        latest.withLock { latest in
            if let known = latest, known.system == reign.system, known.timeline > reign.timeline { return }
            latest = reign
        }
    }
}
