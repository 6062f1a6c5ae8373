package import Postgres

/// The ledger could not answer.
///
/// A definite "no" is a ``Refusal``, not an error.
package struct LedgerError: Error, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// What kind of failure it is, and what the caller may conclude.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        /// A stable name for logs.
        package let description: String

        /// The database can't be reached or can't serve.
        ///
        /// What was asked did not happen; ask again later.
        package static let unavailable = Code(description: "unavailable")
        /// The connection broke during the commit and the database could not be asked since.
        ///
        /// It may have happened: ask again with the same key, which is safe.
        package static let outcomeUnknown = Code(description: "outcome_unknown")
        /// As many acts wait as may wait.
        ///
        /// It did not happen; ask again later.
        package static let overloaded = Code(description: "overloaded")
        /// The ledger is closing.
        ///
        /// It did not happen; ask another process.
        package static let shuttingDown = Code(description: "shutting_down")
        /// The database holds no ledger of this version: a migration is pending, altered or unknown.
        package static let schema = Code(description: "schema")
        /// The request contradicts what the ledger holds, or a rule of it.
        package static let invalid = Code(description: "invalid")
        /// The database refused what we sent, or sent what we can't read: a bug or a corruption.
        ///
        /// Nothing was moved.
        package static let fault = Code(description: "fault")
    }

    /// What kind of failure it is.
    package let code: Code
    /// What happened, in words fit for an operator's log: no values, no secrets.
    package let message: String
    /// The database's own error, if it came from there.
    package let underlying: PostgresError?

    init(_ code: Code, _ message: String, underlying: PostgresError? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    /// What only a bug or a corrupted row explains: it fails one request or item, and never the process.
    package static func unexpected(_ message: String) -> LedgerError { LedgerError(.fault, message) }

    /// Code, message and the database's generic description.
    package var description: String {
        guard let underlying else { return "\(code): \(message)" }
        return "\(code): \(message) (\(underlying))"
    }

    /// The same: what else the database says may quote rows, and logs print errors by reflection.
    package var debugDescription: String { description }
}
