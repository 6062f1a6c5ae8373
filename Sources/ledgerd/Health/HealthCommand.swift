import ArgumentParser
import FoundationEssentials
import PGVerifier

struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health", abstract: "Ask the ledgerd of this machine whether it can serve.",
        discussion: """
            It asks /health/ready at the address that `ledgerd serve` with the same settings listens on (admin_listen if it \
            is set, otherwise listen), and prints the answer. Exit 0: it can serve; 1: it can't, or nobody answers. It asks over loopback only, so the service must \
            listen there or on every address (0.0.0.0). For the health check of a container.
            """)

    @OptionGroup var settings: SettingFlags<HealthSettings>
    @Option(help: "How long to wait for the answer, such as 5s.") var timeout = "5s"

    func run() async throws {
        guard let patience = DurationText.parse(timeout), patience > .zero else {
            throw ValidationError("--timeout must be a duration such as 5s.")
        }
        let values = try settings.values()
        let address = try values[Settings.http.adminListen] ?? values[Settings.http.listen]
        let transport = CurlTransport()
        defer { transport.shutdown() }
        do {
            let url = try HTTPURL("http://\(address.authorityOnThisMachine)/health/ready")
            let answer = try await transport.send(HTTPRequest(.get, url, totalTimeout: patience))
            print(String(decoding: answer.body, as: UTF8.self))
            guard answer.status == 200 else { throw ExitCode.failure }
        } catch let error as TransportError {
            StandardError.print("Error: \(address.authorityOnThisMachine) does not answer: \(error)")
            throw ExitCode.failure
        }
    }
}

enum HealthSettings: SettingList {
    static let settings: [any SettingDeclaration] = [Settings.http.listen, Settings.http.adminListen]
}

extension ServeConfiguration.Listen {
    /// Where a server that listens here is reached from the same machine.
    var authorityOnThisMachine: String {
        switch host {
        case "0.0.0.0": "127.0.0.1:\(port)"
        case "::": "[::1]:\(port)"
        case _ where host.contains(":"): "[\(host)]:\(port)"
        default: "\(host):\(port)"
        }
    }
}
