import ArgumentParser
import Foundation
import Ledger
import Postgres

struct InitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Make roles, database and configuration of a new ledger.",
        discussion: """
            Given an administrator's URL, it makes the role that owns the tables, the role that the service logs in as, and \
            the database, applies the migrations, and writes the configuration with fresh secrets. It refuses, and changes \
            nothing, when one of them exists. Afterwards fill in PortOne's keys, and run `ledgerd check`.
            """)

    @Option(
        help: """
            The database server, as a libpq URI of a role that may create roles and databases, such as \
            postgresql:///postgres. If it contains a password, use --admin-url-file.
            """)
    var adminUrl: String?

    @Option(help: "A file that contains the administrator's URL.", completion: .file())
    var adminUrlFile: String?

    @Option(
        help: """
            The host that the written URLs name, with port if it is not 5432, where ledgerd reaches the server by another \
            address than you (default: the administrator's).
            """)
    var host: String?

    @Option(help: "The name of the database.") var database = "ledgerd"
    @Option(help: "The name of the role that owns the tables and migrates.") var owner = "ledgerd_owner"
    @Option(help: "The name of the role that the service logs in as.") var service = "ledgerd"
    @Option(help: "How many stripes the ledger gets, 1 to 64, permanently.") var stripes: Int64 = 8

    @Option(
        help: "The configuration file to write. The owner's URL goes to a second file, NAME-migrate.json.",
        completion: .file())
    var output = "ledgerd.json"

    @Option(
        help: """
            Write credentials/NAME and migrate/database_url into this directory, one file a secret, instead of a \
            configuration file: /etc/ledgerd for the Debian package.
            """,
        completion: .directory)
    var directory: String?

    @Flag(help: "Print the SQL of roles and database for psql, and do nothing else.")
    var printSQL = false

    func validate() throws {
        guard (1...64).contains(stripes) else { throw ValidationError("--stripes must be from 1 to 64.") }
        if printSQL { return }
        guard (adminUrl == nil) != (adminUrlFile == nil) else {
            throw ValidationError("Give either --admin-url or --admin-url-file.")
        }
    }

    func run() async throws {
        let setup = try DatabaseSetup(database: database, owner: owner, service: service)
        if printSQL {
            print(setup.script, terminator: "")
            return
        }
        let admin = try PostgresConfiguration(url: try administrator())
        let configuration = try FreshConfiguration(
            setup, admin: admin, host: host, place: directory.map(FreshConfiguration.Place.directory) ?? .file(output))
        // Files first: what the database has been told can't be read back from it.
        let files = SecretFiles()
        do {
            for file in configuration.files { try files.write(file.text, to: file.path) }
            try await setup.create(as: admin, passwords: configuration.passwords, stripes: stripes) { print($0) }
        } catch {
            files.removeAll()
            throw error
        }
        for file in configuration.files { print("wrote \(file.path)") }
        print("\n" + configuration.nextSteps)
    }

    private func administrator() throws -> String {
        if let adminUrl { return adminUrl }
        return try SecretFile(place: "--admin-url-file", path: adminUrlFile ?? "").text()
    }
}
