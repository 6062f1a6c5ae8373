import CLibPQ

/// A warning or notice from the server.
package struct PostgresNotice: Sendable, Equatable {
    /// The severity in English: `WARNING`, `NOTICE`, `INFO`, `LOG` or `DEBUG`.
    package let severity: String
    /// The server's code; nil: none.
    package let sqlState: SQLState?
    /// The server's text, in the server's language.
    package let message: String
    /// The server's function that reported it, which does not depend on the language.
    let function: String?

    init(_ result: OpaquePointer) {
        func field(_ name: Unicode.Scalar) -> String? {
            PQresultErrorField(result, Int32(name.value)).map { String(cString: $0) }
        }
        severity = field("V") ?? "NOTICE"
        sqlState = field("C").map(SQLState.init(rawValue:))
        message = field("M") ?? ""
        function = field("R")
    }

    /// Whether the wait of a commit for a standby was cancelled.
    ///
    /// The commit is on the primary's disk.
    ///
    /// The text is translated, and the code is the same for many warnings, so the function identifies this one
    /// (`syncrep.c`; PostgreSQL's manual, "Synchronous Replication").
    var isCancelledReplicationWait: Bool { function == "SyncRepWaitForLSN" }

    /// Whether the server ends the session: libpq delivers an error that comes between statements as a notice.
    var endsSession: Bool { severity == "FATAL" || severity == "PANIC" }
}

/// The notices of a connection.
///
/// Not `Sendable`: it belongs to a ``Wire`` and is used only on its thread.
final class Notices {
    private let handler: (@Sendable (PostgresNotice) -> Void)?
    private var hasUnconfirmedCommit = false
    /// Whether the server has said that it ends the session.
    private(set) var haveEndedSession = false

    init(_ handler: (@Sendable (PostgresNotice) -> Void)?) { self.handler = handler }

    /// Lets libpq deliver the connection's notices to this object, which must live as long as the connection.
    func receive(from connection: OpaquePointer) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        PQsetNoticeReceiver(
            connection,
            { context, result in
                guard let context, let result else { return }
                Unmanaged<Notices>.fromOpaque(context).takeUnretainedValue().add(PostgresNotice(result))
            }, context)
    }

    private func add(_ notice: PostgresNotice) {
        if notice.isCancelledReplicationWait { hasUnconfirmedCommit = true }
        if notice.endsSession { haveEndedSession = true }
        handler?(notice)
    }

    /// Whether a commit since the last call was not confirmed by the standby.
    func takeUnconfirmedCommit() -> Bool {
        defer { hasUnconfirmedCommit = false }
        return hasUnconfirmedCommit
    }
}
