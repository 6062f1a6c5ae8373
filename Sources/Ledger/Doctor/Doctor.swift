import Foundation
public import Postgres

/// Reads the whole books back and adds them up anew, knowing nothing of how they were written.
///
/// Everything is read in one snapshot, so books that are written to meanwhile are sound or not as they were at one moment.
/// The server does the adding up, and only what is wrong comes here, so memory stays the same however long the books are.
public struct Doctor: Sendable {
    private let configuration: PostgresConfiguration

    /// A doctor for the ledger of this database.
    ///
    /// Reading is enough: the service's own role will do.
    public init(_ configuration: PostgresConfiguration) {
        self.configuration = configuration.forExamining
    }

    /// Examines the books.
    ///
    /// - Parameters:
    ///   - checks: what to look at.
    ///   - limit: how many deviations of each kind to name, 1 or more; all are counted.
    ///   - progress: told what is about to be looked at.
    /// - Throws: ``LedgerError/Code/schema`` when the database's schema is not this binary's;
    ///   ``LedgerError/Code/unavailable`` when the database can't be reached.
    public func examine(
        _ checks: [Check] = Check.all, naming limit: Int = 20,
        progress: @Sendable (Progress) -> Void = { _ in }
    ) async throws(LedgerError) -> Diagnosis {
        try await reading {
            let connection = try await PostgresConnection.connect(configuration)
            do {
                let diagnosis = try await examine(checks, naming: limit, on: connection, progress)
                await connection.close()
                return diagnosis
            } catch {
                await connection.close()
                throw error
            }
        }
    }

    private func examine(
        _ checks: [Check], naming limit: Int, on connection: PostgresConnection, _ progress: (Progress) -> Void
    ) async throws -> Diagnosis {
        try await Migrator(configuration: configuration).requireCurrent(on: connection)
        try await connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        var diagnosis = Diagnosis(examinedAt: try await connection.run(Self.clock), results: [])
        for (number, check) in checks.enumerated() {
            progress(Progress(number: number + 1, count: checks.count, code: check.code))
            let found = try await connection.run(check.deviations(limit: limit))
            diagnosis.results.append(Diagnosis.Result(check, found))
        }
        return diagnosis
    }

    private static let clock = PostgresQuery<Date>.one("SELECT now()") { row in try row[0] }
}

extension Doctor {
    /// How far an examination has come.
    public struct Progress: Sendable {
        /// The step that begins, from 1.
        public let number: Int
        /// How many steps there are.
        public let count: Int
        /// What is looked at: the code of a check.
        public let code: String
    }
}

extension PostgresConfiguration {
    /// For one long snapshot of everything: an examination has as much time as the books need.
    fileprivate var forExamining: PostgresConfiguration {
        var configuration = self
        configuration.statementTimeout = .zero
        configuration.idleInTransactionTimeout = .zero
        configuration.replyTimeout = .seconds(24 * 3600)
        configuration.settings.merge(["work_mem": "64MB", "jit": "off"]) { _, ours in ours }
        return configuration
    }
}
