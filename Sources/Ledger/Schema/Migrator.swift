import Crypto
import Foundation
package import Postgres

/// Migrates a database's schema, one migration per transaction, and checks its version.
package struct Migrator: Sendable {
    /// The advisory lock that keeps out other migrators of the database.
    private static let lockKey: Int64 = 0x6c65_6467_6572_64  // "ledgerd"

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
    /// - Throws: ``LedgerError/Code/schema`` when a migration was altered or is unknown to this binary.
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
    /// - Throws: ``LedgerError/Code/schema`` when one was altered or is unknown to this binary.
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
        try await connection.transaction { connection in
            _ = try connection.run(Self.lock)
            try connection.execute(
                """
                CREATE TABLE IF NOT EXISTS migration (
                    version    bigint PRIMARY KEY,
                    name       text NOT NULL,
                    checksum   text NOT NULL, -- SHA-256 of the file
                    applied_at timestamptz NOT NULL DEFAULT now()
                );
                """)
        }
    }

    /// Applies a migration unless another migrator has just applied it.
    ///
    /// Waits for the other migrator no longer than the lock timeout.
    private func apply(_ migration: Migration, on connection: PostgresConnection) async throws -> Bool {
        try await connection.transaction { connection in
            _ = try connection.run(Self.lock)
            guard try connection.run(Self.applied).allSatisfy({ $0.version != migration.version }) else { return false }
            do throws(PostgresError) {
                try connection.execute(migration.sql)
            } catch {
                throw LedgerError(migration, failedBecauseOf: error)
            }
            _ = try connection.run(Self.record(migration))
            return true
        }
    }

    /// The pending migrations.
    ///
    /// Throws if the applied ones are not those of this binary.
    func pending(on connection: PostgresConnection) async throws -> [Migration] {
        let exists = try await connection.run(
            PostgresQuery("SELECT to_regclass('migration') IS NOT NULL", []) { row in
                try row.decode(0, as: Bool.self)
            })
        guard exists == [true] else { return migrations }
        let applied = try await connection.run(Self.applied)
        for row in applied {
            guard let known = migrations.first(where: { $0.version == row.version }) else {
                throw LedgerError(.schema, "migration \(row.version) is applied, but this binary does not know it")
            }
            guard known.checksum == row.checksum else {
                throw LedgerError(.schema, "migration \(known.title) was altered after it was applied")
            }
        }
        return migrations.filter { migration in !applied.contains { $0.version == migration.version } }
    }

    /// Throws ``LedgerError/Code/schema`` unless the database's schema is this binary's.
    func requireCurrent(on connection: PostgresConnection) async throws {
        let pending = try await pending(on: connection)
        guard pending.isEmpty else {
            let titles = pending.map(\.title).joined(separator: ", ")
            throw LedgerError(.schema, "migrations are pending (\(titles)): run `ledgerd migrate`")
        }
    }

    private static let lock = PostgresQuery<Int>.affected("SELECT pg_advisory_xact_lock($1)", [lockKey])

    private static let applied = PostgresQuery("SELECT version, checksum FROM migration", []) {
        row in
        (version: Int(try row.decode(0, as: Int64.self)), checksum: try row.decode(1, as: String.self))
    }

    private static func record(_ migration: Migration) -> PostgresQuery<Int> {
        .affected(
            "INSERT INTO migration (version, name, checksum) VALUES ($1, $2, $3)",
            [Int64(migration.version), migration.name, migration.checksum])
    }
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
    fileprivate init(_ migration: Migration, failedBecauseOf error: PostgresError) {
        let parts = ["migration \(migration.title) failed and was rolled back", error.message, error.hint]
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
