import CLibPQ
import Glibc

/// Asks the server, on a second connection, whether a session is at work.
///
/// A server sends nothing while it carries out a statement, so that a busy session looks like one whose server is gone.
struct SessionProbe {
    /// How long the answer may take.
    private static let patience: Duration = .seconds(1)

    private let connection: String
    private let session: Int32

    /// - Parameter pointer: the connection of the session. The same server is asked, whichever the URL names.
    init(of pointer: OpaquePointer, _ configuration: PostgresConfiguration) {
        session = PQbackendPID(pointer)
        connection = configuration.connectionString(
            toServer: [
                "host": Self.text(PQhost(pointer)), "hostaddr": Self.text(PQhostaddr(pointer)),
                "port": Self.text(PQport(pointer)),
            ])
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }

    /// Whether the session carries out a statement now.
    ///
    /// A session that waits for a lock, a standby or its client is not at work, nor is one of which a pooler between us
    /// and the server has another number.
    func isAtWork() -> Bool {
        let deadline = ContinuousClock.now + Self.patience
        guard let pointer = connect(until: deadline) else { return false }
        defer { PQfinish(pointer) }
        // `Timeout` is a sleep of the statement's own.
        let question = """
            SELECT FROM pg_catalog.pg_stat_activity WHERE pid = \(session) AND state = 'active'
                AND coalesce(wait_event_type, 'IO') IN ('IO', 'LWLock', 'BufferPin', 'Timeout')
            """
        guard PQsendQuery(pointer, question) == 1 else { return false }
        while PQisBusy(pointer) == 1 {
            guard Wire.poll(PQsocket(pointer), Int16(POLLIN), for: deadline - .now) != nil, PQconsumeInput(pointer) == 1
            else { return false }
        }
        guard let owned = PQgetResult(pointer) else { return false }
        let result = PostgresResult(owning: owned)
        return result.status == PGRES_TUPLES_OK && result.rowCount == 1
    }

    private func connect(until deadline: ContinuousClock.Instant) -> OpaquePointer? {
        guard let pointer = PQconnectStart(connection) else { return nil }
        // A connection that has just been started waits to be written to.
        var state = PQstatus(pointer) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING
        while state == PGRES_POLLING_READING || state == PGRES_POLLING_WRITING {
            let events = Int16(state == PGRES_POLLING_READING ? POLLIN : POLLOUT)
            guard Wire.poll(PQsocket(pointer), events, for: deadline - .now) != nil else { break }
            state = PQconnectPoll(pointer)
        }
        if state == PGRES_POLLING_OK { return pointer }
        PQfinish(pointer)
        return nil
    }
}
