import Crypto
import Foundation
import LedgerTestSupport
import TestSupport

/// A filled ledger, with ledgerd and a sandbox gateway as processes that end with the bench.
struct ServiceUnderLoad: Sendable {
    let books: TestLedger
    /// The number of users with purchases, `user-0` and so on.
    let users: Int
    let ledgerd: Server
    let gateway: Server

    /// A process that listens on a port chosen by the system.
    struct Server: Sendable {
        let process: ChildProcess
        let port: Int

        /// The process's resident memory in MiB: now (`VmRSS`) or the highest so far (`VmHWM`).
        func memory(_ line: String = "VmRSS") -> Double {
            let status = (try? String(contentsOfFile: "/proc/\(process.pid)/status", encoding: .utf8)) ?? ""
            let lines = status.split(separator: "\n")
            let kilobytes = lines.first { $0.hasPrefix(line + ":") }?.split(separator: " ").dropFirst().first
            return Double(kilobytes ?? "").map { $0 / 1024 } ?? .nan
        }
    }

    /// Runs a service in a new database for the body.
    ///
    /// - Parameter purchases: the least number of purchases in the books. Each of the scale's customers has 25.
    static func with(
        _ scale: Scale, purchases: Int = 0, _ body: (ServiceUnderLoad) async throws -> Void
    ) async throws {
        let users = max(scale.customers, purchases / 100)
        try await with(scale, users: users, purchases: max(purchases, users * 25), body)
    }

    /// Runs a service in a new database for the body.
    ///
    /// - Parameter purchases: of all users together.
    static func with(
        _ scale: Scale, users: Int, purchases count: Int, _ body: (ServiceUnderLoad) async throws -> Void
    ) async throws {
        try await TestLedger.withDatabase { books in
            // Purchases are close enough to each other to be all in the past.
            let apart = max(0.001, min(10, Date().timeIntervalSince(TestLedger.firstFilled) / Double(count + 1)))
            try await books.fill(entries: count, users: users, secondsApart: apart)
            try await books.execute(products)
            // Otherwise the service would number the filled entries while it is measured.
            _ = try await books.publishEvents()
            try await running(scale, books, users: users, body)
        }
    }

    private static func running(
        _ scale: Scale, _ books: TestLedger, users: Int, _ body: (ServiceUnderLoad) async throws -> Void
    ) async throws {
        try await Program.inDirectory { directory in
            let load = LoadCores.command(Program.sandboxGateway, ["--listen", "127.0.0.1:0"])
            let gateway = try await start(load.arguments, [:], program: load.program, in: directory)
            defer { gateway.process.signal(SIGKILL) }
            let ledgerd = try await start(
                ["serve"], settings(scale, books, gateway: gateway.port), in: directory)
            do {
                try await body(ServiceUnderLoad(books: books, users: users, ledgerd: ledgerd, gateway: gateway))
                ledgerd.process.signal(SIGTERM)
                _ = try await ledgerd.process.exit()
            } catch {
                ledgerd.process.signal(SIGKILL)
                show(ledgerd.process.lastWords)
                throw error
            }
        }
    }

    /// The settings of `serve`.
    static func settings(_ scale: Scale, _ books: TestLedger, gateway: Int) -> [String: String] {
        let own = [
            "LEDGERD_LISTEN": "127.0.0.1:0", "LEDGERD_DATABASE_URL": books.serviceURL,
            "LEDGERD_PORTONE_V1_URL": "http://127.0.0.1:\(gateway)", "LEDGERD_PORTONE_V1_KEY": "sandbox-key",
            "LEDGERD_PORTONE_V1_SECRET": "sandbox-secret", "LEDGERD_JWT_SECRET": secret,
            "LEDGERD_REQUIRE_ORDERS": "false", "LEDGERD_RECONCILE_AT": "off", "LEDGERD_LOG_LEVEL": "notice",
            "LEDGERD_SHUTDOWN_DRAIN": "0s",
            "LEDGERD_MAX_CONNECTIONS": "\(scale.idle + 2_000)",
        ]
        return own.merging(scale.settings) { $1 }
    }

    /// Starts a program and waits until it listens.
    static func start(
        _ arguments: [String], _ environment: [String: String], program: String = Program.ledgerd, in directory: URL
    ) async throws -> Server {
        let process = try ChildProcess(program, arguments, environment: environment, in: directory)
        let deadline = ContinuousClock.now + .seconds(30)
        while !process.hasEnded, .now < deadline {
            if let port = listeningPort(of: process.pid) { return Server(process: process, port: port) }
            try await Task.sleep(for: .milliseconds(1))
        }
        process.signal(SIGKILL)
        throw Program.Failed(description: "\(program) does not listen: \(process.lastWords)")
    }

    /// The port that a process listens on, from the kernel: a quiet log does not show it.
    private static func listeningPort(of pid: pid_t) -> Int? {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd")) ?? []
        let sockets = Set(
            files.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/fd/\($0)") })
        let table = (try? String(contentsOfFile: "/proc/\(pid)/net/tcp", encoding: .utf8)) ?? ""
        for line in table.split(separator: "\n").dropFirst() {
            let fields = line.split(separator: " ")
            // proc_pid_net(5): the local address, the state (0A listens) and the inode.
            guard fields.count > 9, fields[3] == "0A", sockets.contains("socket:[\(fields[9])]") else { continue }
            return fields[1].split(separator: ":").last.flatMap { Int($0, radix: 16) }
        }
        return nil
    }

    private static let products = """
        INSERT INTO product (code, title, price, currency, coins, bonus_coins)
        SELECT 'coins_' || n * 100, n * 100 || ' Coin', n * 1000, 'KRW', n * 100, (n - 1) * 10
        FROM generate_series(1, 5) AS n
        """

    // MARK: - Tokens

    private static let secret = String(repeating: "bench", count: 8)

    /// A token that is valid for three hours, signed according to RFC 7515.
    static func token(_ subject: String, scope: String) -> String {
        func encode(_ data: some DataProtocol) -> String {
            Data(data).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
                "=", with: "")
        }
        let expiry = Int(Date().timeIntervalSince1970) + 3 * 3600
        let signed =
            encode(Data(#"{"alg":"HS256","typ":"JWT"}"#.utf8)) + "."
            + encode(Data(#"{"sub":"\#(subject)","scope":"\#(scope)","exp":\#(expiry)}"#.utf8))
        let code = HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: SymmetricKey(data: Data(secret.utf8)))
        return signed + "." + encode(Data(code))
    }

    /// Tokens of different users, at most `most`.
    func tokens(_ most: Int) -> [String] {
        let count = min(most, users)
        return (0..<count).map { Self.token("user-\($0 * (users / count))", scope: "user") }
    }
}

extension ServiceUnderLoad {
    /// Sends a request to a server.
    func ask(_ server: Server, _ request: HTTPRequest) throws -> String {
        let answer = try HTTPConnection(port: server.port).ask(request)
        guard answer.status == request.expected else {
            throw Program.Failed(description: "expected \(request.expected), not \(answer.status): \(answer.body)")
        }
        return answer.body
    }

    /// Sets the response time of the gateway in milliseconds.
    func delayGateway(by delay: Int) throws {
        let times = delay == 0 ? 0 : 1_000_000
        let fault = #"{"kind": "delay", "path": "*", "times": \#(times), "delay_ms": \#(delay)}"#
        _ = try ask(gateway, HTTPRequest("PUT", "/sandbox/faults", body: fault))
    }

    /// Creates payments at the gateway, numbered from 1.
    func pay(_ count: Int, named name: String) throws {
        let body = #"{"count": \#(count), "merchant_uid": "\#(name)", "imp_uid": "imp_\#(name)", "amount": 1000}"#
        _ = try ask(gateway, HTTPRequest("POST", "/sandbox/payments", body: body, expecting: 201))
    }

    /// The number of ledgerd's calls to the gateway, from its metrics.
    func gatewayCalls() throws -> Double {
        try ask(ledgerd, HTTPRequest("GET", "/metrics")).split(separator: "\n")
            .filter { $0.hasPrefix("ledgerd_gateway_calls_total{") }
            .compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }.reduce(0, +)
    }
}
