package import Postgres

/// A failure of the ledger.
///
/// If the ledger decides not to do an act, that is a ``Refusal`` and not an error.
package struct LedgerError: Error, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The kind of failure, and what the caller can conclude.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        /// A stable name for logs.
        package let description: String

        /// The database can't be reached or is not available.
        ///
        /// Nothing was done. Retry later.
        package static let unavailable = Code(description: "unavailable")
        /// The standby that reports are read from can't be reached, is late, or cancelled the query.
        ///
        /// Retry later.
        package static let replicaUnavailable = Code(description: "replica_unavailable")
        /// The connection broke during the commit, and the database could not be reached since then.
        ///
        /// The act may have been done. It is safe to retry with the same key.
        package static let outcomeUnknown = Code(description: "outcome_unknown")
        /// Too many acts are waiting.
        ///
        /// Nothing was done. Retry later.
        package static let overloaded = Code(description: "overloaded")
        /// The ledger is closing.
        ///
        /// Nothing was done. Retry with another process.
        package static let shuttingDown = Code(description: "shutting_down")
        /// The database does not have this version's schema: a migration is pending, altered or unknown.
        package static let schema = Code(description: "schema")
        /// The request contradicts the ledger's data or a rule.
        package static let invalid = Code(description: "invalid")
        /// The database refused a statement, or sent data that can't be read: a bug or a corruption.
        ///
        /// Nothing was done.
        package static let fault = Code(description: "fault")
    }

    package let code: Code
    /// What happened, for an operator's log: without values and secrets.
    package let message: String
    /// The database's error; nil: none.
    package let underlying: PostgresError?

    init(_ code: Code, _ message: String, underlying: PostgresError? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    /// An error that only a bug or a corrupted row can cause.
    ///
    /// It fails one request or item, not the process.
    package static func unexpected(_ message: String) -> LedgerError { LedgerError(.fault, message) }

    /// Code, message and the database's generic description.
    package var description: String {
        guard let underlying else { return "\(code): \(message)" }
        return "\(code): \(message) (\(underlying))"
    }

    /// Same as ``description``: logs print errors by reflection, and the database's details may quote rows.
    package var debugDescription: String { description }
}
