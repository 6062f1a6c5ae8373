import LedgerTestSupport
import Logging
import Postgres
import TestSupport
import Testing

@testable import Ledger

@Suite(.timeLimit(.minutes(20))) struct MigratorTests {
    @Test func `a fresh database is migrated once, and keeps its stripes`() async throws {
        try await Self.withEmptyDatabase { database, migrator in
            #expect(try await migrator.pending().titles == Migration.all.map(\.title) + JudgeFile.all.map(\.title))
            let applied = try await migrator.migrate(stripes: 3)
            #expect(applied.migrations.map(\.version) == Migration.all.map(\.version))
            #expect(applied.judges.isEmpty, "the baseline brings them")
            #expect(try await migrator.migrate(stripes: 5).isEmpty)
            #expect(try await migrator.pending().isEmpty)
            let test = TestLedger(database: database)
            #expect(try await Self.number("SELECT stripes FROM ledger", database) == 3)
            #expect(
                try await Self.number("SELECT count(*) FROM account", database)
                    == Int64(3 * SystemAccount.allCases.count))
            let ledger = try await test.open()
            #expect(try await ledger.credit(.sample()).credited != nil)
            await ledger.close()
        }
    }

    @Test func `migrators at the same time apply each migration once`() async throws {
        for _ in 0..<3 {
            try await Self.withEmptyDatabase { database, migrator in
                let applied = try await together(6) { _ in try await migrator.migrate(stripes: 2).migrations.count }
                #expect(applied.reduce(0, +) == Migration.all.count)
                #expect(
                    try await Self.number("SELECT count(*) FROM account", database)
                        == Int64(2 * SystemAccount.allCases.count))
            }
        }
    }

    @Test func `a schema that is not this binary's is named and refused`() async throws {
        try await TestLedger.withDatabase { test in
            let migrator = Migrator(configuration: try test.database.configuration)
            try await test.execute("UPDATE migration SET checksum = 'x' WHERE version = \(Baseline.version)")
            try await Self.expectSchemaError("baseline") { _ = try await migrator.pending() }
            try await Self.expectSchemaError("baseline") { try await migrator.migrate() }
            try await Self.expectSchemaError("baseline") { _ = try await test.open() }
            try await test.execute("DELETE FROM migration WHERE version = \(Baseline.version)")
            try await Self.expectSchemaError("baseline") { _ = try await test.open() }
            try await test.execute("INSERT INTO migration VALUES (9999, 'later', 'x')")
            try await Self.expectSchemaError("9999") { _ = try await test.open() }
        }
    }

    @Test func `a ledger without tables is refused`() async throws {
        try await Self.withEmptyDatabase { database, _ in
            try await Self.expectSchemaError("baseline") { _ = try await TestLedger(database: database).open() }
        }
    }

    @Test func `a migration that fails leaves nothing behind and is named`() async throws {
        try await TestLedger.withDatabase { test in
            let judges = JudgeFile(name: "samples", sql: Self.function(answering: 1))
            let migrator = Migrator(
                configuration: try test.database.configuration,
                migrations: Migration.all + [
                    Migration(
                        version: 9000, name: "sample",
                        sql: "CREATE TABLE note (id bigint);\n-- @after-judges\nCREATE TABLE clash (id bigint)")
                ], judges: JudgeFile.all + [judges])
            try await test.execute("CREATE TABLE clash (id text)")
            await #expect {
                try await migrator.migrate()
            } throws: {
                ($0 as? LedgerError)?.message.contains("9000_sample") == true
            }
            #expect(try await test.number("SELECT count(*) FROM migration WHERE version = 9000") == 0)
            #expect(try await test.number("SELECT count(*) FROM pg_class WHERE relname = 'note'") == 0)
            #expect(try await test.number("SELECT count(*) FROM judge_file WHERE name = 'samples'") == 0)
            try await test.execute("DROP TABLE clash")
            let applied = try await migrator.migrate()
            #expect(applied.titles == ["9000_sample"], "the migration brought the functions")
            #expect(try await test.number("SELECT sample()") == 1)
        }
    }

    @Test func `a judges' file that has changed is applied again, alone`() async throws {
        try await TestLedger.with { ledger, test in
            func migrator(_ sql: String) throws -> Migrator {
                Migrator(
                    configuration: try test.database.configuration,
                    judges: JudgeFile.all + [JudgeFile(name: "samples", sql: sql)])
            }
            let first = try migrator(Self.function(answering: 1))
            #expect(try await first.pending().titles == ["judges/samples"])
            #expect(try await first.migrate().titles == ["judges/samples"])
            #expect(try await first.migrate().isEmpty)
            #expect(try await test.number("SELECT sample()") == 1)
            let second = try migrator(Self.function(answering: 2))
            try await test.execute("UPDATE judge_file SET checksum = 'x'")
            // Nobody who writes is waited for.
            let writer = try await test.connectAsOwner()
            try await writer.execute("BEGIN; LOCK TABLE posting, lot, refund, webhook_event IN ROW EXCLUSIVE MODE")
            #expect(try await second.migrate().judges.count == JudgeFile.all.count + 1)
            try await writer.execute("COMMIT")
            await writer.close()
            #expect(try await test.number("SELECT sample()") == 2)
            #expect(try await ledger.credit(.sample()).credited != nil)

            let broken = try migrator(Self.function(answering: 3) + "CREATE OR REPLACE FUNCTION broken")
            await #expect {
                try await broken.migrate()
            } throws: {
                ($0 as? LedgerError)?.message.contains("judges/samples failed") == true
            }
            #expect(try await test.number("SELECT sample()") == 2)
        }
    }

    /// The first pending migration that needs functions applies all of them, also those that a later one drops before.
    @Test func `a function with other arguments takes the place of the old one, whichever migration applies it`()
        async throws
    {
        try await TestLedger.withDatabase { test in
            func migrate(_ migrations: [Migration], _ arguments: String) async throws -> [String] {
                let sample = """
                    CREATE OR REPLACE FUNCTION sample(\(arguments)) RETURNS bigint LANGUAGE sql AS $$ SELECT 1::int8 $$;
                    REVOKE ALL ON FUNCTION sample FROM PUBLIC;
                    """
                return try await Migrator(
                    configuration: try test.database.configuration, migrations: Migration.all + migrations,
                    judges: JudgeFile.all + [JudgeFile(name: "samples", sql: sample)]
                ).migrate().titles
            }
            let first = try await migrate([], "bigint")
            #expect(first == ["judges/samples"])
            let added = Migration(version: 9000, name: "added", sql: "-- @after-judges\nCREATE TABLE note (id bigint)")
            let changed = Migration(
                version: 9001, name: "changed",
                sql: "-- Why.\nDROP FUNCTION IF EXISTS sample(bigint);\n-- @after-judges\nCREATE TABLE memo (id bigint)"
            )
            let later = try await migrate([added, changed], "bigint, text DEFAULT ''")
            #expect(later == ["9000_added", "9001_changed"])
            try await test.execute("SELECT sample(1)")  // refused if two functions would take it
        }
    }

    @Test func `a ledger whose judges are another version's is refused until it is migrated`() async throws {
        try await TestLedger.withDatabase { test in
            let judges = "SELECT count(*) FROM judge_file"
            let count = Int64(JudgeFile.all.count)
            try await test.execute("UPDATE judge_file SET checksum = 'x' WHERE name = 'refunds'")
            try await Self.expectSchemaError("functions are another version's (judges/refunds): run") {
                _ = try await test.open()
            }
            try await test.execute("DELETE FROM judge_file")
            try await Self.expectSchemaError("judges/console") { _ = try await test.open() }
            let migrator = Migrator(configuration: try test.database.configuration)
            #expect(try await migrator.migrate().judges.count == JudgeFile.all.count)
            #expect(try await test.number(judges) == count)
            try await test.open().close()

            // A later version that says that this one can serve its schema can have other judges.
            try await test.execute(
                """
                UPDATE judge_file SET checksum = 'x' WHERE name = 'refunds';
                INSERT INTO migration (version, name, checksum, compatible_from)
                VALUES (9999, 'later', 'x', \(Migration.all.last?.version ?? 0))
                """)
            try await test.open().close()
            #expect(try await migrator.migrate().isEmpty)
            let between = Migrator(
                configuration: try test.database.configuration,
                migrations: Migration.all + [
                    Migration(
                        version: 9000, name: "sample",
                        sql: "-- @compatible-from 0087\n-- @after-judges\nCREATE TABLE note (id bigint)")
                ])
            #expect(try await between.migrate().titles == ["9000_sample"])
            #expect(
                try await test.number("SELECT count(*) FROM judge_file WHERE checksum = 'x'") == 1,
                "a migration that applies functions leaves the later version's")
        }
    }

    @Test func `a migrator that can't get its lock gives up`() async throws {
        try await Self.withEmptyDatabase { database, _ in
            let other = try await database.connect()
            try await other.execute("BEGIN; SELECT pg_advisory_xact_lock(x'6c656467657264'::bigint)")
            var configuration = try database.configuration
            configuration.lockTimeout = .milliseconds(200)
            let migrator = Migrator(configuration: configuration)
            await #expect { try await migrator.migrate() } throws: { ($0 as? LedgerError)?.code == .unavailable }
            try await other.execute("ROLLBACK")
            #expect(try await migrator.migrate().migrations.count == Migration.all.count)
            await other.close()
        }
    }

    @Test func `a role without the service's rights is refused with the reason`() async throws {
        try await TestLedger.withDatabase { test in
            let role = "ledgerd_stranger_\(Fresh.word)"
            try await test.execute("CREATE ROLE \(role) LOGIN")
            let url = test.database.server.url(database: test.database.name, ["user": role])
            do {
                _ = try await test.open(url: url)
                Issue.record("it was let in")
            } catch let error as LedgerError {
                #expect(error.message.contains("privileges"), "\(error)")
            }
            try await test.execute("DROP ROLE \(role)")
        }
    }

    @Test func `a ledger has one stripe at least and sixty-four at most`() async throws {
        let migrator = Migrator(configuration: try PostgresConfiguration(url: "postgresql://127.0.0.1:1/none"))
        for stripes in [0, 65, -1] as [Int64] {
            await #expect { try await migrator.migrate(stripes: stripes) } throws: {
                ($0 as? LedgerError)?.code == .invalid
            }
        }
    }

    /// Takes back what the migrations after the baseline changed in tables.
    static let withoutLaterMigrations = """
        ALTER TABLE purchase DROP COLUMN foreign_amount, DROP COLUMN foreign_currency, DROP COLUMN rate_id,
            DROP COLUMN foreign_refunded, DROP COLUMN foreign_settled;
        ALTER TABLE settlement_row DROP COLUMN foreign_gross, DROP COLUMN foreign_currency, DROP COLUMN carried,
            DROP COLUMN foreign_net;
        ALTER TABLE settlement_columns DROP COLUMN payment_currency, DROP COLUMN payout_rate, DROP COLUMN payout_won;
        ALTER TABLE purchase_reversal DROP COLUMN foreign_amount,
            DROP CONSTRAINT IF EXISTS purchase_reversal_goes_one_way,
            ADD CONSTRAINT purchase_reversal_goes_one_way CHECK (
                amount > 0 AND coins >= 0 AND bonus_coins >= 0 AND charged_coins >= 0
                OR amount < 0 AND coins <= 0 AND bonus_coins <= 0 AND charged_coins <= 0);
        ALTER TABLE refund DROP COLUMN foreign_amount, DROP COLUMN foreign_fee, DROP COLUMN foreign_currency,
            DROP COLUMN foreign_balance, DROP CONSTRAINT IF EXISTS refund_tax_free_within_amount,
            ADD CONSTRAINT refund_tax_free_within_amount CHECK (
                tax_free IS NULL OR tax_free BETWEEN 0 AND amount AND method = 'gateway');
        DROP TABLE product_price, foreign_currency, rate, rate_proposal, revaluation, revaluation_basis;
        DROP TRIGGER order_is_judged ON "order";
        ALTER TABLE "order" DROP CONSTRAINT order_currency_is_code, DROP CONSTRAINT order_amount_in_range,
            ADD CONSTRAINT order_currency_is_krw CHECK (currency = 'KRW');
        DELETE FROM migration WHERE version > \(Baseline.version);

        """

    private static func function(answering number: Int) -> String {
        "CREATE OR REPLACE FUNCTION sample() RETURNS bigint LANGUAGE sql AS $$ SELECT \(number)::int8 $$;\n"
    }

    private static func withEmptyDatabase(
        _ body: (TestDatabase, Migrator) async throws -> Void
    ) async throws {
        try await TestLedger.withEmptyDatabase { database in
            var configuration = try database.configuration
            // Others wait for each other's migrations, which take longer on a busy machine.
            configuration.lockTimeout = .seconds(300)
            try await body(database, Migrator(configuration: configuration))
        }
    }

    static func number(_ sql: String, _ database: TestDatabase) async throws -> Int64 {
        let connection = try await database.connect()
        let number = try await connection.run(PostgresQuery<Int64>.one(sql) { row in try row[0] })
        await connection.close()
        return number
    }

    static func expectSchemaError(_ name: String, _ body: () async throws -> Void) async throws {
        do {
            try await body()
            Issue.record("it was taken")
        } catch let error as LedgerError {
            #expect(error.code == .schema && error.message.contains(name), "\(error)")
        }
    }
}
