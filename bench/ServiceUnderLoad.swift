import ArgumentParser
import Crypto
import Foundation
import Glibc
import PGVerifier

/// A ledgerd and a sandbox gateway, as processes, and a client of both.
final class ServiceUnderLoad: Sendable {
    private static let users = 1000
    private static let secret = String(repeating: "bench", count: 8)

    private let transport = CurlTransport(.init(maxConnectionsPerHost: 512, maxConnections: 1024))
    private let ledgerd: String
    private let gateway: String
    private let tokens: [String]
    private let serviceToken: String
    nonisolated(unsafe) private let processes: [ChildProcess]  // touched by init and stop only

    init(databaseURL: String, port: Int?) throws {
        let port = try port ?? Self.freePorts()
        ledgerd = "http://127.0.0.1:\(port)"
        gateway = "http://127.0.0.1:\(port + 1)"
        tokens = try (0..<Self.users).map { try Self.token("user-\($0)", scope: "user") }
        serviceToken = try Self.token("bench", scope: "service")
        let executable = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "ledgerd")
        processes = [
            try ChildProcess(executable, ["sandbox", "--listen", "127.0.0.1:\(port + 1)"]),
            try ChildProcess(
                executable, ["serve"],
                environment: [
                    "LEDGERD_LISTEN": "127.0.0.1:\(port)", "LEDGERD_DATABASE_URL": databaseURL,
                    "LEDGERD_PORTONE_V1_URL": gateway, "LEDGERD_PORTONE_V1_KEY": "sandbox-key",
                    "LEDGERD_PORTONE_V1_SECRET": "sandbox-secret", "LEDGERD_JWT_SECRET": Self.secret,
                    "LEDGERD_REQUIRE_ORDERS": "false", "LEDGERD_LOG_LEVEL": "warning",
                ]),
        ]
    }

    /// The first of two ports in a row on which nobody listens.
    private static func freePorts() throws -> Int {
        guard let port = stride(from: 18_480, to: 28_480, by: 2).first(where: { isFree($0) && isFree($0 + 1) }) else {
            throw CleanExit.message("no port is free: give --port")
        }
        return port
    }

    private static func isFree(_ port: Int) -> Bool {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { return false }
        defer { Glibc.close(socket) }
        var reuse: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    func stop() {
        for process in processes.reversed() { process.stop() }
    }

    func waitUntilReady() async throws {
        for address in [gateway + "/sandbox/journal?limit=1", ledgerd + "/health/ready"] {
            let deadline = ContinuousClock.now + .seconds(20)
            while (try? await send(.get, address))?.status != 200 {
                guard .now < deadline else { throw CleanExit.message("\(address) does not answer") }
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    /// Makes the payment with this number at the gateway.
    func pay(_ number: Int) async throws {
        let body = #"{"merchant_uid": "order-\#(number)", "imp_uid": "imp_bench_\#(number)", "amount": 1000}"#
        try expect(try await send(.post, gateway + "/sandbox/payments", body: body), status: 201)
    }

    /// Presents the receipt of that payment.
    func present(_ number: Int, expecting status: Int = 201) async throws {
        let body = #"{"imp_uid": "imp_bench_\#(number)", "merchant_uid": "order-\#(number)"}"#
        try expect(try await send(.post, ledgerd + "/v1/receipts", body: body, as: number), status: status)
    }

    /// Reads a user's balance.
    func readBalance(_ number: Int) async throws {
        try expect(try await send(.get, ledgerd + "/v1/me/balance", as: number), status: 200)
    }

    /// Gives every user coins that outlast any measurement.
    func fill() async throws {
        for user in 0..<Self.users {
            let body = #"{"coins": 1000000000, "reason": "bench"}"#
            try expect(try await act("grants", of: user, key: "grant-\(user)", body), status: 201)
        }
    }

    /// Spends three of a user's coins.
    func spend(_ number: Int) async throws {
        try expect(try await act("spends", of: number, key: "spend-\(number)", #"{"coins": 3}"#), status: 201)
    }

    private func act(_ name: String, of number: Int, key: String, _ body: String) async throws -> HTTPResponse {
        let headers: [HTTPRequest.Field] = [
            ("Content-Type", "application/json"), ("Idempotency-Key", key), ("Authorization", "Bearer \(serviceToken)"),
        ]
        return try await transport.send(
            HTTPRequest(
                .post, HTTPURL(ledgerd + "/v1/users/user-\(number % Self.users)/\(name)"), headers: headers,
                body: Array(body.utf8), totalTimeout: .seconds(30)))
    }

    /// How often ledgerd has asked the gateway, as its metrics count.
    func gatewayCalls() async throws -> Double {
        let text = String(decoding: try await send(.get, ledgerd + "/metrics").body, as: UTF8.self)
        return text.split(separator: "\n").filter { $0.hasPrefix("ledgerd_gateway_calls_total{") }
            .compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }.reduce(0, +)
    }

    private func expect(_ response: HTTPResponse, status: Int) throws {
        guard response.status == status else {
            throw CleanExit.message(
                "expected \(status), not \(response.status): \(String(decoding: response.body, as: UTF8.self))")
        }
    }

    private func send(
        _ method: HTTPRequest.Method, _ address: String, body: String = "", as number: Int? = nil
    ) async throws -> HTTPResponse {
        var headers: [HTTPRequest.Field] = [("Content-Type", "application/json")]
        if let number { headers.append(("Authorization", "Bearer \(tokens[number % Self.users])")) }
        return try await transport.send(
            HTTPRequest(method, HTTPURL(address), headers: headers, body: Array(body.utf8), totalTimeout: .seconds(30)))
    }

    /// A token, signed as RFC 7515 says.
    private static func token(_ subject: String, scope: String) throws -> String {
        func encode(_ data: some DataProtocol) -> String {
            Data(data).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
                "=", with: "")
        }
        let expiry = Int(Date().timeIntervalSince1970) + 3600
        let signed =
            encode(Data(#"{"alg":"HS256","typ":"JWT"}"#.utf8)) + "."
            + encode(Data(#"{"sub":"\#(subject)","scope":"\#(scope)","exp":\#(expiry)}"#.utf8))
        let code = HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: SymmetricKey(data: Data(secret.utf8)))
        return signed + "." + encode(Data(code))
    }
}
