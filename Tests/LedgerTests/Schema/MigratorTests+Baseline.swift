import LedgerTestSupport
import Logging
import Postgres
import Testing

@testable import Ledger

extension MigratorTests {
    @Test func `a ledger of the migrations before the baseline is taken over, and is as it was`() async throws {
        try await TestLedger.with { ledger, test in
            try await ledger.liveThroughAllButDollars()
            let end = try await test.closeEverything(ledger)
            let exports = try await ClosedExportTests.exports(of: ledger, until: end)
            try await ledger.events.publisher.publish()
            let events = try await ledger.events.everything()
            try await test.execute("UPDATE ledger SET counts_whole_days = false")  // as migration 0122 left it
            try await test.execute(Self.withoutLaterMigrations + Self.asBeforeBaseline(from: "0001_ledger"))
            let later = Migration.all.dropFirst().map(\.title)
            for title in later + ["judges/console"] {
                try await Self.expectSchemaError(title) { _ = try await test.open() }
            }

            let owner = try PostgresConfiguration(url: test.ownerURL)
            let broken = JudgeFile(name: "samples", sql: "CREATE OR REPLACE FUNCTION broken")
            await #expect(throws: LedgerError.self) {
                try await Migrator(configuration: owner, judges: JudgeFile.all + [broken]).migrate()
            }
            try await Self.expectSchemaError("run `ledgerd migrate`") { _ = try await test.open() }

            let migrator = Migrator(configuration: owner)
            let applied = try await migrator.migrate()
            let baseline = try #require(Migration.all.first)
            #expect(!applied.titles.contains(baseline.title), "its schema is the baseline's")
            #expect(!applied.isEmpty, "it has the functions")
            #expect(try await migrator.migrate().isEmpty)
            #expect(try await test.number("SELECT count(*) FROM judge_file") == Int64(JudgeFile.all.count))
            #expect(
                try await test.number("SELECT count(*) FROM migration WHERE version <= \(Baseline.version)")
                    == Int64(Self.rows(from: "0001_ledger").count))
            for baseline in Self.earlierBaselines {
                try await test.execute(Self.withoutLaterMigrations + Self.asBeforeBaseline(from: baseline))
                #expect(try await migrator.migrate().migrations.map(\.title) == later, "it began with \(baseline)")
                #expect(try await migrator.migrate().isEmpty)
            }

            try await Audit.expectSound(test)
            #expect(try await test.number("SELECT count(*) FROM ledger WHERE counts_whole_days") == 0)
            let opened = try await test.open()
            #expect(try await ClosedExportTests.exports(of: opened, until: end) == exports)
            #expect(try await opened.events.everything().map(EventContents.init) == events.map(EventContents.init))
            _ = try await opened.credit(.sample(77, by: "later"))
            await opened.close()
            try await Audit.expectSound(test)
            let diagnosis = try await Doctor(try .unhurried(test.serviceURL)).examine()
            #expect(diagnosis.isSound, "\(diagnosis.findings)")
        }
    }

    @Test func `a ledger with some of the migrations before the baseline is refused, with what to do`() async throws {
        try await TestLedger.withDatabase { test in
            let migrator = Migrator(configuration: try test.database.configuration)
            try await test.execute(Self.asBeforeBaseline(from: "0001_ledger"))
            let last = try #require(Baseline.folded.last)
            try await test.execute("DELETE FROM migration WHERE version = \(last.version)")
            for words in [last.title, "run `ledgerd migrate` of the last version that has it"] {
                try await Self.expectSchemaError(words) { try await migrator.migrate() }
                try await Self.expectSchemaError(words) { _ = try await test.open() }
            }
            try await test.execute("DELETE FROM migration WHERE version > 27")
            let next = try #require(Baseline.folded.first { $0.version > 27 })
            try await Self.expectSchemaError(next.title) { try await migrator.migrate() }

            for beginning in Self.earlierBaselines {
                let following = Array(Self.rows(from: beginning).dropFirst())
                for missing in [following[0], following[following.count / 2]] {
                    try await test.execute(Self.asBeforeBaseline(from: beginning))
                    try await test.execute("DELETE FROM migration WHERE version = \(missing.version)")
                    try await Self.expectSchemaError("\(missing.title) is not applied") { try await migrator.migrate() }
                }
            }

            try await test.execute(Self.asBeforeBaseline(from: "0001_ledger"))
            try await test.execute("UPDATE migration SET checksum = 'x' WHERE version = 5")
            try await Self.expectSchemaError("0005_wallet was altered") { try await migrator.migrate() }
            for beginning in ["0001_ledger"] + Self.earlierBaselines {
                try await test.execute(Self.asBeforeBaseline(from: beginning))
                try await test.execute("INSERT INTO migration VALUES (17, 'unknown', 'x')")
                try await Self.expectSchemaError("migration 17 is applied") { try await migrator.migrate() }
            }
            #expect(try await test.number("SELECT count(*) FROM judge_file WHERE checksum <> 'x'") == 0)
        }
    }

    private static let earlierBaselines = [
        "0087_baseline", "0105_baseline", "0112_baseline", "0120_baseline", "0125_baseline",
    ]

    /// What a ledger has to show that began with migrations of before the baseline: their rows, and other judges.
    ///
    /// Its schema is the baseline's, byte for byte (docs/decisions/0180-a-baseline-of-the-schema.md).
    private static func asBeforeBaseline(from beginning: String) -> String {
        let rows = rows(from: beginning).map { "(\($0.version), '\($0.title.dropFirst(5))', '\($0.checksum)')" }
        return """
            UPDATE judge_file SET checksum = 'x';
            GRANT CREATE ON SCHEMA public TO ledgerd_test_owner;
            DELETE FROM migration WHERE version <= \(Baseline.version);
            INSERT INTO migration (version, name, checksum) VALUES \(rows.joined(separator: ", "));
            """
    }

    /// The migrations of a ledger that began with this one, or with this earlier baseline.
    private static func rows(from beginning: String) -> [Baseline.Folded] {
        Baseline.folded.drop { $0.title != beginning }
            .filter { $0.title == beginning || !$0.title.hasSuffix("_baseline") }
    }
}
