import Crypto
import Foundation
package import Postgres

/// Migrates a database's schema, and checks its version.
///
/// A migration is one transaction, unless its file says that it runs outside of one.
package struct Migrator: Sendable {
    private let configuration: PostgresConfiguration
    private let migrations: [Migration]

    /// A migrator for a role that owns the ledger's tables.
    package init(configuration: PostgresConfiguration, migrations: [Migration] = Migration.all) {
        self.configuration = configuration.forMigrating
        self.migrations = migrations
    }

    /// Applies pending migrations, then creates the ledger if there is none.
    ///
    /// - Parameters:
    ///   - stripes: the number of stripes of a new ledger, 1 to 64. An existing ledger keeps its number.
    ///   - report: called for each migration after its commit.
    /// - Returns: the migrations that were applied.
    /// - Throws: ``LedgerError/Code/schema`` when a migration was altered, or is unknown to this binary and not
    ///   compatible with it.
    @discardableResult
    package func migrate(
        stripes: Int64 = 8, report: @Sendable @escaping (Migration) -> Void = { _ in }
    ) async throws(LedgerError) -> [Migration] {
        guard (1...64).contains(stripes) else { throw LedgerError(.invalid, "a ledger has 1 to 64 stripes") }
        return try await reading {
            try await PostgresConnection.with(configuration) { connection in
                try await apply(on: connection, stripes: stripes, report: report)
            }
        }
    }

    /// The migrations that ``migrate(stripes:report:)`` would apply.
    ///
    /// - Throws: as ``migrate(stripes:report:)``.
    package func pending() async throws(LedgerError) -> [Migration] {
        try await reading {
            try await PostgresConnection.with(configuration) { try await pending(on: $0) }
        }
    }

    private func apply(
        on connection: PostgresConnection, stripes: Int64, report: (Migration) -> Void
    ) async throws -> [Migration] {
        try await createRecord(on: connection)
        let pending = try await pending(on: connection)
        var applied: [Migration] = []
        for migration in pending where try await apply(migration, on: connection) {
            report(migration)
            applied.append(migration)
        }
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

    /// Applies a migration unless another migrator has just applied it.
    ///
    /// Waits for the other migrator no longer than the lock timeout.
    private func apply(_ migration: Migration, on connection: PostgresConnection) async throws -> Bool {
        try await alone(on: connection) {
            let applied = try await connection.run(Self.applied)
            guard applied.allSatisfy({ $0.version != migration.version }) else { return false }
            if migration.runsOutsideTransaction {
                try await applyOutsideTransaction(migration)
                _ = try await connection.run(Self.record(migration))
            } else {
                try await applyInTransaction(migration, on: connection)
            }
            return true
        }
    }

    private func applyInTransaction(_ migration: Migration, on connection: PostgresConnection) async throws {
        try await connection.transaction { connection in
            do throws(PostgresError) {
                try connection.execute(migration.sql)
            } catch {
                throw LedgerError(migration, "was rolled back", error)
            }
            _ = try connection.run(Self.record(migration))
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
                    throw LedgerError(migration, "may be applied in part; the next `ledgerd migrate` repeats it", error)
                }
            }
        }
    }

    /// The pending migrations.
    ///
    /// Throws if the applied ones are not those of this binary, or of a later one that is compatible with it.
    func pending(on connection: PostgresConnection) async throws -> [Migration] {
        let exists = try await connection.run(
            PostgresQuery("SELECT to_regclass('migration') IS NOT NULL", []) { row in
                try row.decode(0, as: Bool.self)
            })
        guard exists == [true] else { return migrations }
        let applied = try await connection.run(Self.applied)
        for row in applied {
            guard let known = migrations.first(where: { $0.version == row.version }) else {
                if isCompatible(with: row) { continue }
                throw LedgerError(.schema, "migration \(row.version) is applied, but this binary does not know it")
            }
            guard known.checksum == row.checksum else {
                throw LedgerError(.schema, "migration \(known.title) was altered after it was applied")
            }
        }
        return migrations.filter { migration in !applied.contains { $0.version == migration.version } }
    }

    /// Throws ``LedgerError/Code/schema`` unless this binary can serve the database's schema.
    func requireCurrent(on connection: PostgresConnection) async throws {
        let pending = try await pending(on: connection)
        guard pending.isEmpty else {
            let titles = pending.map(\.title).joined(separator: ", ")
            throw LedgerError(.schema, "migrations are pending (\(titles)): run `ledgerd migrate`")
        }
    }

    /// Whether this binary can serve a schema with a migration that it does not know.
    private func isCompatible(with row: AppliedMigration) -> Bool {
        guard let needed = row.compatibleFrom, let newest = migrations.last else { return false }
        return newest.version >= needed && newest.version < row.version
    }

    /// Earlier versions made the table without `compatible_from`.
    private static let applied = PostgresQuery<[AppliedMigration]>(
        "SELECT version, checksum, (to_jsonb(migration) ->> 'compatible_from')::int8 FROM migration"
    ) { row in
        let compatibleFrom: Int64? = try row[2]
        return AppliedMigration(
            version: Int(try row.decode(0, as: Int64.self)), checksum: try row[1],
            compatibleFrom: compatibleFrom.map { Int($0) })
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

/// A row of the table `migration`.
private struct AppliedMigration: Sendable {
    let version: Int
    let checksum: String
    let compatibleFrom: Int?
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

    private static let lock = PostgresQuery<Bool>.one("SELECT pg_try_advisory_lock($1)", [lockKey]) { row in
        try row[0]
    }

    private static let unlock = PostgresQuery<Bool>.one("SELECT pg_advisory_unlock($1)", [lockKey]) { row in
        try row[0]
    }

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
    fileprivate init(_ migration: Migration, _ outcome: String, _ error: PostgresError) {
        let parts = ["migration \(migration.title) failed and \(outcome)", error.message, error.hint]
        self.init(LedgerError(error).code, parts.compactMap { $0 }.joined(separator: ": "), underlying: error)
    }
}

extension Migration {
    /// SHA-256 of the file, in hexadecimal.
    package var checksum: String { SHA256.hash(data: Data(sql.utf8)).hex }

    /// The file name without the extension, such as `0001_ledger`.
    package var title: String {
        let number = String(version)
        return String(repeating: "0", count: max(0, 4 - number.count)) + number + "_" + name
    }
}

extension Sequence<UInt8> {
    /// Two hexadecimal digits per byte.
    var hex: String { map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined() }
}
