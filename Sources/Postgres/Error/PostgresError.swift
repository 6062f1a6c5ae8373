/// An error between this process and PostgreSQL.
///
/// ``code`` says what is known: a ``Code/server`` error is definite (the statement had no effect). After
/// ``Code/connectionLost``, ``Code/timeout`` and ``Code/unconfirmed`` the outcome of the running statement is unknown
/// and must be looked up.
public struct PostgresError: Error, Sendable {
    /// The kind of failure.
    package let code: Code
    /// The error text.
    ///
    /// A server's message can quote values: don't log it, see ``description``.
    package let message: String
    /// The server's error code, if the server sent one.
    package internal(set) var sqlState: SQLState?
    /// The violated constraint, if any.
    package internal(set) var constraint: String?
    /// The table of the error, if the server named one.
    package internal(set) var table: String?
    /// The column of the error: named by the server, or the result column that could not be decoded.
    package internal(set) var column: String?
    /// The server's detail message.
    ///
    /// It can quote whole rows, including personal data.
    package internal(set) var detail: String?
    /// The server's hint.
    package internal(set) var hint: String?
    /// The SQL text of the failed statement, without parameters.
    package internal(set) var statement: String?
    /// The error of a row closure, if it is not a `PostgresError`.
    package internal(set) var underlying: (any Error)?

    init(_ code: Code, _ message: String, statement: String? = nil) {
        self.code = code
        self.message = message
        self.statement = statement
    }
}

extension PostgresError {
    /// Whether the server refused the log-in because the role, its password or the database is wrong.
    ///
    /// Retrying does not help until somebody changes a setting.
    package var isLogInRefused: Bool {
        guard code == .connectionFailed, let sqlState else { return false }
        return [.invalidAuthorization, .invalidPassword, .invalidCatalogName].contains(sqlState)
    }

    /// Whether the server does not let us call one of its functions: it lacks it, or we lack the privilege.
    package var isFunctionWithheld: Bool {
        guard code == .server, let sqlState else { return false }
        return [.insufficientPrivilege, .featureNotSupported, .objectNotInPrerequisiteState, .undefinedFunction]
            .contains(sqlState)
    }

    /// The kind of a failure.
    ///
    /// New codes can be added, so a switch needs a default.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name of the code.
        package let description: String

        private init(_ name: String) {
            description = name
        }

        /// The configuration, or a statement's form, is not valid; nothing was sent.
        package static let configuration = Code("configuration")
        /// A connection could not be established; nothing was sent.
        package static let connectionFailed = Code("connectionFailed")
        /// A pooler gives other clients the server session of an open connection: nothing can be done with it safely.
        package static let sharedSession = Code("sharedSession")
        /// The connection broke: the running statement may or may not have been executed.
        package static let connectionLost = Code("connectionLost")
        /// No reply in time; the connection is closed.
        ///
        /// The running statement may or may not have been executed.
        package static let timeout = Code("timeout")
        /// The primary committed, but stopped waiting for its standby: a failover can still lose the commit.
        package static let unconfirmed = Code("unconfirmed")
        /// The server refused the statement: neither it nor the rest of its pipeline had any effect.
        package static let server = Code("server")
        /// The result has another type than requested; the statement itself succeeded.
        package static let decoding = Code("decoding")
        /// No pooled connection became free in time, or too many callers wait; nothing was sent.
        package static let poolExhausted = Code("poolExhausted")
        /// The connection or pool was closed, or broke, before the call; nothing was sent.
        package static let closed = Code("closed")
        /// The connection is in a COPY; nothing was sent.
        package static let busy = Code("busy")
    }

    /// Whether the outcome of the running statement is unknown and must be looked up.
    package var isOutcomeUnknown: Bool {
        code == .connectionLost || code == .timeout || code == .unconfirmed
    }
}

extension PostgresError: CustomStringConvertible, CustomDebugStringConvertible {
    /// A line for logs: only codes and names, no values of rows or parameters.
    public var description: String {
        var parts = ["postgres \(code)"]
        if let sqlState { parts.append(sqlState.name) }
        if let constraint { parts.append("constraint \(constraint)") }
        if let table { parts.append("table \(table)") }
        if let column { parts.append("column \(column)") }
        // The server's text can quote values, even passwords in a statement. Texts written here never do.
        return parts.joined(separator: ", ") + (code == .server ? "" : ": \(message)")
    }

    /// All details, for developers.
    ///
    /// It can quote values of rows, but never a password of the configuration.
    public var debugDescription: String {
        var text = description
        if let sqlState { text += " (\(sqlState))" }
        if code == .server { text += ": \(message)" }
        if let detail { text += "\ndetail: \(detail)" }
        if let hint { text += "\nhint: \(hint)" }
        if let statement { text += "\nstatement: \(statement)" }
        if let underlying { text += "\nunderlying: \(String(reflecting: underlying))" }
        return text
    }
}

extension PostgresError {
    /// Whether TLS can't be agreed on: the server has none, its certificate is not trusted, or a certificate file can't
    /// be read.
    ///
    /// It stays refused until somebody changes a setting. libpq has no code for it; its texts are English, because no
    /// process of ours chooses a language (`setlocale`).
    package var isTLSRefused: Bool {
        guard code == .connectionFailed, sqlState == nil else { return false }
        return Self.wordsOfRefusedTLS.contains { message.contains($0) }
    }

    /// What libpq's `fe-secure-openssl.c` and `fe-connect.c` say; `SSL SYSCALL error`, a lost connection, is none of it.
    private static let wordsOfRefusedTLS = [
        "server does not support SSL", "SSL error: ", "server certificate for ", "host name from server certificate",
        "root certificate file", "certificate file", "private key file",
    ]
}
