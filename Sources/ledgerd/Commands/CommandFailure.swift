import Ledger
import Postgres

/// What kept a command from its work, in one line for whoever typed it.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String

    /// Says what an error of the ledger or the database means; nil for one that speaks for itself.
    init?(_ error: any Error) {
        let cause: PostgresError?
        switch error {
        case let error as LedgerError: cause = error.underlying
        case let error as PostgresError: cause = error
        default: return nil
        }
        if let cause, cause.sqlState == .insufficientPrivilege {
            // The message names a table or schema, and no value.
            description = "the database role may not do this: \(cause.message)".onOneLine
        } else {
            description = "\(error)".onOneLine
        }
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
