import Foundation
package import Postgres

/// Reads the whole books back and adds them up anew, knowing nothing of how they were written.
///
/// Everything is read in one snapshot, so books that are written to meanwhile are sound or not as they were at one moment.
/// The server does the adding up, and only what is wrong comes here, so memory stays the same however long the books are.
package struct Doctor: Sendable {
    private let configuration: PostgresConfiguration

    /// A doctor for the ledger of this database.
    ///
    /// Reading is enough: the service's own role will do.
    package init(_ configuration: PostgresConfiguration) {
        self.configuration = configuration.forExamining
    }

    /// Examines the books.
    ///
    /// Last it walks the chain, which reads the whole journal: entry by entry, link by link, and to where a seal says.
    ///
    /// - Parameters:
    ///   - checks: what to look at beside the chain.
    ///   - seal: what was sealed, kept elsewhere; nil: the books are held against themselves only.
    ///   - key: the key that must have signed the seal; nil: the one that the seal names itself, which proves nothing
    ///     against whoever could write the seal.
    ///   - limit: how many deviations of each kind to name, 1 or more; all are counted.
    ///   - progress: told what is about to be looked at.
    /// - Throws: ``LedgerError/Code/schema`` when the database's schema is not this binary's;
    ///   ``LedgerError/Code/unavailable`` when the database can't be reached.
    package func examine(
        _ checks: [Check] = Check.all, against seal: Seal? = nil, trusting key: SealPublicKey? = nil,
        naming limit: Int = 20, progress: @escaping @Sendable (Progress) -> Void = { _ in }
    ) async throws(LedgerError) -> Diagnosis {
        try await reading {
            try await PostgresConnection.with(configuration) { connection in
                try await Migrator(configuration: configuration).requireCurrent(on: connection)
                try await connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                var diagnosis = Diagnosis(examinedAt: try await connection.run(Self.clock), results: [])
                diagnosis.warnings = try await connection.run(Diagnosis.Warning.ofServer)
                diagnosis.lastSealedAt = try await connection.run(Seals.Kept.last)?.seal.content.sealedAt
                diagnosis.results = try await run(checks, naming: limit, on: connection, progress)
                let step = Progress(of: ChainRule.linksHold.rawValue, number: checks.count + 1, of: checks)
                var chain = ChainExamination(on: connection, against: seal, naming: limit) { progress(step.at($0)) }
                try await chain.examine()
                if let seal { chain.examineSignature(of: seal, trusting: key) }
                diagnosis.results += chain.findings.results(withSeal: seal != nil)
                return diagnosis
            }
        }
    }

    private func run(
        _ checks: [Check], naming limit: Int, on connection: PostgresConnection, _ progress: (Progress) -> Void
    ) async throws -> [Diagnosis.Result] {
        var results: [Diagnosis.Result] = []
        for (place, check) in checks.enumerated() {
            progress(Progress(of: check.code, number: place + 1, of: checks))
            results.append(Diagnosis.Result(check, try await connection.run(check.deviations(limit: limit))))
        }
        return results
    }

    private static let clock = PostgresQuery<Date>.one("SELECT now()") { row in try row[0] }
}

extension Doctor {
    /// How far an examination has come.
    package struct Progress: Sendable {
        /// The step that begins, from 1.
        package let number: Int
        /// How many steps there are.
        package let count: Int
        /// What is looked at: the code of a check.
        package let code: String
        /// How much of the step is done, 0 to 1, where that is known.
        package private(set) var part: Double?

        /// The chain is a step more.
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
