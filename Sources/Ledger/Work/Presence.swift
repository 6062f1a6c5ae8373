import Postgres
import Synchronization

/// Shows other processes that this one is running.
///
/// One of its sessions holds an advisory lock, whose key is the ``leaseHolder`` of this process's leases. PostgreSQL
/// releases the lock when the session ends, so the leases of a killed process end with it, and not when their time is
/// over. Each session has its own key: a process that was cut off has lost its leases when it connects again.
final class Presence: Sendable {
    private let key = Mutex<Int64?>(nil)

    /// Names this process in its leases; nil: it holds no lock now, and its leases only run out.
    var leaseHolder: Int64? { key.withLock { $0 } }

    /// Takes the lock for as long as the session lasts.
    func begin(on connection: PostgresConnection) async throws(PostgresError) {
        var new: Int64
        repeat { new = .random(in: 1 ... .max) } while try await !connection.run(Self.lock(new))
        key.withLock { [new] in $0 = new }
    }

    /// Names this process in no further leases, because the session has ended.
    func end() { key.withLock { $0 = nil } }

    private static func lock(_ key: Int64) -> PostgresQuery<Bool> {
        .one("SELECT pg_try_advisory_lock($1)", [key])
    }

    /// The SQL condition that a lease's holder no longer runs.
    ///
    /// The list of locks is read only if there is a lease to compare.
    static let isGone = """
        lease_holder IS NOT NULL AND lease_holder <> ALL (ARRAY(
            SELECT classid::bigint << 32 | objid::bigint FROM pg_locks
            WHERE locktype = 'advisory' AND objsubid = 1 AND granted
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())))
        """
}
