/// What went wrong between this process and PostgreSQL.
///
/// ``code`` tells the caller what is known: a ``Code/server`` error is definite (the statement did nothing), while after
/// ``Code/connectionLost`` and ``Code/timeout`` the outcome of what was under way is unknown and has to be looked up.
public struct PostgresError: Error, Sendable {
    /// The kind of failure, to switch over.
    package let code: Code
    /// What happened, in words.
    ///
    /// A server's message may quote values: not for logs, see ``description``.
    package let message: String
    /// The server's code for the reason, when the server spoke.
    package internal(set) var sqlState: SQLState?
    /// The constraint that refused, when one did.
    package internal(set) var constraint: String?
    /// The table that the error is about, when the server named one.
    package internal(set) var table: String?
    /// The column that the error is about: named by the server, or the result column that could not be decoded.
    package internal(set) var column: String?
    /// The server's second message.
    ///
    /// It may quote whole rows, thus personal data.
    package internal(set) var detail: String?
    /// The server's suggestion.
    package internal(set) var hint: String?
    /// The SQL text of the statement that failed, without its parameters.
    package internal(set) var statement: String?
    /// The error that a row closure threw, when it was not a `PostgresError`.
    package internal(set) var underlying: (any Error)?

    init(_ code: Code, _ message: String, statement: String? = nil) {
        self.code = code
        self.message = message
        self.statement = statement
    }
}

extension PostgresError {
    /// Whether the server refuses the log-in itself: the role, its password or the database is wrong.
    ///
    /// It will until somebody changes something.
    package var isLogInRefused: Bool {
        guard code == .connectionFailed, let sqlState else { return false }
        return [.invalidAuthorization, .invalidPassword, .invalidCatalogName].contains(sqlState)
    }

    /// The kind of a failure.
    ///
    /// More may be added, so a switch needs a default.
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
        /// The connection broke in mid-flight: what was under way may or may not have happened.
        package static let connectionLost = Code("connectionLost")
        /// No reply within the deadline, and the connection is closed: what was under way may or may not have happened.
        package static let timeout = Code("timeout")
        /// The server refused the statement: definitely, neither it nor the rest of its pipeline did anything.
        package static let server = Code("server")
        /// The server's answer is not of the type asked for; the statement itself succeeded.
        package static let decoding = Code("decoding")
        /// No pooled connection became free within the deadline, or too many wait already; nothing was sent.
        package static let poolExhausted = Code("poolExhausted")
        /// The connection or pool was closed, or broke, before the call; nothing was sent.
        package static let closed = Code("closed")
        /// The connection is in the middle of a COPY; nothing was sent.
        package static let busy = Code("busy")
    }

    /// Whether what was under way may or may not have happened, so that it has to be looked up and never guessed.
    package var isOutcomeUnknown: Bool {
        code == .connectionLost || code == .timeout
    }
}

extension PostgresError: CustomStringConvertible, CustomDebugStringConvertible {
    /// A line for logs: codes and names only, never a value of a row or a parameter.
    public var description: String {
        var parts = ["postgres \(code)"]
        if let sqlState { parts.append("sqlstate \(sqlState)") }
        if let constraint { parts.append("constraint \(constraint)") }
        if let table { parts.append("table \(table)") }
        if let column { parts.append("column \(column)") }
        // What the server says may quote values, even passwords that stand in a statement; what we say never does.
        return parts.joined(separator: ", ") + (code == .server ? "" : ": \(message)")
    }

    /// All that is known, for a developer's eyes.
    ///
    /// It may quote values of rows, never a password of the configuration.
    public var debugDescription: String {
        var text = description
        if code == .server { text += ": \(message)" }
        if let detail { text += "\ndetail: \(detail)" }
        if let hint { text += "\nhint: \(hint)" }
        if let statement { text += "\nstatement: \(statement)" }
        if let underlying { text += "\nunderlying: \(String(reflecting: underlying))" }
        return text
    }
}
