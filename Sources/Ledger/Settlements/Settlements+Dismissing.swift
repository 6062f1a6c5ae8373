import Postgres

extension Settlements {
    /// The result of dismissing a line.
    package enum Dismissed: Sendable, Equatable {
        /// It is dismissed now, or was before.
        case done(SettlementLine)
        /// Only an unmatched line can be dismissed.
        case refused(SettlementLine.Status)
        case notFound
    }

    /// Dismisses a line: a person says that it is not ours, so that nobody has to look at it again.
    ///
    /// A line that is dismissed already keeps its first reason. The decision is about the line's payment: if the payment
    /// is credited after all, an import of the file books the line; if the file is imported with another mapping that
    /// makes it another payment's, the line is unmatched again.
    package func dismiss(
        _ number: Int64, of file: Int64, because reason: String, by person: String
    ) async throws(LedgerError) -> Dismissed {
        try await reading {
            _ = try await pools.writes.run(SettlementLine.dismiss(number, of: file, because: reason, by: person))
            guard let line = try await pools.writes.run(SettlementLine.find(number, of: file)) else { return .notFound }
            return line.status == .dismissed ? .done(line) : .refused(line.status)
        }
    }
}
