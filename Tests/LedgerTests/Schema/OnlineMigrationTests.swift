import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// Migrations while the service runs: outside a transaction, and under a binary that does not know them.
@Suite(.timeLimit(.minutes(20))) struct OnlineMigrationTests {
    @Test func `an index is built while writers write`() async throws {
        try await TestLedger.with { ledger, test in
            let writer = try await test.connectAsOwner()
            try await writer.execute("BEGIN; LOCK TABLE posting IN ROW EXCLUSIVE MODE")
            let migrator = try Self.migrator(test, Self.index(), lockTimeout: .milliseconds(200))
            async let applied = migrator.migrate()
            try await test.waitUntilBlocked()
            #expect(try await ledger.credit(.sample()).credited != nil)
            #expect(try await Self.isValid(test) == 0)
            try await writer.execute("COMMIT")
            await writer.close()
            #expect(try await applied.titles == ["9000_sample"])
            #expect(try await Self.isValid(test) == 1)
            #expect(try await ledger.credit(.sample(2)).credited != nil)
        }
    }

    @Test func `a migration outside a transaction that failed runs again from its start`() async throws {
        try await TestLedger.with { ledger, test in
            try await test.execute("CREATE TABLE note (id bigint); INSERT INTO note VALUES (1), (1)")
            let migrator = try Self.migrator(test, Self.index("UNIQUE", "note (id)"))
            do {
                try await migrator.migrate()
                Issue.record("it did not fail")
            } catch let error as LedgerError {
                #expect(error.message.contains("9000_sample") && error.message.contains("repeats it"), "\(error)")
            }
            #expect(try await Self.isValid(test) == 0)
            #expect(try await test.number("SELECT count(*) FROM pg_class WHERE relname = 'sample'") == 1)
            #expect(try await test.number("SELECT count(*) FROM migration WHERE version = 9000") == 0)
            try await test.execute("DELETE FROM note")
            #expect(try await migrator.migrate().titles == ["9000_sample"])
            #expect(try await Self.isValid(test) == 1)
            #expect(try await migrator.migrate().isEmpty)
        }
    }

    @Test func `migrators at the same time build an index once, and none waits for another in a circle`() async throws {
        try await TestLedger.withDatabase { test in
            let migrator = try Self.migrator(test, Self.index(), lockTimeout: .seconds(60))
            let applied = try await together(6) { _ in try await migrator.migrate().migrations.count }
            #expect(applied.reduce(0, +) == 1)
            #expect(try await Self.isValid(test) == 1)
        }
    }

    @Test func `a binary serves a later schema that is compatible with it, and no other`() async throws {
        try await TestLedger.with { running, test in
            let last = try #require(Migration.all.last)
            let change = "ALTER TABLE product ADD COLUMN note text;"
            try await Self.migrator(test, "-- @compatible-from \(last.title.prefix(4))\n\(change)").migrate()
            try await running.requireReady()
            #expect(try await running.credit(.sample()).credited != nil)
            let started = try await test.open()
            #expect(try await started.credit(.sample(2)).credited != nil)
            await started.close()
            let own = Migrator(configuration: try test.database.configuration)
            #expect(try await own.migrate().isEmpty)

            let older = Migrator(
                configuration: try test.database.configuration, migrations: Migration.all.dropLast())
            // What the older binary can serve with its own schema, it can't with the one after this one.
            await Self.expectUnknown([last.version, 9000]) { _ = try await older.pending() }

            try await test.execute("UPDATE migration SET compatible_from = NULL WHERE version = 9000")
            await Self.expectUnknown { try await running.requireReady() }
            await Self.expectUnknown { _ = try await test.open() }
            await Self.expectUnknown { try await own.migrate() }
        }
    }

    @Test func `a ledger of a version that knew no compatibility is migrated`() async throws {
        try await TestLedger.withDatabase { test in
            try await test.execute("ALTER TABLE migration DROP COLUMN compatible_from")
            let opened = try await test.open()
            await opened.close()
            let migrator = Migrator(configuration: try test.database.configuration)
            #expect(try await migrator.migrate().isEmpty)
            #expect(try await test.number("SELECT count(compatible_from) FROM migration") == 0)
        }
    }

    /// A migrator of a later version, with one more migration.
    private static func migrator(
        _ test: TestLedger, _ sql: String, lockTimeout: Duration = .seconds(5)
    ) throws -> Migrator {
        var configuration = try test.database.configuration
        configuration.lockTimeout = lockTimeout
        let later = Migration(version: 9000, name: "sample", sql: sql)
        return Migrator(configuration: configuration, migrations: Migration.all + [later])
    }

    /// A migration that builds the index `sample`.
    private static func index(_ kind: String = "", _ columns: String = "posting (side)") -> String {
        """
        -- @outside-transaction
        DROP INDEX CONCURRENTLY IF EXISTS sample;
        CREATE \(kind) INDEX CONCURRENTLY sample ON \(columns);
        """
    }

    /// 1 when the index `sample` is there and can be used.
    private static func isValid(_ test: TestLedger) async throws -> Int64 {
        try await test.number(
            """
            SELECT count(*) FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
            WHERE relname = 'sample' AND indisvalid
            """)
    }

    /// Expects that one of the versions is reported as unknown.
    private static func expectUnknown(_ versions: [Int] = [9000], _ body: () async throws -> Void) async {
        await #expect {
            try await body()
        } throws: {
            let error = $0 as? LedgerError
            return error?.code == .schema
                && versions.contains { error?.message.contains("migration \($0) is applied") == true }
        }
    }
}
