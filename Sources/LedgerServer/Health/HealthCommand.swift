import ArgumentParser
import FoundationEssentials
import OutboundHTTP

struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health", abstract: "Check whether ledgerd on this machine is ready.",
        discussion: """
            The command requests /health/ready at the address of `ledgerd serve` with the same settings (admin_listen \
            if it is set, otherwise listen), and prints the response. Exit status: 0 if the service is ready, 1 if it is not ready or does not respond. \
            The command uses only loopback, so the service must listen on loopback or on all addresses (0.0.0.0). Use \
            it for the health check of a container.
            """)

    @OptionGroup var settings: SettingFlags<HealthSettings>
    @Option(help: "The maximum time to wait for the response, such as 5s.") var timeout = "5s"

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
            StandardError.print("Error: \(address.authorityOnThisMachine) does not respond: \(error)")
            throw ExitCode.failure
        }
    }
}

enum HealthSettings: SettingList {
    static let settings: [any SettingDeclaration] = [Settings.http.listen, Settings.http.adminListen]
}

extension ServeConfiguration.Listen {
    /// The host and port at which this machine reaches a server with this address.
    var authorityOnThisMachine: String {
        switch host {
        case "0.0.0.0": "127.0.0.1:\(port)"
        case "::": "[::1]:\(port)"
        case _ where host.contains(":"): "[\(host)]:\(port)"
        default: "\(host):\(port)"
        }
    }
}
