import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// A newcomer copies the commands of the READMEs and their tours, and gets the answers that are described there.
///
/// `Tests/Readme/run.py` does it, also for a person with a running `./dev up`.
@Suite(.timeLimit(.minutes(20))) struct ReadmeTests {
    @Test func `every answer is what the READMEs say, also when keys were used and after a restart`() async throws {
        try await ReadmeWorld.open { world in
            try await world.run("README.md", "docs/tour.md")
            try await world.restart()
            // Its reconciliation must find the payments that were made before.
            try await world.run("README.ko.md", "docs/tour.ko.md")
            try await world.house.expectSound()
        }
    }

    @Test func `each purchase is credited once, whether webhook or receipt comes first, also after a restart`()
        async throws
    {
        try await ReadmeWorld.open { world in
            for _ in 0..<2 {
                try await world.run("README.md", options: ["--purchases", "\(Effort.count(3, upTo: 50))"])
                try await world.restart()
            }
            try await world.house.expectSound()
        }
    }
}

/// What `./dev up` starts, but for shop and console: a sandbox that keeps its payments and sends the webhooks of both APIs
/// to a service with all that the READMEs use.
private final class ReadmeWorld {
    let house: House
    private let sandboxArguments: [String]
    private let settings: [String: String]
    private var sandbox: ChildProcess
    private var service: Service

    static func open(_ body: (ReadmeWorld) async throws -> Void) async throws {
        try await House.with { house in try await body(try await ReadmeWorld(in: house)) }
    }

    private init(in house: House) async throws {
        self.house = house
        let (servicePort, gatewayPort) = (TestPort.next(), TestPort.next())
        let (url, gateway) = ("http://127.0.0.1:\(servicePort)", "http://127.0.0.1:\(gatewayPort)")
        let key = try #require(
            try await house.run("seal", "keygen").output.firstMatch(of: /LEDGERD_SEAL_KEY=(\S+)/)?.1)
        let own = [
            "LEDGERD_LISTEN": "127.0.0.1:\(servicePort)", "LEDGERD_PORTONE_V2_URL": gateway,
            "LEDGERD_SEAL_KEY": String(key),
        ]
        settings = house.settings(gateway: gateway).merging(Hooks.v2Settings()) { $1 }.merging(own) { $1 }
        sandboxArguments = [
            "--listen", "127.0.0.1:\(gatewayPort)", "--data", house.directory.appending(path: "sandbox.json").path,
            "--v1-webhook-url", url + "/webhooks/portone/v1", "--v2-webhook-url", url + "/webhooks/portone/v2",
        ]
        let variables = settings.merging([
            "LEDGERD_URL": url, "SANDBOX_URL": gateway,
            "LEDGERD_BINARY": House.products.appending(path: "ledgerd").path,
            "USER_TOKEN": Token.user("demo-user"), "SERVICE_TOKEN": Token.refunds(),
            "FINANCE_TOKEN": Token.finance(), "EVENTS_TOKEN": Token.events(),
        ]) { $1 }
        let file = variables.map { "\($0.key)='\($0.value)'\n" }.joined()
        try Data(file.utf8).write(to: house.directory.appending(path: "dev.env"))
        sandbox = try await Self.startSandbox(house, sandboxArguments)
        service = try await house.serve(at: nil, settings)
    }

    /// Ends both, and starts them again.
    func restart() async throws {
        try await service.end()
        sandbox.signal(SIGTERM)
        _ = try await sandbox.exit()
        sandbox = try await Self.startSandbox(house, sandboxArguments)
        service = try await house.serve(at: nil, settings)
    }

    /// Runs the commands of a README, and of its tour.
    func run(
        _ pages: String..., options: [String] = [], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let reader = try house.start(
            [root.appending(path: "Tests/Readme/run.py").path, house.directory.appending(path: "dev.env").path]
                + pages.map { root.appending(path: $0).path } + options,
            ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"], program: "/usr/bin/python3")
        let exit = try await reader.exit()
        #expect(
            exit == .code(0), "\(reader.standardOutput)\n\(reader.standardError)", sourceLocation: sourceLocation)
    }

    private static func startSandbox(_ house: House, _ arguments: [String]) async throws -> ChildProcess {
        let child = try house.start(arguments, program: "portone-sandbox")
        try await eventually("the gateway serves") { child.standardError.contains("serving address=") }
        return child
    }
}
