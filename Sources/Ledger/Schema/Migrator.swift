package import Postgres

/// Migrates a database's schema, and checks its version.
///
/// A migration is one transaction, unless its file says that it runs outside of one. After the migrations, the judges' files
/// that have changed are applied.
package struct Migrator: Sendable {
    let configuration: PostgresConfiguration
    let migrations: [Migration]
    let judges: [JudgeFile]

    /// A migrator for a role that owns the ledger's tables.
    package init(
        configuration: PostgresConfiguration, migrations: [Migration] = Migration.all,
        judges: [JudgeFile] = JudgeFile.all
    ) {
        self.configuration = configuration.forMigrating
        self.migrations = migrations
        self.judges = judges
    }

    /// What was applied, or waits to be.
    package struct Changes: Sendable {
        package var migrations: [Migration] = []
        package var judges: [JudgeFile] = []

        package var isEmpty: Bool { migrations.isEmpty && judges.isEmpty }
        /// For people, in order: `0090_notes`, `judges/refunds`.
        package var titles: [String] { migrations.map(\.title) + judges.map(\.title) }
    }

    /// Applies pending migrations and the judges' files that have changed, then creates the ledger if there is none.
    ///
    /// - Parameters:
    ///   - stripes: the number of stripes of a new ledger, 1 to 64. An existing ledger keeps its number.
    ///   - report: called with the title of each migration and judges' file after its commit.
    /// - Returns: what was applied. The judges' files that a migration applies in its transaction are part of it.
    /// - Throws: ``LedgerError/Code/schema`` when a migration was altered, or is unknown to this binary and not
    ///   compatible with it, or when the database is older than the ``Baseline``.
    @discardableResult
    package func migrate(
        stripes: Int64 = 8, report: @Sendable @escaping (String) -> Void = { _ in }
    ) async throws(LedgerError) -> Changes {
        guard (1...64).contains(stripes) else { throw LedgerError(.invalid, "a ledger has 1 to 64 stripes") }
        return try await reading {
            // Its lock is a session's, and so are its settings.
            try await PostgresConnection.requireOwnSessions(configuration)
            return try await PostgresConnection.with(configuration) { connection in
                try await apply(on: connection, stripes: stripes, report: report)
            }
        }
    }

    /// What ``migrate(stripes:report:)`` would apply.
    ///
    /// - Throws: as ``migrate(stripes:report:)``.
    package func pending() async throws(LedgerError) -> Changes {
        try await reading {
            try await PostgresConnection.with(configuration) { try await pending(on: $0) }
        }
    }

    private func apply(
        on connection: PostgresConnection, stripes: Int64, report: (String) -> Void
    ) async throws -> Changes {
        // A database that is not fit is refused before anything is made in it.
        _ = try await pending(on: connection)
        try await createRecord(on: connection)
        var applied = Changes()
        for migration in try await pending(on: connection).migrations
        where try await apply(migration, on: connection) {
            report(migration.title)
            applied.migrations.append(migration)
        }
        applied.judges = try await applyJudges(on: connection)
        for judge in applied.judges { report(judge.title) }
        try await LedgerCreation.createIfMissing(stripes: stripes, on: connection)
        return applied
    }

    /// Creates the table in which applied migrations are recorded.
    ///
    /// Takes the lock, because `IF NOT EXISTS` does not see a table that another session is creating.
    private func createRecord(on connection: PostgresConnection) async throws {
        try await alone(on: connection) {
            try await connection.execute(
                """
                CREATE TABLE IF NOT EXISTS migration (
                    version         bigint PRIMARY KEY,
                    name            text NOT NULL,
                    checksum        text NOT NULL, -- SHA-256 of the file
                    applied_at      timestamptz NOT NULL DEFAULT now(),
                    compatible_from bigint -- the newest migration that an earlier binary must know; NULL: none can serve
                );
                ALTER TABLE migration ADD COLUMN IF NOT EXISTS compatible_from bigint;
                """)
        }
    }

    /// Applies a migration unless another migrator, possibly of another version, has just applied it.
    ///
    /// Waits for the other migrator no longer than the lock timeout.
    private func apply(_ migration: Migration, on connection: PostgresConnection) async throws -> Bool {
        try await alone(on: connection) {
            let pending = try await pending(on: connection)
            guard pending.migrations.contains(where: { $0.version == migration.version }) else { return false }
            if migration.runsOutsideTransaction {
                try await applyOutsideTransaction(migration)
                _ = try await connection.run(Self.record(migration))
            } else {
                try await applyInTransaction(migration, pending, on: connection)
            }
            return true
        }
    }

    private func applyInTransaction(
        _ migration: Migration, _ pending: Changes, on connection: PostgresConnection
    ) async throws {
        try await connection.transaction { connection in
            do throws(PostgresError) {
                let statements = migration.aroundJudges
                try connection.execute(statements.before)
                if let after = statements.after {
                    // The judges are the newest: what a later migration drops for them must not stay beside them.
                    for drop in pending.migrations.flatMap(\.dropsOfFunctions) { try connection.execute(drop) }
                    try JudgeFile.apply(pending.judges, areChecked: false, on: connection)
                    try connection.execute(after)
                }
            } catch {
                throw LedgerError("migration \(migration.title)", "was rolled back", error)
            }
            _ = try connection.run(Self.record(migration))
        }
    }

    /// Applies the judges' files that have changed, in one transaction.
    ///
    /// They lock no table: writers call the new functions from their next statement on.
    private func applyJudges(on connection: PostgresConnection) async throws -> [JudgeFile] {
        try await alone(on: connection) {
            let pending = try await pending(on: connection)
            guard pending.migrations.isEmpty, !pending.judges.isEmpty else { return [] }
            try await connection.transaction { connection in
                do throws(PostgresError) {
                    try JudgeFile.apply(pending.judges, areChecked: true, on: connection)
                } catch {
                    let names = pending.judges.map(\.title).joined(separator: ", ")
                    throw LedgerError(names, "was rolled back", error)
                }
            }
            return pending.judges
        }
    }

    /// Runs each statement alone, in a session without a lock timeout.
    ///
    /// The statements that `MigrationRulesTests` allows wait for running transactions, possibly for minutes, and nobody
    /// waits behind them.
    private func applyOutsideTransaction(_ migration: Migration) async throws {
        var patient = configuration
        patient.lockTimeout = .zero
        try await PostgresConnection.with(patient) { connection in
            for statement in migration.statements {
                do throws(PostgresError) {
                    try await connection.execute(statement)
                } catch {
                    throw LedgerError(
                        "migration \(migration.title)", "may be applied in part; the next `ledgerd migrate` repeats it",
                        error)
                }
            }
        }
    }

    private static func record(_ migration: Migration) -> PostgresQuery<Int> {
        .affected(
            "INSERT INTO migration (version, name, checksum, compatible_from) VALUES ($1, $2, $3, $4)",
            [
                Int64(migration.version), migration.name, migration.checksum,
                migration.compatibleFrom.map { Int64($0) },
            ])
    }
}

extension Migrator {
    /// Runs the body while no other migrator of the database is at work.
    ///
    /// Asks for the lock again and again. A session that waits for a lock holds a snapshot, and a concurrent index build
    /// waits until older snapshots are gone: the two migrators would wait for each other.
    ///
    /// - Throws: ``LedgerError/Code/unavailable`` when another one holds the lock for longer than the lock timeout.
    private func alone<Output>(
        on connection: PostgresConnection, _ body: () async throws -> Output
    ) async throws -> Output {
        let deadline = ContinuousClock.now + configuration.lockTimeout
        while try await !connection.run(Self.lock) {
            guard .now < deadline else { throw LedgerError(.unavailable, "another migrator is at work") }
            try await Task.sleep(for: .milliseconds(50))
        }
        do {
            let output = try await body()
            _ = try await connection.run(Self.unlock)
            return output
        } catch {
            _ = try? await connection.run(Self.unlock)
            throw error
        }
    }

    private static let lock = PostgresQuery<Bool>.one("SELECT pg_try_advisory_lock($1)", [lockKey])

    private static let unlock = PostgresQuery<Bool>.one("SELECT pg_advisory_unlock($1)", [lockKey])

    private static let lockKey: Int64 = 0x6c65_6467_6572_64  // "ledgerd"
}

extension PostgresConfiguration {
    /// A migration may rewrite a large table, so it has an hour.
    ///
    /// The lock timeout stays short, because all other sessions wait behind a migration that waits for a lock.
    fileprivate var forMigrating: PostgresConfiguration {
        var configuration = self
        configuration.statementTimeout = .seconds(3600)
        configuration.replyTimeout = .seconds(3660)
        return configuration
    }
}

extension LedgerError {
    /// Includes the server's message, because it is about the schema and the operator needs it.
    fileprivate init(_ change: String, _ outcome: String, _ error: PostgresError) {
        let parts = ["\(change) failed and \(outcome)", error.message, error.hint]
        self.init(LedgerError(error).code, parts.compactMap { $0 }.joined(separator: ": "), underlying: error)
    }
}
