import ArgumentParser
import Ledger
import Postgres

struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Bring the database's schema forward.",
        discussion: """
            Run it as the role that owns the ledger's tables, before the new version serves. Each migration is one
            transaction. A new ledger also gets its accounts. The role ledgerd_service, to which the service's own role
            must belong, is created if the owner may do so.
            """)

    @OptionGroup var common: CommonOptions

    @Flag(help: "Show what would be applied, and apply nothing.")
    var dryRun = false

    @Option(help: "How many stripes a new ledger gets, 1 to 64; one that exists keeps its own.")
    var stripes: Int64 = 8

    func run() async throws {
        let values = try common.values()
        let url = try values[Settings.database.databaseURL]
        let migrator = Migrator(configuration: try PostgresConfiguration(url: url))
        if dryRun {
            report(try await migrator.pending())
        } else {
            let applied = try await migrator.migrate(stripes: stripes) { print("applied \($0.title)") }
            if applied.isEmpty { print("nothing to apply") }
        }
    }

    private func report(_ pending: [Migration]) {
        if pending.isEmpty { print("nothing to apply") }
        for migration in pending {
            print("-- would apply \(migration.title), SHA-256 \(migration.checksum)\n\(migration.sql)")
        }
    }
}
