import CLibPQ
import Glibc

extension PostgresConnection {
    /// Subscribes the session to a channel, until it ends.
    ///
    /// - Throws: as ``execute(_:)``.
    package func listen(_ channel: String) throws(PostgresError) {
        let quoted = channel.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
        try execute("LISTEN \"\(quoted)\"")
    }

    /// The next notification; `nil` if none arrives in time or the task is cancelled.
    ///
    /// It waits on the connection's thread, so other calls of this connection wait too: use a separate connection.
    ///
    /// - Throws: `connectionLost` if the session ends: notifications may be lost.
    package func nextNotification(within timeout: Duration) throws(PostgresError) -> PostgresNotification? {
        let wire = try ready()
        defer { updateStanding() }
        let deadline = ContinuousClock.now + timeout
        while true {
            if let notification = wire.takeNotification() { return notification }
            let remaining = deadline - .now
            if remaining <= .zero || Task.isCancelled { return nil }
            // In slices, because a cancelled task does not wake `poll`.
            if Wire.poll(wire.socket, Int16(POLLIN), for: min(remaining, .milliseconds(100))) != nil {
                wire.absorb()
                if wire.isBroken { throw wire.lost() }
            }
        }
    }
}

extension Wire {
    func takeNotification() -> PostgresNotification? {
        PQisBusy(pointer)
        guard let notify = PQnotifies(pointer) else { return nil }
        defer { PQfreemem(notify) }
        return PostgresNotification(
            channel: String(cString: notify.pointee.relname), payload: String(cString: notify.pointee.extra),
            senderProcess: notify.pointee.be_pid)
    }
}

/// A message sent by `NOTIFY`.
package struct PostgresNotification: Hashable, Sendable {
    package let channel: String
    /// The payload, often empty.
    package let payload: String
    /// The server process of the session that sent it.
    package let senderProcess: Int32
}
