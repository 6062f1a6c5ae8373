/// PostgreSQL's five-character error code.
///
/// Appendix A of the PostgreSQL manual lists the codes. The first two characters are the class.
package struct SQLState: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
    /// The five characters, for example `23505`.
    package let rawValue: String

    /// A code as the server sent it.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The class of the code, its first two characters: `23` for every constraint violation.
    package var classCode: String {
        String(rawValue.prefix(2))
    }

    /// The five characters.
    package var description: String {
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
    package static let featureNotSupported = SQLState(rawValue: "0A000")
    /// `08P01`: among others, a pooler that takes no transactions was told to begin one.
    package static let protocolViolation = SQLState(rawValue: "08P01")
    /// `22P02`: text that is not a value of the type.
    package static let invalidTextRepresentation = SQLState(rawValue: "22P02")
    /// `22008`: a time outside the range of the type.
    package static let datetimeFieldOverflow = SQLState(rawValue: "22008")
    /// `23502`: a NULL in a NOT NULL column.
    package static let notNullViolation = SQLState(rawValue: "23502")
    /// `23503`: a reference to a missing row, or the deletion of a referenced row.
    package static let foreignKeyViolation = SQLState(rawValue: "23503")
    /// `23505`: a second row with the same key.
    package static let uniqueViolation = SQLState(rawValue: "23505")
    /// `23514`: a CHECK constraint is violated.
    package static let checkViolation = SQLState(rawValue: "23514")
    /// `25P02`: a statement, or a COMMIT, in a transaction that has already failed.
    package static let inFailedTransaction = SQLState(rawValue: "25P02")
    /// `25P03`: the session was ended after a long idle transaction.
    package static let idleInTransactionTimeout = SQLState(rawValue: "25P03")
    /// `26000`: no prepared statement of that name.
    package static let invalidStatementName = SQLState(rawValue: "26000")
    /// `28000`: the server refuses this role.
    package static let invalidAuthorization = SQLState(rawValue: "28000")
    /// `28P01`: wrong password.
    package static let invalidPassword = SQLState(rawValue: "28P01")
    /// `3D000`: no database of that name.
    package static let invalidCatalogName = SQLState(rawValue: "3D000")
    /// `40001`: concurrent transactions could not be serialized; retry.
    package static let serializationFailure = SQLState(rawValue: "40001")
    /// `40P01`: two transactions waited for each other; retry.
    package static let deadlockDetected = SQLState(rawValue: "40P01")
    /// `42501`: the role lacks the privilege.
    package static let insufficientPrivilege = SQLState(rawValue: "42501")
    /// `42601`: the statement does not parse.
    package static let syntaxError = SQLState(rawValue: "42601")
    /// `42703`: no column of that name.
    package static let undefinedColumn = SQLState(rawValue: "42703")
    /// `42883`: no function of that name for these arguments.
    package static let undefinedFunction = SQLState(rawValue: "42883")
    /// `42P01`: no table of that name.
    package static let undefinedTable = SQLState(rawValue: "42P01")
    /// `42P05`: a prepared statement of that name exists in the session.
    package static let duplicatePreparedStatement = SQLState(rawValue: "42P05")
    /// `55000`: among others, a function that Aurora has only with `wal_level = logical`.
    package static let objectNotInPrerequisiteState = SQLState(rawValue: "55000")
    /// `55P03`: no lock within `lock_timeout`.
    package static let lockNotAvailable = SQLState(rawValue: "55P03")
    /// `57014`: cancelled, by `statement_timeout` or by request.
    package static let queryCanceled = SQLState(rawValue: "57014")
    /// `57P01`: an administrator ended the session, or the server is shutting down.
    package static let adminShutdown = SQLState(rawValue: "57P01")
}
