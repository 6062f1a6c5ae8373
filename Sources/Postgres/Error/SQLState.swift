/// PostgreSQL's five-character error code.
///
/// Appendix A of the PostgreSQL manual lists the codes. The first two characters are the class.
public struct SQLState: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
    /// The five characters, for example `23505`.
    public let rawValue: String

    /// A code as the server sent it.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The class of the code, its first two characters: `23` for every constraint violation.
    public var classCode: String {
        String(rawValue.prefix(2))
    }

    /// The five characters.
    public var description: String {
        rawValue
    }
}

extension SQLState {
    /// The first code in a verbose text of libpq's, such as `FATAL:  28P01: password authentication failed …`.
    init?(inVerbose text: String) {
        guard let match = text.firstMatch(of: #/: {2}([0-9A-Z]{5}): /#) else { return nil }
        self.init(rawValue: String(match.1))
    }

    /// `0A000`: among others, a prepared statement whose result columns have changed.
    public static let featureNotSupported = SQLState(rawValue: "0A000")
    /// `22P02`: text that is not a value of the type.
    public static let invalidTextRepresentation = SQLState(rawValue: "22P02")
    /// `22008`: a time outside what the type can hold.
    public static let datetimeFieldOverflow = SQLState(rawValue: "22008")
    /// `23502`: a NULL in a NOT NULL column.
    public static let notNullViolation = SQLState(rawValue: "23502")
    /// `23503`: a reference to a missing row, or the deletion of a referenced row.
    public static let foreignKeyViolation = SQLState(rawValue: "23503")
    /// `23505`: a second row with the same key.
    public static let uniqueViolation = SQLState(rawValue: "23505")
    /// `23514`: a CHECK constraint is violated.
    public static let checkViolation = SQLState(rawValue: "23514")
    /// `23P01`: an EXCLUDE constraint is violated.
    public static let exclusionViolation = SQLState(rawValue: "23P01")
    /// `25006`: a write in a read-only transaction.
    public static let readOnlyTransaction = SQLState(rawValue: "25006")
    /// `25P02`: a statement, or a COMMIT, in a transaction that has already failed.
    public static let inFailedTransaction = SQLState(rawValue: "25P02")
    /// `25P03`: the session was ended after a long idle transaction.
    public static let idleInTransactionTimeout = SQLState(rawValue: "25P03")
    /// `26000`: no prepared statement of that name.
    public static let invalidStatementName = SQLState(rawValue: "26000")
    /// `28000`: the server refuses this role.
    public static let invalidAuthorization = SQLState(rawValue: "28000")
    /// `28P01`: wrong password.
    public static let invalidPassword = SQLState(rawValue: "28P01")
    /// `3D000`: no database of that name.
    public static let invalidCatalogName = SQLState(rawValue: "3D000")
    /// `40001`: concurrent transactions could not be serialized; retry.
    public static let serializationFailure = SQLState(rawValue: "40001")
    /// `40P01`: two transactions waited for each other; retry.
    public static let deadlockDetected = SQLState(rawValue: "40P01")
    /// `42501`: the role lacks the privilege.
    public static let insufficientPrivilege = SQLState(rawValue: "42501")
    /// `42601`: the statement does not parse.
    public static let syntaxError = SQLState(rawValue: "42601")
    /// `42703`: no column of that name.
    public static let undefinedColumn = SQLState(rawValue: "42703")
    /// `42P01`: no table of that name.
    public static let undefinedTable = SQLState(rawValue: "42P01")
    /// `42P07`: a table of that name already exists.
    public static let duplicateTable = SQLState(rawValue: "42P07")
    /// `53300`: the server has no connection left.
    public static let tooManyConnections = SQLState(rawValue: "53300")
    /// `55P03`: no lock within `lock_timeout`.
    public static let lockNotAvailable = SQLState(rawValue: "55P03")
    /// `57014`: cancelled, by `statement_timeout` or by request.
    public static let queryCanceled = SQLState(rawValue: "57014")
    /// `57P01`: an administrator ended the session, or the server is shutting down.
    public static let adminShutdown = SQLState(rawValue: "57P01")
    /// `P0001`: `RAISE EXCEPTION` without its own code.
    public static let raisedException = SQLState(rawValue: "P0001")
}
