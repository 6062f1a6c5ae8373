import Ledger
import Postgres

/// What kept a command from its work, in one line for whoever typed it.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String

    /// Says what an error of the ledger or the database means; nil for one that speaks for itself.
    init?(_ error: any Error) {
        switch error {
        case let error as LedgerError: description = Self.words(for: error).onOneLine
        case let error as PostgresError: description = Self.words(for: error).onOneLine
        default: return nil
        }
    }

    /// Codes are for programs and logs; a person is told the server's own words, unless ours say it better.
    private static func words(for error: LedgerError) -> String {
        guard let cause = error.underlying, error.code != .invalid else { return error.message }
        return cause.sqlState == .insufficientPrivilege ? words(for: cause) : "\(error.message): \(cause.message)"
    }

    private static func words(for error: PostgresError) -> String {
        error.sqlState == .insufficientPrivilege
            ? "the database role may not do this: \(error.message)" : error.message
    }
}

extension String {
    /// The lines one after the other: libpq explains itself in several.
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
