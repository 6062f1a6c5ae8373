import Foundation
import Ledger
import Postgres

/// The configuration that `ledgerd init` writes: files with fresh secrets.
struct FreshConfiguration: Sendable {
    /// Where it goes.
    enum Place: Sendable {
        /// One JSON file for `--config`, and a second one for `migrate`.
        case file(String)
        /// A file for each secret, as systemd's LoadCredential takes them.
        case directory(String)
    }

    struct File: Sendable {
        let path: String
        let text: String
    }

    private let place: Place
    private let secrets = FreshSecrets()
    private let serviceURL: String
    private let ownerURL: String

    var passwords: DatabaseSetup.Passwords {
        .init(owner: secrets.ownerPassword, service: secrets.servicePassword)
    }

    /// - Throws: `configuration` when the host makes no URL.
    init(_ setup: DatabaseSetup, admin: PostgresConfiguration, host: String?, place: Place) throws(PostgresError) {
        self.place = place
        serviceURL = admin.url(
            user: setup.service, password: secrets.servicePassword, database: setup.database, host: host)
        ownerURL = admin.url(user: setup.owner, password: secrets.ownerPassword, database: setup.database, host: host)
        _ = try PostgresConfiguration(url: serviceURL)
    }

    /// The secrets by setting, as `serve` needs them.
    private var service: [String: String] {
        [
            Settings.database.databaseURL.name: serviceURL, Settings.tokens.secret.name: secrets.tokens,
            Settings.books.sealKey.name: secrets.sealKey.base64,
            Settings.endpoints.key.name: secrets.endpointKey,
            Settings.personalData.forgettingKey.name: secrets.forgettingKey.base64,
        ]
    }

    /// The gateways' settings, to be filled in; empty, each is as if it were not there.
    private static let toFillIn = GatewayConfiguration.known.flatMap { $0.required }.map(\.name)

    var files: [File] {
        switch place {
        case .file(let path):
            let empty = Self.toFillIn.map { ($0, "") }
            return [
                File(path: path, text: Self.json(service.merging(empty) { given, _ in given })),
                File(path: Self.migratePath(path), text: Self.json([Settings.database.databaseURL.name: ownerURL])),
            ]
        case .directory(let directory):
            let credentials = service.sorted { $0.key < $1.key }.map { name, text in
                File(path: "\(directory)/credentials/\(name)", text: text + "\n")
            }
            return credentials + [File(path: "\(directory)/migrate/database_url", text: ownerURL + "\n")]
        }
    }

    /// `ledgerd-migrate.json` beside `ledgerd.json`.
    private static func migratePath(_ path: String) -> String {
        path.hasSuffix(".json") ? "\(path.dropLast(".json".count))-migrate.json" : "\(path)-migrate"
    }

    private static func json(_ members: [String: String]) -> String {
        func quoted(_ text: String) -> String {
            "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
        }
        let lines = members.sorted { $0.key < $1.key }.map { "    \(quoted($0.key)): \(quoted($0.value))" }
        return "{\n\(lines.joined(separator: ",\n"))\n}\n"
    }

    /// What is left to do, for a person.
    var nextSteps: String {
        let webhookSecret = Settings.portOneV2.webhookSecrets.name
        let (target, check, migrate, serve): (String, String, String, String)
        switch place {
        case .file(let path):
            target = "Fill in \(path), and add \(webhookSecret) (whsec_…) if you use V2:"
            check = "ledgerd check --config \(path)"
            migrate = "ledgerd migrate --config \(Self.migratePath(path))"
            serve = "ledgerd serve --config \(path)"
        case .directory(let directory):
            target = "Write each value that you use to a file in \(directory)/credentials, only for root (mode 600):"
            check = """
                systemd-run --pipe --wait --quiet --property=LoadCredential=ledgerd:\(directory)/credentials \\
                       --property=EnvironmentFile=\(directory)/ledgerd.env ledgerd check
                """
            migrate = "systemctl enable ledgerd-migrate"
            serve = "systemctl enable --now ledgerd"
        }
        return """
            Next:
            1. \(target)
            \(Self.settingsOfGateways)
               PortOne's console shows them: https://admin.portone.io
            2. \(check)
            3. \(serve)
            4. ledgerd products add --help

            Later versions: \(migrate)
            Give the checkers of seals the public key \(secrets.sealKey.publicKey.base64)
            """ + (namesSocket ? Self.aboutSockets : "")
    }

    /// A line for each gateway.
    private static let settingsOfGateways = GatewayConfiguration.known.map { gateway in
        let names = (gateway.required + gateway.webhookSettings).map(\.name)
        return "     \(gateway.shortTitle): \(names.joined(separator: ", "))"
    }
    .joined(separator: "\n")

    /// Whether the written URLs name no host.
    private var namesSocket: Bool { serviceURL.contains("@/") }

    private static let aboutSockets = """


        The written URLs name the server's local socket, as yours does. PostgreSQL often lets a role in there only as the
        user of its own name (peer): if `ledgerd check` says so, name the host in them, such as 127.0.0.1.
        """
}
