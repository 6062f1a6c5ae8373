import Foundation
import Postgres
import SoakHistory
import TestSupport

/// Everything that takes part in a run: the nodes, two services, the gateway.
final class Stage: Sendable {
    let settings: [String: String]
    let nodes: Nodes
    let gateway: SandboxControl
    let services: [SoakedService]
    let directory: URL
    private let gatewayProcess: ChildProcess

    /// Starts the gateway and the services.
    ///
    /// They end with this process.
    ///
    /// - Parameters:
    ///   - environment: the dev.env of the setup.
    ///   - cluster: the program that controls the nodes.
    init(environment: String, cluster: String) async throws {
        settings = try Self.read(environment)
        directory = URL(filePath: environment).deletingLastPathComponent().appending(path: "run")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        nodes = Nodes(program: cluster, directory: directory)
        let products = URL(filePath: settings["LEDGERD_BINARY"] ?? "").deletingLastPathComponent()
        let url = settings["SANDBOX_URL"] ?? ""
        gatewayProcess = try ChildProcess(
            products.appending(path: "portone-sandbox").path,
            ["--listen", url.replacing("http://", with: ""), "--time-scale", "60", "--v1-webhook-retries"],
            environment: [:], in: directory)
        gateway = SandboxControl(url: url)
        let first = URL(string: settings["LEDGERD_URL"] ?? "")?.port ?? 0
        services = try [first, first + 1].enumerated().map { [settings, directory] number, port in
            try SoakedService(number: number, port: port, settings: settings, in: directory)
        }
        for service in services { try await service.awaitReady(within: .seconds(60)) }
    }

    private static func read(_ file: String) throws -> [String: String] {
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        return Dictionary(
            lines.filter { !$0.hasPrefix("#") }.compactMap { line in
                line.firstIndex(of: "=").map { (String(line[..<$0]), String(line[line.index(after: $0)...])) }
            }
        ) { $1 }
    }

    /// Runs ledgerd with a command, as its owner or with other settings.
    func ledgerd(_ arguments: [String], _ changes: [String: String] = [:]) async throws -> (code: Int32, text: String) {
        let process = try ChildProcess(
            settings["LEDGERD_BINARY"] ?? "", arguments, environment: settings.merging(changes) { $1 }, in: directory)
        guard case .code(let code) = try await process.exit(within: .seconds(600)) else { return (-1, "killed") }
        return (code, process.standardOutput + process.standardError)
    }

    /// The password of ledgerd's role.
    var servicePassword: String {
        get throws {
            let url = settings["LEDGERD_DATABASE_URL"] ?? ""
            guard let match = url.firstMatch(of: /^postgresql:\/\/[^:]+:([^@]*)@/) else {
                throw Nodes.Failed(description: "the service's URL has no password")
            }
            return String(match.1)
        }
    }

    func connectAsOwner() async throws -> PostgresConnection {
        var configuration = try PostgresConfiguration(url: settings["DATABASE_URL"] ?? "")
        configuration.statementTimeout = .seconds(120)
        return try await PostgresConnection.connect(configuration)
    }

    func end() async {
        for service in services { await service.end() }
        gatewayProcess.signal(SIGKILL)
    }
}
