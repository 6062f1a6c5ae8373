import Console
package import Foundation
import LedgerServer
package import LedgerTestSupport
package import OutboundHTTP
import Postgres
import SandboxGateway
import Synchronization
package import TestSupport
package import Testing

/// The whole house of one test: a database of its own, the stand-in gateway, and as many services as wanted.
///
/// They run in the test's process and are spoken to over sockets. A test that kills a service, or looks at its process,
/// starts a process. Everything that was started ends with the test.
package final class House: Sendable {
    package let ledger: TestLedger
    package let books: Books
    package let transport = CurlTransport()
    /// For files of its processes and of the test; gone with the house.
    package let directory: URL
    private let children = Mutex<[ChildProcess]>([])
    private let guests = Mutex<[Guest]>([])

    private init(ledger: TestLedger) async throws {
        self.ledger = ledger
        books = Books(connection: try await ledger.connectAsOwner())
        directory = FileManager.default.temporaryDirectory.appending(path: "ledgerd-e2e-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    /// Lends a house in which 100 coins cost ₩1,000 and 550, of which 50 are a bonus, ₩5,000.
    package static func with(_ body: (House) async throws -> Void) async throws {
        try await TestLedger.withDatabase { ledger in
            let house = try await House(ledger: ledger)
            do {
                try await house.books.execute(
                    """
                    INSERT INTO product (code, title, price, currency, coins, bonus_coins)
                    VALUES ('coins_100', '100 Coin', 1000, 'KRW', 100, 0),
                        ('coins_500', '500 Coin', 5000, 'KRW', 500, 50)
                    """)
                try await body(house)
                await house.end()
            } catch {
                let failure = house.failure(error)
                await house.end()
                throw failure
            }
        }
    }

    /// Lends a house with the gateway and one service running.
    package static func open(
        _ settings: [String: String] = [:], _ body: (House, Gateway, Service) async throws -> Void
    ) async throws {
        try await with { house in
            let gateway = try await house.startGateway()
            try await body(house, gateway, try await house.serve(at: gateway, settings))
        }
    }

    /// Lends a house with the gateway, and one service in a process of its own.
    ///
    /// - Parameter openFiles: the process's limit of open files.
    package static func openProcess(
        _ settings: [String: String] = [:], openFiles: Int? = nil,
        _ body: (House, Gateway, ServiceProcess) async throws -> Void
    ) async throws {
        try await with { house in
            let gateway = try await house.startGateway()
            try await body(house, gateway, try await house.serveProcess(at: gateway, settings, openFiles: openFiles))
        }
    }

    /// What went wrong, with what services and gateways said last.
    package struct Failure: Error, CustomStringConvertible {
        let cause: any Error
        let logs: [String]

        package var description: String { "\(String(reflecting: cause))\n" + logs.joined(separator: "\n---\n") }
    }

    private func failure(_ cause: any Error) -> Failure {
        Failure(
            cause: cause,
            logs: children.withLock { $0 }.map(\.lastWords) + guests.withLock { $0 }.map(\.log.lastWords))
    }

    /// Checks one case of a table whose cases share this house.
    ///
    /// An error that it throws fails the test with the case's name, and the next case is checked.
    package func check(
        _ name: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
    ) async {
        do {
            try await body()
        } catch {
            Issue.record(failure(error), "\(name)", sourceLocation: sourceLocation)
        }
    }

    private func end() async {
        let children = children.withLock { $0 }
        let guests = guests.withLock { $0 }
        for child in children { child.signal(SIGKILL) }
        await withDiscardingTaskGroup { group in
            for guest in guests { group.addTask { await guest.end() } }
        }
        for child in children { _ = try? await child.exit() }
        await books.connection.close()
        transport.shutdown()
        try? FileManager.default.removeItem(at: directory)
    }
}

extension House {
    /// Expects the books to be sound: entries, balances, lots, holds.
    package func expectSound(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let found = try await Audit.problems(of: ledger)
        #expect(found.isEmpty, "\(found.prefix(10))", sourceLocation: sourceLocation)
    }
}

// MARK: - Services and gateways

extension House {
    /// Whether every service and gateway is a process of its own, unless a test moves its time.
    ///
    /// With LEDGERD_TEST_PROCESSES=1: `./dev test --all` also tests the programs as they are started, and `./dev shake` stops
    /// them one by one. Otherwise they run in the test's process.
    private static let hasProcessesOnly = ProcessInfo.processInfo.environment["LEDGERD_TEST_PROCESSES"] == "1"

    /// What `serve` needs.
    ///
    /// - Parameter gateway: the gateway's address; by default one where nobody listens.
    package func settings(gateway: String = "http://127.0.0.1:9") -> [String: String] {
        [
            "LEDGERD_DATABASE_URL": ledger.serviceURL,
            "LEDGERD_LISTEN": "127.0.0.1:0",
            "LEDGERD_PORTONE_V1_URL": gateway,
            "LEDGERD_PORTONE_V1_KEY": "sandbox-key",
            "LEDGERD_PORTONE_V1_SECRET": "sandbox-secret",
            "LEDGERD_JWT_SECRET": Token.secret,
            // No machine is so slow as to reach these: a test of a time limit sets its own.
            "LEDGERD_GATEWAY_TIMEOUT": "60s",
            "LEDGERD_LOOKUP_PATIENCE": "1h",
            "LEDGERD_REQUEST_TIMEOUT": "1h",
            "LEDGERD_WRITE_TIMEOUT": "1h",
            "LEDGERD_IDLE_TIMEOUT": "1h",
            "LEDGERD_RECONCILE_AT": "off",
            // What a service asks the gateway and finds comes of what a test does. A test of sweeps sets its interval.
            "LEDGERD_SWEEP_INTERVAL": "off",
            "LEDGERD_REQUIRE_ORDERS": "false",
            "LEDGERD_CLAIM_GRACE": "0s",
        ]
    }

    private func settings(at gateway: Gateway?, _ changes: [String: String]) -> [String: String] {
        (gateway.map { settings(gateway: $0.url) } ?? settings()).merging(changes) { $1 }
    }

    /// Starts a service, and returns when it serves.
    ///
    /// - Parameter settings: what differs from ``settings(gateway:)``.
    package func serve(at gateway: Gateway? = nil, _ settings: [String: String] = [:]) async throws -> Service {
        if Self.hasProcessesOnly, !ManualTime.isLent { return try await serveProcess(at: gateway, settings) }
        // Its clients are the test's, and know when it ends; a time that stands still would never end the drain.
        let settings = self.settings(at: gateway, ["LEDGERD_SHUTDOWN_DRAIN": "0s"].merging(settings) { $1 })
        let guest = welcome()
        let ports = try await guest.start { isServing in
            try await Serving(pages: Console.self, environment: settings) { guest.write($0) }
                .run { isServing($0) }
        }
        return Service(port: ports.api, adminPort: ports.admin, transport: transport, guest: guest)
    }

    /// Starts the stand-in gateway, without payments.
    ///
    /// By default its port is one that no other process is given by chance, so that it can come back there.
    ///
    /// - Parameter service: the port of a service that it sends webhooks to.
    package func startGateway(port: Int = TestPort.next(), telling service: Int? = nil) async throws -> Gateway {
        let hooks = service.map { "http://127.0.0.1:\($0)/webhooks/portone" }
        if Self.hasProcessesOnly { return try await startGatewayProcess(port: port, hooks) }
        let guest = welcome()
        let sandbox = SandboxGateway(
            configuration: SandboxGatewayConfiguration(
                port: port, v1WebhookURL: hooks.map { $0 + "/v1" }, v2WebhookURL: hooks.map { $0 + "/v2" }),
            logger: guest.logger("portone-sandbox"))
        let port = try await guest.start { isServing in try await sandbox.run { isServing($0) } }
        return Gateway(port: port, transport: transport) { await guest.end() }
    }

    /// A place for a service or a stand-in in this process.
    func welcome() -> Guest {
        let guest = Guest()
        guests.withLock { $0.append(guest) }
        return guest
    }
}

// MARK: - Processes

extension House {
    /// Where what was built is: beside the tests.
    package static let products: URL = {
        let tests = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(filePath: sure(tests)).deletingLastPathComponent()
    }()

    /// Starts a binary with these arguments and nothing but this environment.
    package func start(
        _ arguments: [String], _ environment: [String: String] = [:], program: String = "ledgerd",
        openFiles: Int? = nil
    ) throws -> ChildProcess {
        let path = program.hasPrefix("/") ? program : Self.products.appending(path: program).path
        let child = try ChildProcess(path, arguments, environment: environment, openFiles: openFiles, in: directory)
        children.withLock { $0.append(child) }
        return child
    }

    /// Runs the binary to its end.
    package func run(
        _ arguments: String..., with environment: [String: String] = [:], within patience: Duration = Patience.hang
    ) async throws -> (exit: ChildProcess.Exit, output: String, errors: String) {
        let child = try start(arguments, environment)
        return (try await child.exit(within: patience), child.standardOutput, child.standardError)
    }

    /// Starts a service in a process of its own, and returns when it serves.
    ///
    /// - Parameters:
    ///   - settings: what differs from ``settings(gateway:)``.
    ///   - openFiles: its limit of open files.
    package func serveProcess(
        at gateway: Gateway? = nil, _ settings: [String: String] = [:], openFiles: Int? = nil
    ) async throws -> ServiceProcess {
        let child = try start(["serve"], self.settings(at: gateway, settings), openFiles: openFiles)
        let api = try await port(of: child)
        let admin = child.standardError.firstMatch(of: /admin_address=127\.0\.0\.1:(\d+)/).flatMap { Int($0.1) }
        return ServiceProcess(process: child, port: api, adminPort: admin, transport: transport)
    }

    private func startGatewayProcess(port: Int, _ hooks: String?) async throws -> Gateway {
        let urls = hooks.map { ["--v1-webhook-url", $0 + "/v1", "--v2-webhook-url", $0 + "/v2"] } ?? []
        let child = try start(["--listen", "127.0.0.1:\(port)"] + urls, program: "portone-sandbox")
        return Gateway(port: try await self.port(of: child), transport: transport) { [self] in try? await kill(child) }
    }

    /// Starts the stand-in gateway's program with these arguments.
    package func startSandbox(_ arguments: String...) throws -> ChildProcess {
        try start(arguments, program: "portone-sandbox")
    }

    /// Ends a process at once, as a power cut does.
    package func kill(_ child: ChildProcess) async throws {
        child.signal(SIGKILL)
        _ = try await child.exit()
    }

    /// The port that a process says it serves on.
    private func port(of child: ChildProcess) async throws -> Int {
        var port: Int?
        try await eventually("a process serves") {
            guard !child.hasEnded else { throw DidNotHappen(description: "a process ended instead of serving") }
            port = child.standardError.firstMatch(of: /serving address=127\.0\.0\.1:(\d+)/).flatMap { Int($0.1) }
            return port != nil
        }
        return sure(port)
    }

    /// Lends a time by which the services go that `body` starts: it stands still until the test moves it.
    ///
    /// It begins five minutes ahead of the machine's clock, so that nothing that the gateway, the database and the tests'
    /// tokens date is in its future. What a service does after a pause, such as a second attempt at the gateway, it does
    /// when the time is moved; what it is called for, it does at once.
    package static func withTime(_ body: (ManualTime) async throws -> Void) async throws {
        try await ManualTime.with(at: Date(timeIntervalSinceNow: 300), body)
    }
}
