import Foundation
package import Postgres

/// Recomputes the whole books from the postings, without the code that wrote them.
///
/// Everything is read in one snapshot, so concurrent writes do not matter. The server computes the sums and returns
/// only deviations, so memory use does not grow with the books.
package struct Doctor: Sendable {
    private let source: BooksSource
    /// How long one statement may take; zero: as long as the books need.
    private let patience: Duration

    /// A doctor for the ledger of this database.
    ///
    /// The service's own role is sufficient, because nothing is written.
    package init(_ configuration: PostgresConfiguration) { self.init(BooksSource(configuration)) }

    /// A doctor that reads from a standby if there is one.
    ///
    /// - Parameter patience: how long one statement may take; zero: as long as the books need.
    package init(_ source: BooksSource, patience: Duration = .zero) {
        self.source = source
        self.patience = patience
    }

    /// Examines the books.
    ///
    /// The last step recomputes the chain, which reads the whole journal.
    ///
    /// - Parameters:
    ///   - checks: the checks to run in addition to the chain.
    ///   - seal: a seal that was stored elsewhere; nil: the books are compared only with themselves.
    ///   - key: the key that must have signed the seal; nil: the key that the seal names, which proves nothing if the
    ///     seal itself was forged.
    ///   - limit: how many deviations of each kind to list, 1 or more. All are counted.
    ///   - progress: called before each step.
    /// - Throws: ``LedgerError/Code/schema`` when the database's schema is not this binary's;
    ///   ``LedgerError/Code/unavailable`` when the database can't be reached; ``LedgerError/Code/replicaUnavailable``
    ///   when the standby can't be used.
    package func examine(
        _ checks: [Check] = Check.all, against seal: Seal? = nil, trusting key: SealPublicKey? = nil,
        naming limit: Int = 20, progress: @escaping @Sendable (Progress) -> Void = { _ in }
    ) async throws(LedgerError) -> Diagnosis {
        try await source.with {
            $0.forExamining(within: patience)
        } _: { connection, origin in
            try await Migrator(configuration: source.primary).requireCurrent(on: connection)
            try await connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            return try await examine(
                checks, on: (connection, origin), against: seal, trusting: key, naming: limit, progress: progress)
        }
    }

    /// Examines the books as the session's transaction sees them, committed or not.
    ///
    /// - Parameter session: a session in a transaction of isolation level repeatable read.
    func examine(
        _ checks: [Check] = Check.all, on session: BooksSource.Session, against seal: Seal? = nil,
        trusting key: SealPublicKey? = nil, naming limit: Int = 20,
        progress: @escaping @Sendable (Progress) -> Void = { _ in }
    ) async throws -> Diagnosis {
        let (connection, origin) = session
        var diagnosis = Diagnosis(origin: origin, results: [])
        diagnosis.warnings = try await warnings(connection, origin.server)
        diagnosis.lastSealedAt = try await connection.run(Seals.Kept.last)?.seal.content.sealedAt
        diagnosis.results = try await run(checks, naming: limit, on: connection, progress)
        let step = Progress(of: ChainRule.linksHold.rawValue, number: checks.count + 1, of: checks)
        var chain = ChainExamination(on: connection, against: seal, naming: limit) { progress(step.at($0)) }
        try await chain.examine()
        if let seal { chain.examineSignature(of: seal, trusting: key) }
        diagnosis.results += chain.findings.results(withSeal: seal != nil)
        return diagnosis
    }

    /// The settings that matter are those of the primary, which acknowledges commits.
    private func warnings(
        _ connection: PostgresConnection, _ server: SnapshotOrigin.Server
    ) async throws -> [Diagnosis.Warning] {
        guard server == .standby else { return try await connection.run(Diagnosis.Warning.ofServer) }
        return try await reading {
            try await PostgresConnection.with(source.primary) { try await $0.run(Diagnosis.Warning.ofServer) }
        }
    }

    /// Runs the checks without nested loops.
    ///
    /// A check reads whole tables, so its time must be in proportion to them whatever PostgreSQL knows of the tables. If
    /// its statistics are older than the books, as after a busy first day, it can expect one row where there are
    /// thousands, and read another table as a whole for each of them.
    func run(
        _ checks: [Check], naming limit: Int, on connection: PostgresConnection, _ progress: (Progress) -> Void
    ) async throws -> [Diagnosis.Result] {
        try await connection.execute("SET LOCAL enable_nestloop = off")
        var results: [Diagnosis.Result] = []
        for (place, check) in checks.enumerated() {
            progress(Progress(of: check.code, number: place + 1, of: checks))
            results.append(Diagnosis.Result(check, try await connection.run(check.deviations(limit: limit))))
        }
        try await connection.execute("SET LOCAL enable_nestloop = on")
        return results
    }
}

extension Doctor {
    /// The progress of an examination.
    package struct Progress: Sendable {
        /// The number of the current step, from 1.
        package let number: Int
        /// The number of steps.
        package let count: Int
        /// The code of the current check.
        package let code: String
        /// The part of the step that is done, 0 to 1; nil: unknown.
        package private(set) var part: Double?

        /// The chain is an additional step.
        fileprivate init(of code: String, number: Int, of checks: [Check]) {
            self.code = code
            self.number = number
            count = checks.count + 1
        }

        fileprivate func at(_ part: Double) -> Progress {
            var progress = self
            progress.part = part
            return progress
        }
    }
}

extension PostgresConfiguration {
    /// Without timeouts, because an examination takes as long as the books need.
    var forExamining: PostgresConfiguration { forExamining(within: .zero) }

    /// The same, with a limit for each statement; zero: none.
    func forExamining(within patience: Duration) -> PostgresConfiguration {
        var configuration = self
        configuration.statementTimeout = patience
        configuration.idleInTransactionTimeout = .zero
        configuration.replyTimeout = .seconds(24 * 3600)
        configuration.settings.merge(["work_mem": "64MB", "jit": "off"]) { _, ours in ours }
        return configuration
    }
}
