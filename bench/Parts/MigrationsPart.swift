import Ledger
import LedgerTestSupport
import Postgres
import TestSupport

/// Each migration after the baseline, applied to books with many purchases: how long it takes, what it locks until it
/// commits, and how much it writes ahead.
struct MigrationsPart: MeasuredPart {
    static let name = "migrations"

    func measure(_ scale: Scale, _ report: BenchReport) async throws {
        let purchases = scale.sizes.max() ?? 0
        // Makes the roles.
        try await TestLedger.withDatabase { _ in }
        try await TestDatabase.with { database in
            var configuration = try database.configuration
            configuration.statementTimeout = .seconds(3600)
            let before = Array(Migration.all.prefix(1))
            try await Migrator(configuration: configuration, migrations: before).migrate()
            show("  filling a ledger with \(purchases) purchases")
            try await TestLedger(database: database).fill(entries: purchases, users: max(1, purchases / 10))
            try await PostgresConnection.with(configuration) { connection in
                for migration in Migration.all.dropFirst(before.count) {
                    try await measure(migration, on: connection, configuration, report)
                }
            }
        }
    }

    private func measure(
        _ migration: Migration, on connection: PostgresConnection, _ configuration: PostgresConfiguration,
        _ report: BenchReport
    ) async throws {
        let written = try await connection.run(Self.written)
        let start = ContinuousClock.now
        var locked = "no lock that blocks writers"
        if migration.runsOutsideTransaction {
            let known = Migration.all.filter { $0.version <= migration.version }
            try await Migrator(configuration: configuration, migrations: known).migrate()
        } else {
            let tables = try await connection.run(Self.tables)
            try await connection.execute("BEGIN")
            try await connection.execute(migration.sql)
            locked = try await connection.run(Self.locks(tables)) ?? locked
            _ = try await connection.run(Self.record(migration))
            try await connection.execute("COMMIT")
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let mebibytes = (try await connection.run(Self.written) - written) >> 20
        report.record(
            "migrations/\(migration.title)", seconds, .seconds, note: "\(locked); \(mebibytes) MiB of WAL")
    }

    /// The position in the write-ahead log, in bytes.
    private static let written = PostgresQuery<Int64>.one(
        "SELECT (pg_current_wal_lsn() - '0/0')::int8"
    ) { row in try row[0] }

    private static let tables = PostgresQuery<[String]>(
        "SELECT relname::text FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
    ) { row in try row.decode(0, as: String.self) }

    /// The tables that the transaction keeps others from writing to, with the lock's mode.
    private static func locks(_ tables: [String]) -> PostgresQuery<String?> {
        .one(
            """
            SELECT string_agg(DISTINCT relname || ' (' || mode || ')', ', ')
            FROM pg_locks JOIN pg_class ON pg_class.oid = relation
            WHERE pid = pg_backend_pid() AND relname = ANY ($1)
                AND mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
            """, [tables]
        ) { row in try row[0] }
    }

    private static func record(_ migration: Migration) -> PostgresQuery<Int> {
        .affected(
            "INSERT INTO migration (version, name, checksum) VALUES ($1, $2, $3)",
            [Int64(migration.version), migration.name, migration.checksum])
    }
}
