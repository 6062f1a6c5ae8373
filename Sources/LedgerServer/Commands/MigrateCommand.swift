import ArgumentParser
import Ledger
import Postgres

struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Apply pending migrations to the database.",
        discussion: """
            Run it as the role that owns the ledger's tables, before you start the new version. Each migration is one
            transaction; one that builds indexes concurrently is none, and can be repeated. Then the functions of the
            database that this version has changed are replaced. A new ledger also gets its accounts. The command creates
            the role ledgerd_service if the owner has permission; the role of the service must be a member of it.
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
            let applied = try await migrator.migrate(stripes: stripes) { print("applied \($0)") }
            if applied.isEmpty { print("no pending migrations") }
        }
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
