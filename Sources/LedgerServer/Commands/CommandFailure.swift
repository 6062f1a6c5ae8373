import Ledger
import Postgres

/// The error of a failed command, in one line for the user.
package struct CommandFailure: Error, CustomStringConvertible {
    package let description: String

    /// Describes a problem or an error of the ledger or the database; nil for other errors, which have their own
    /// description.
    package init?(_ error: any Error) {
        switch error {
        case let problem as Problem: description = problem.detail ?? problem.code.title
        case let error as LedgerError: description = Self.words(for: error).onOneLine
        case let error as PostgresError: description = Self.words(for: error).onOneLine
        default: return nil
        }
    }

    /// The server's message, without error codes, unless ledgerd has a better one.
    private static func words(for error: LedgerError) -> String {
        guard let cause = error.underlying, error.code != .invalid else { return error.message }
        return cause.sqlState == .insufficientPrivilege ? words(for: cause) : "\(error.message): \(cause.message)"
    }

    private static func words(for error: PostgresError) -> String {
        error.sqlState == .insufficientPrivilege
            ? "the database role has no permission: \(error.message)" : error.message
    }
}

extension String {
    /// The text in one line, because messages of libpq have several.
    fileprivate var onOneLine: String {
        split(whereSeparator: \.isNewline).map { $0.trimming(while: \.isWhitespace) }.joined(separator: "; ")
    }
}

extension Substring {
    fileprivate func trimming(while isDropped: (Character) -> Bool) -> Substring {
        let start = drop(while: isDropped)
        return start.lastIndex { !isDropped($0) }.map { start[...$0] } ?? ""
    }
}

/// A command that can't do what it was asked for: it prints the reason and exits with 1.
struct Refused: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
