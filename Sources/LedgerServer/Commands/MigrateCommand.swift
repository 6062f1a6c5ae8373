import ArgumentParser
import Ledger
import Logging
import Postgres
import Timing

struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Apply pending migrations to the database.",
        discussion: """
            Run it as the role that owns the ledger's tables, before you start the new version. Each migration is one
            transaction; one that builds indexes concurrently is none, and can be repeated. Then the functions of the
            database that this version has changed are replaced. A new ledger also gets its accounts. The command creates
            the role ledgerd_service if the owner has permission; the role of the service must be a member of it.
            With --log-level debug, each migration is logged when it is done.
            """)

    @OptionGroup var common: CommonOptions

    @Flag(help: "Print the pending migrations without applying them.")
    var dryRun = false

    @Option(help: "The number of stripes of a new ledger, 1 to 64; an existing ledger keeps its number.")
    var stripes: Int64 = 8

    func run() async throws {
        let values = try common.values()
        let url = try values[Settings.database.databaseURL]
        let migrator = Migrator(configuration: try PostgresConfiguration(url: url))
        if dryRun {
            report(try await migrator.pending())
        } else {
            print(try await apply(migrator, try logger(values)))
        }
    }

    /// Applies what is pending, and returns the line that says so.
    private func apply(_ migrator: Migrator, _ logger: Logger) async throws -> String {
        let begin = Time.current.instant
        let applied = try await migrator.migrate(stripes: stripes) { logger.debug("applied \($0)") }
        return MigrationSummary.text(
            migrations: applied.migrations.count, judges: applied.judges.count, in: Time.current.instant - begin)
    }

    private func logger(_ values: SettingValues) throws(ConfigurationError) -> Logger {
        let format = try values[Settings.log.format]
        let level = try values[Settings.log.level]
        return Logger(label: "ledgerd") { LineLogHandler(label: $0, format: format, level: level) }
    }

    private func report(_ pending: Migrator.Changes) {
        if pending.isEmpty { print("no pending migrations") }
        for migration in pending.migrations { show(migration.title, migration.checksum, migration.sql) }
        for judges in pending.judges { show(judges.title, judges.checksum, judges.sql) }
    }

    private func show(_ title: String, _ checksum: String, _ sql: String) {
        print("-- pending: \(title), SHA-256 \(checksum)\n\(sql)")
    }
}

/// What a migration of the database did, in one line.
enum MigrationSummary {
    /// `applied 58 migrations in 0.4 s`, or `no pending migrations`.
    ///
    /// - Parameter judges: how many files of the database's functions were applied after the migrations.
    static func text(migrations: Int, judges: Int, in duration: Duration) -> String {
        let parts = [
            count(migrations, "migration", "migrations"), count(judges, "file of functions", "files of functions"),
        ]
        let applied = parts.compactMap(\.self).joined(separator: " and ")
        return applied.isEmpty ? "no pending migrations" : "applied \(applied) in \(seconds(duration)) s"
    }

    private static func count(_ number: Int, _ one: String, _ several: String) -> String? {
        number == 0 ? nil : "\(number) \(number == 1 ? one : several)"
    }

    /// With one digit after the point.
    private static func seconds(_ duration: Duration) -> String {
        let tenths = Int((duration / .milliseconds(100)).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
